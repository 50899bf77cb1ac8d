"""A task's run in its first turn, for tests of what is said to it and of it."""

from domain.conversations.commands import BeginTurn
from domain.core.ids import SessionId, TaskId
from domain.plans.plan import PlannedTask
from domain.tasks import rules
from domain.tasks.commands import OpenTask
from domain.tasks.effects import TaskEffect
from domain.tasks.state import TaskState
from tests.domain.core.tank import NOW

SESSION = SessionId("thread-x/1/session-1")


def after(state: TaskState, *commands) -> TaskState:
    """Return a state after commands, none of which is refused."""
    for command in commands:
        state = rules.fold(state, rules.decide(state, command, NOW).events)
    return state


def todo(state: TaskState) -> TaskEffect | None:
    """Return what must happen next; None while somebody is awaited, or when it is over."""
    return next(iter(rules.effects(state)), None)


def working(**fields) -> TaskState:
    """Return a run of a task with these fields whose agent has its first turn."""
    opened = OpenTask(
        task=PlannedTask(id=TaskId("1"), title="One", **fields),
        run=1,
        session_id=SESSION,
        agent="a",
        branch="b",
        max_retries=3,
        is_gate_automatic=False,
    )
    return after(TaskState(), opened, BeginTurn())
