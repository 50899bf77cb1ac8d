"""What sessions tell whoever gives the directory that they share."""

from domain.core.ids import SessionId, TurnId
from domain.core.wire import Wire


class AskDirectory(Wire):
    """A session's turn needs the shared directory."""

    session_id: SessionId
    turn_id: TurnId


class FreeDirectory(Wire):
    """A turn needs the shared directory no more."""

    turn_id: TurnId
