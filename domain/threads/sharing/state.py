"""What a thread knows of the directory that its chats share."""

from domain.ids import SessionId, TurnId
from domain.wire import Wire


class DirectoryTurn(Wire):
    """A turn that works in the shared directory, or waits to; `number` is 0 while it waits."""

    session_id: SessionId
    turn_id: TurnId
    number: int = 0


class SharedDirectory(Wire):
    """Turns in the order they asked; the first one holds the directory once it has a number."""

    turns: tuple[DirectoryTurn, ...] = ()
    granted_so_far: int = 0

    @property
    def holder(self) -> DirectoryTurn | None:
        """The turn that works in the directory."""
        return next((turn for turn in self.turns if turn.number), None)
