"""Rules of the directory that chats of a thread share: turns work in it one at a time (A2).

Sessions are workflows of their own; their thread gives the directory to one turn after the other. The
number of a grant orders them all, so that what is left of an earlier turn can write nothing more.
"""

from collections.abc import Iterable

from domain.decisions import Decided
from domain.events import EventBody
from domain.events import sharing as happened
from domain.ids import SessionId, TurnId
from domain.threads.dispatch import does, follows, handles
from domain.threads.effects import ThreadEffect
from domain.threads.evolution import evolves
from domain.threads.sharing.state import DirectoryTurn
from domain.threads.state import ThreadState
from domain.wire import Wire


class AskDirectory(Wire):
    """A session's turn needs the shared directory."""

    session_id: SessionId
    turn_id: TurnId


class FreeDirectory(Wire):
    """A turn needs the shared directory no more."""

    turn_id: TurnId


class GrantDirectory(ThreadEffect):
    """Tell a session that the directory is its turn's, and wait until it is free again."""

    kind = "grant"
    is_resumable = True

    session_id: SessionId
    turn_id: TurnId
    number: int

    @property
    def name(self) -> str:
        """The grant."""
        return str(self.number)


@handles
def _ask(command: AskDirectory, state: ThreadState) -> Decided:
    session = state.sessions.get(command.session_id)
    is_known = any(turn.turn_id == command.turn_id for turn in state.directory.turns)
    if is_known or session is None or session.has_own_worktree:
        return Decided()
    return Decided((happened.DirectoryAsked(**dict(command)),))


@handles
def _free(command: FreeDirectory, state: ThreadState) -> Decided:
    if all(turn.turn_id != command.turn_id for turn in state.directory.turns):
        return Decided()
    return Decided((happened.DirectoryFreed(turn_id=command.turn_id),))


@follows
def _grant(state: ThreadState) -> Iterable[EventBody]:
    directory = state.directory
    if directory.turns and directory.holder is None:
        first = directory.turns[0]
        yield happened.DirectoryGranted(
            session_id=first.session_id,
            turn_id=first.turn_id,
            number=directory.granted_so_far + 1,
        )


@does
def _tell(state: ThreadState) -> Iterable[ThreadEffect]:
    if (holder := state.directory.holder) is not None:
        yield GrantDirectory(**dict(holder))


@evolves
def _(event: happened.DirectoryAsked, state: ThreadState) -> ThreadState:
    turn = DirectoryTurn(session_id=event.session_id, turn_id=event.turn_id)
    return _with(state, turns=(*state.directory.turns, turn))


@evolves
def _(event: happened.DirectoryGranted, state: ThreadState) -> ThreadState:
    turns = tuple(
        turn.model_copy(update={"number": event.number}) if turn.turn_id == event.turn_id else turn
        for turn in state.directory.turns
    )
    return _with(state, turns=turns, granted_so_far=event.number)


@evolves
def _(event: happened.DirectoryFreed, state: ThreadState) -> ThreadState:
    turns = tuple(turn for turn in state.directory.turns if turn.turn_id != event.turn_id)
    return _with(state, turns=turns)


def _with(state: ThreadState, **changes: object) -> ThreadState:
    return state.model_copy(update={"directory": state.directory.model_copy(update=changes)})
