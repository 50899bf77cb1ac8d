"""Where the rules of a run register themselves: commands in (`handles`)."""

from datetime import datetime
from functools import singledispatch

from domain.core.decisions import Decided
from domain.core.errors import InvalidError
from domain.core.wire import Wire
from domain.flows.state import FlowState


@singledispatch
def dispatch(command: Wire, state: FlowState, now: datetime) -> Decided:
    """Return the events of a command by the rule that is registered for its type."""
    del state, now
    raise InvalidError(f"a run of a flow takes no command {type(command).__name__!r}")


handles = dispatch.register
