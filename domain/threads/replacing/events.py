"""Events of sessions that were lost."""

from typing import Literal

from domain.core.event import EventBody
from domain.core.ids import SessionId


class SessionLost(EventBody):
    """A session has ended by itself; what it was not given yet is for the one that replaces it, if one does."""

    kind: Literal["session_lost"] = "session_lost"
    session_id: SessionId
    reason: str
    replaced_by: SessionId | None = None
