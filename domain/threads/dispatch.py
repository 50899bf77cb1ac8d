"""One entry for all commands; the rules register themselves with `handles`."""

from functools import singledispatch

from domain.decisions import Decided
from domain.errors import InvalidError
from domain.threads.state import ThreadState
from domain.wire import Wire


@singledispatch
def dispatch(command: Wire, state: ThreadState) -> Decided:
    """Return the events of a command by the rule that is registered for its type."""
    del state
    raise InvalidError(f"a thread takes no command {type(command).__name__!r}")


handles = dispatch.register
