"""Bodies of requests about hosts."""

from typing import Annotated

from pydantic import Field

from api.core.bodies import CommandBody
from domain.core.wire import Body

MAX_MINUTES = 7 * 24 * 60

HostName = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]


class InvitationBody(CommandBody):
    """An invitation to make; with a `name` the host is called so."""

    name: HostName | None = None
    minutes: Annotated[int, Field(ge=1, le=MAX_MINUTES)] = 60


class JoinBody(Body):
    """A machine that wants to join.

    `attempt` is a secret of its own, by which it gets the same answer again where the first one was
    lost; `boot` the id of its last start, which tells machines apart.
    """

    token: Annotated[str, Field(min_length=1, max_length=200)]
    host: Annotated[str, Field(pattern="^[0-9a-f]{8,64}$")]
    name: HostName
    attempt: Annotated[str, Field(min_length=32, max_length=200)]
    boot: Annotated[str, Field(max_length=100)] = ""
