"""Where the slices of a thread's rules register themselves.

A slice is a module of this package: commands in (`handles`), decisions on what was shown (`decides`),
what follows by itself (`follows`), and what must be under way (`does`). rules.py imports them all.
"""

from collections.abc import Callable, Iterable
from functools import singledispatch

from domain.core.approvals import ApprovalRequest, Outcome, Subject
from domain.core.command import Verdict
from domain.core.decisions import Decided
from domain.core.errors import InvalidError
from domain.core.event import EventBody
from domain.core.wire import Wire
from domain.threads.effects import ThreadEffect
from domain.threads.state import ThreadState

Settle = Callable[[Verdict, ApprovalRequest, Outcome, ThreadState], Decided]
Follow = Callable[[ThreadState], Iterable[EventBody]]
Todo = Callable[[ThreadState], Iterable[ThreadEffect]]

SETTLES: dict[Subject, Settle] = {}
"""For each subject of a request: the events of a decision on it. It may refuse, by a TreadleError."""

FOLLOWS: list[Follow] = []
"""What follows by itself once a command's events are folded; each sees the events of those before."""

TODOS: list[Todo] = []


@singledispatch
def dispatch(command: Wire, state: ThreadState) -> Decided:
    """Return the events of a command by the rule that is registered for its type."""
    del state
    raise InvalidError(f"a thread takes no command {type(command).__name__!r}")


handles = dispatch.register


def decides(subject: Subject) -> Callable[[Settle], Settle]:
    """Register the rule for decisions on requests of a subject."""

    def registered(rule: Settle) -> Settle:
        SETTLES[subject] = rule
        return rule

    return registered


def follows(rule: Follow) -> Follow:
    """Register events that follow by themselves."""
    FOLLOWS.append(rule)
    return rule


def does(rule: Todo) -> Todo:
    """Register effects that must be under way."""
    TODOS.append(rule)
    return rule
