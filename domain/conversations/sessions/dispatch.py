"""Where the rules of a session register themselves: commands in (`handles`)."""

from functools import singledispatch

from domain.conversations.sessions.state import SessionState
from domain.core.decisions import Decided
from domain.core.errors import InvalidError
from domain.core.wire import Wire


@singledispatch
def dispatch(command: Wire, state: SessionState) -> Decided:
    """Return the events of a command by the rule that is registered for its type."""
    del state
    raise InvalidError(f"a session takes no command {type(command).__name__!r}")


handles = dispatch.register
