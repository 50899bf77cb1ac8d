"""The bodies of requests about agents."""

from typing import Annotated

from pydantic import Field

from api.core.bodies import CommandBody, Folder, Name
from domain.core.wire import Body

AgentName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$")]


class CheckBody(CommandBody):
    """Which repository's agents are meant, where its name is one of those."""

    repository: Folder | None = None


class AgentTrustBody(Body):
    """A yes to an agent that a repository brings, as it was shown."""

    repository: Folder
    content_hash: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class NewAgentBody(Body):
    """An agent by its command; variables are named, and never given."""

    name: AgentName
    command: Annotated[list[Name], Field(min_length=1, max_length=64)]
    title: Annotated[str, Field(max_length=200)] = ""
    environment: Annotated[
        list[Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,99}$")]], Field(max_length=64)
    ] = []
