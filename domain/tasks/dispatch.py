"""Where the rules of a task register themselves: commands in (`handles`), events folded (`evolves`)."""

from functools import singledispatch

from domain.core.decisions import Decided
from domain.core.errors import InvalidError
from domain.core.event import EventBody
from domain.core.wire import Wire
from domain.tasks.state import TaskState


@singledispatch
def dispatch(command: Wire, state: TaskState) -> Decided:
    """Return the events of a command by the rule that is registered for its type."""
    del state
    raise InvalidError(f"a task takes no command {type(command).__name__!r}")


@singledispatch
def fold(event: EventBody, state: TaskState) -> TaskState:
    """Return the state after an event by what is registered for its type; others change nothing."""
    del event
    return state


handles = dispatch.register
evolves = fold.register
