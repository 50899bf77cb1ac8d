"""Where the rules of a run register themselves: commands in (`handles`)."""

from datetime import datetime
from functools import singledispatch

from domain.decisions import Decided
from domain.errors import InvalidError
from domain.flows.state import FlowState
from domain.wire import Wire


@singledispatch
def dispatch(command: Wire, state: FlowState, now: datetime) -> Decided:
    """Return the events of a command by the rule that is registered for its type."""
    del state, now
    raise InvalidError(f"a run of a flow takes no command {type(command).__name__!r}")


handles = dispatch.register
