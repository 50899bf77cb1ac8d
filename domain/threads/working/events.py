"""Events of the work of a plan without tasks."""

from typing import Literal

from domain.agents.offers import AgentOptions
from domain.core.event import EventBody
from domain.core.ids import SessionId


class SessionLent(EventBody):
    """The work goes on in the session, after its `turns`; one that `is_gone` could not be asked."""

    kind: Literal["session_lent"] = "session_lent"
    session_id: SessionId
    turns: int = 0
    agent: str = ""
    model: str | None = None
    options: AgentOptions = {}
    is_gone: bool = False
