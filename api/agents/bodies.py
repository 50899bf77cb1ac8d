"""Bodies of requests about agents."""

from typing import Annotated

from pydantic import Field

from api.core.bodies import CommandBody, Folder, Name
from domain.core.wire import Body

AgentName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$")]


class CheckBody(CommandBody):
    """A check of an agent; `repository` is needed for an agent that a repository brings."""

    repository: Folder | None = None


class AgentTrustBody(Body):
    """The agent to trust, by the hash of what was reviewed."""

    repository: Folder
    content_hash: Annotated[str, Field(pattern="^[0-9a-f]{64}$")]


class NewAgentBody(Body):
    """An agent to add by its command; `environment` has names of variables to pass on, no values."""

    name: AgentName
    command: Annotated[list[Name], Field(min_length=1, max_length=64)]
    title: Annotated[str, Field(max_length=200)] = ""
    environment: Annotated[
        list[Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]{0,99}$")]], Field(max_length=64)
    ] = []
