"""Rules of moves: the newest one counts, and whatever is at work for the thread hears of it."""

from collections.abc import Iterable

from domain.core.decisions import Decided
from domain.core.moves import HostMove
from domain.core.wire import Wire
from domain.threads.effects import ThreadEffect
from domain.threads.moving.events import MoveSpread, ThreadMoved
from domain.threads.moving.state import Moving
from domain.threads.registry import THREAD_RULES
from domain.threads.state import ThreadState


class SpreadMove(ThreadEffect):
    """Report a move to the sessions and tasks of a thread."""

    kind = "move"
    is_resumable = True

    move: HostMove

    @property
    def name(self) -> str:
        """Which of the thread's moves it is."""
        return str(self.move.generation)


class EndSpread(Wire):
    """All sessions and tasks were told of a move."""

    generation: int


@THREAD_RULES.handles
def move_thread(command: HostMove, state: ThreadState) -> Decided:
    opened = state.opened
    if opened is None or command.generation <= state.moving.generation:
        return Decided()
    moved = ThreadMoved(
        from_host=opened.host,
        to_host=command.host,
        generation=command.generation,
        reason=command.reason,
    )
    return Decided((moved,))


@THREAD_RULES.handles
def end_spread(command: EndSpread, state: ThreadState) -> Decided:
    is_known = command.generation <= state.moving.spread
    return Decided() if is_known else Decided((MoveSpread(generation=command.generation),))


@THREAD_RULES.evolves
def apply_thread_moved(event: ThreadMoved, state: ThreadState) -> ThreadState:
    if state.opened is None:
        return state
    moving = Moving(generation=event.generation, spread=state.moving.spread)
    opened = state.opened.model_copy(update={"host": event.to_host})
    return state.model_copy(update={"opened": opened, "moving": moving})


@THREAD_RULES.evolves
def apply_move_spread(event: MoveSpread, state: ThreadState) -> ThreadState:
    return state.model_copy(
        update={"moving": state.moving.model_copy(update={"spread": event.generation})}
    )


@THREAD_RULES.requires
def spread_move(state: ThreadState) -> Iterable[ThreadEffect]:
    if state.opened is not None and state.moving.spread < state.moving.generation:
        yield SpreadMove(move=HostMove(host=state.opened.host, generation=state.moving.generation))
