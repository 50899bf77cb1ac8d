"""How many events a thread has, which is how a prune names the thread that it archived."""

from domain.core.errors import WrongStateError
from domain.core.event import Event, EventBody, QuotedBody
from domain.core.lifecycle.commands import DeleteThread
from domain.threads.patches import EVENTS_ARE_COUNTED
from domain.threads.registry import THREAD_RULES
from domain.threads.state import ThreadState


@THREAD_RULES.evolves(EventBody)
def count_event(state: ThreadState) -> ThreadState:
    return state.model_copy(update={"recorded": state.recorded + 1})


def recorded_after(recorded: int, event: Event) -> int:
    """Return how many events a thread has with one more of its stream, as its workflow counts them.

    The workflow numbers its events in their ids; what others put into the stream is not counted.
    """
    prefix, _, number = event.id.rpartition(".")
    if prefix == event.stream and number.isdecimal():
        return int(number)
    is_own = isinstance(event.body, QuotedBody) and event.id == event.body.quoted_as
    return recorded + 1 if is_own else recorded


def refuse_if_changed(command: DeleteThread, state: ThreadState) -> None:
    """Refuse to be removed with events that its archive does not have.

    A thread that was opened before events were counted knows only how many came since: it is not compared.

    Raises:
        WrongStateError: It has such events.
    """
    is_counted = command.recorded > 0 and state.has_patch(EVENTS_ARE_COUNTED)
    if is_counted and command.recorded != state.recorded:
        raise WrongStateError("it changed after it was archived")
