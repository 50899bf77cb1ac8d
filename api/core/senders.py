"""Who sends a request, and from where: what an audit log keeps of it."""

from typing import Annotated

from fastapi import Depends, Request

from api.core.callers import CALLER
from api.core.reach import ADDRESS
from domain.core.wire import Wire
from domain.people.access import Caller

AGENT_LENGTH = 200


class Sender(Wire):
    """Who sends a request, by which credentials, and from where."""

    person: str
    is_owner: bool = False
    address: str
    """The address of the person's machine: behind a trusted proxy, what the proxy says; `local socket` for the unix socket."""
    token_id: str = ""
    """The personal access token that was sent, or that the browser's session was made with."""
    sign_in_id: str = ""
    """The sign-in of the browser's session."""
    user_agent: str = ""


def sender_of(request: Request) -> Sender:
    """Return who sends a request, and from where; the gate has found both."""
    caller: Caller = request.scope[CALLER]
    return Sender(
        person=caller.person,
        is_owner=caller.is_owner,
        address=request.scope[ADDRESS],
        token_id=caller.token_id,
        sign_in_id=caller.sign_in_id,
        user_agent=request.headers.get("user-agent", "")[:AGENT_LENGTH],
    )


SenderDep = Annotated[Sender, Depends(sender_of)]
"""Who sends a request, for routes that note it."""
