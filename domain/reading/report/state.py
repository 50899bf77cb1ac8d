"""What is followed of one stream while it is folded, and where rules for its events register."""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from domain.agents.agents import SessionRole
from domain.core.ids import TaskId
from domain.core.wire import Wire
from domain.reading.report.causes import WaitCause
from domain.reading.report.tally import Book, Who, milliseconds
from domain.tasks.status import TaskStatus
from domain.verification.steps import StepResult


class SessionAgent(NamedTuple):
    """Who works in a session."""

    agent: str = ""
    model: str = ""
    role: SessionRole = SessionRole.CHAT


@dataclass
class FollowedTask:
    """A task of a plan: how it stands since `changed`, and when its first run began."""

    status: TaskStatus
    changed: datetime
    began: datetime | None = None
    runs: int = 0


@dataclass
class FollowedFlow:
    """A flow run: how it stands, and when it began and ended last; `began` moves with every pause.

    `command` is what its running step gave.
    """

    status: str = ""
    command: StepResult | None = None
    began: datetime | None = None
    ended: datetime | None = None


@dataclass
class FollowedPlan:
    """A plan that runs; `began` is None where none has begun or it has ended."""

    plan_id: str = ""
    began: datetime | None = None
    status: str = ""
    tasks: dict[TaskId, FollowedTask] = field(default_factory=dict[TaskId, FollowedTask])
    after: dict[TaskId, tuple[TaskId, ...]] = field(
        default_factory=dict[TaskId, tuple[TaskId, ...]]
    )
    proposed: dict[int, dict[TaskId, tuple[TaskId, ...]]] = field(
        default_factory=dict[int, dict[TaskId, tuple[TaskId, ...]]]
    )


@dataclass
class FollowedTrial:
    """A run of a task that tells of its agent; `passed` is its first verdict.

    It is `is_mixed` where another agent took it over before that, `is_unclear` where the verdict says nothing of the
    work, `is_unpriced` where a turn's cost is not known; `spent` is in millionths. Trials of one task by several at once have one `contest`.
    """

    who: Who
    session_id: str
    passed: bool | None = None
    took_ms: int = 0
    spent: int = 0
    has_turns: bool = False
    is_mixed: bool = False
    is_unclear: bool = False
    is_unpriced: bool = False
    contest: str = ""


@dataclass
class StreamState:
    """One stream: a thread's, a task's, a session's, a flow run's or the queue's.

    Of the queue's, which is of all projects, only what is of `project` counts where one is named. Calendar months
    are those of the time `zone`.
    """

    book: Book
    project: str = ""
    zone: str = "UTC"
    agents: dict[str, SessionAgent] = field(default_factory=lambda: defaultdict(SessionAgent))
    mode: str = ""
    trial: FollowedTrial | None = None
    plan: FollowedPlan = field(default_factory=FollowedPlan)
    flow: FollowedFlow = field(default_factory=FollowedFlow)
    waits: dict[str, tuple[WaitCause, datetime]] = field(
        default_factory=dict[str, tuple[WaitCause, datetime]]
    )

    def begin(self, key: str, cause: WaitCause, at: datetime) -> None:
        """Something waits from now on, unless it does already."""
        self.waits.setdefault(key, (cause, at))

    def end(self, key: str, at: datetime) -> None:
        """A wait is over, if there was one."""
        if key in self.waits:
            cause, began = self.waits.pop(key)
            self.book.at(at).waits[cause].append(milliseconds(began, at))

    def end_all(self, at: datetime, *causes: WaitCause) -> None:
        """All waits of some causes are over; without a cause all waits."""
        for key in [key for key, (cause, _) in self.waits.items() if not causes or cause in causes]:
            self.end(key, at)


_E = TypeVar("_E", bound=Wire)
Rule = Callable[[StreamState, _E, datetime], None]

RULES: defaultdict[type[Wire], list[Rule[Any]]] = defaultdict(list)
"""What is done with each type of event; those that are not here count for nothing."""


def counts(*events: type[_E]) -> Callable[[Rule[_E]], Rule[_E]]:
    """Register a rule for some types of events; a type may have several rules."""

    def register(rule: Rule[_E]) -> Rule[_E]:
        for event in events:
            RULES[event].append(rule)
        return rule

    return register
