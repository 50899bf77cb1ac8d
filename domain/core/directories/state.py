"""What a thread, or a run of a flow, knows of the directory that its sessions share."""

from domain.core.directories.events import (
    DirectoryAsked,
    DirectoryFreed,
    DirectoryGranted,
    SharingEvent,
)
from domain.core.ids import SessionId, TurnId
from domain.core.wire import Wire


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

    @property
    def due(self) -> DirectoryGranted | None:
        """The grant that follows by itself: to the first turn, where none has the directory."""
        if not self.turns or self.holder is not None:
            return None
        first, number = self.turns[0], self.granted_so_far + 1
        return DirectoryGranted(session_id=first.session_id, turn_id=first.turn_id, number=number)

    def knows(self, turn_id: TurnId) -> bool:
        """Whether a turn has the directory, or waits for it."""
        return any(turn.turn_id == turn_id for turn in self.turns)

    def after(self, event: SharingEvent) -> "SharedDirectory":
        """Return what is known after one more event."""
        match event:
            case DirectoryAsked():
                turn = DirectoryTurn(session_id=event.session_id, turn_id=event.turn_id)
                return self.model_copy(update={"turns": (*self.turns, turn)})
            case DirectoryGranted(turn_id=turn_id, number=number):
                turns = tuple(
                    turn.model_copy(update={"number": number}) if turn.turn_id == turn_id else turn
                    for turn in self.turns
                )
                return self.model_copy(update={"turns": turns, "granted_so_far": number})
            case DirectoryFreed(turn_id=turn_id):
                left = tuple(turn for turn in self.turns if turn.turn_id != turn_id)
                return self.model_copy(update={"turns": left})
