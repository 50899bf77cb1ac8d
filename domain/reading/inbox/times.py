"""When each thing was asked that waits for a person: the times of the events that asked."""

from collections.abc import Iterator
from datetime import UTC, datetime

from domain.agents.limits.money import HOLDS
from domain.conversations.events import TurnConcern, TurnDelayed, TurnEnded
from domain.core.event import Event, EventBody
from domain.flows.events import FlowAsked, FlowFailed
from domain.publications.events import PullRequestItemOpened
from domain.queue.events import EntryBlocked, EntryRefused
from domain.tasks.events import GateOpened, VerificationEnded
from domain.tasks.plan_events import TaskPlanAsked
from domain.threads.amending.events import AmendmentProposed
from domain.threads.events import PlanningFailed, PlanProposed, TaskUpdated
from domain.threads.merging.events import (
    ConflictFound,
    ConflictPrepared,
    ConflictUnresolved,
    ResolutionProposed,
)
from domain.threads.planning.events import PlanningSuggested
from domain.threads.running.decision_events import DecisionAsked
from domain.threads.setting_up.events import SetUpEnded

TURN = "turn"
"""What a task that waits for a word of a person is asked with: the end of what it did."""

PLANNING = "planning"
RUN = "run"
SET_UP = "set-up"
REFUSED = "refused"
"""What the first of several refusals of a turn by its provider is kept under."""


class AskingTimes:
    """Times by stream and by what was asked there."""

    def __init__(self) -> None:
        self._times: dict[tuple[str, str], datetime] = {}

    def note(self, event: Event) -> None:
        """Keep when something was asked, the newest time of each."""
        for name in _asked(event.body):
            self._times[event.stream, name] = event.at

    def of(self, stream: str, name: str) -> datetime | None:
        """Return when it was asked, None where it never was."""
        return self._times.get((stream, name))


def decision(decision_id: str) -> str:
    """Return what a decision of a plan is kept under."""
    return f"decision {decision_id}"


def conflict(subject: str) -> str:
    """Return what a conflict of a task or a chat is kept under."""
    return f"conflict {subject}"


def status(task_id: str) -> str:
    """Return what the newest status of a task is kept under."""
    return f"status {task_id}"


def concern(bound: str) -> str:
    """Return what a concern about a running turn is kept under."""
    return f"concern {bound}"


BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
"""The time of what has none."""


def first(*known: datetime | None) -> datetime:
    """Return the first time that is known."""
    return next(at for at in known if at is not None)


def _asked(body: EventBody) -> Iterator[str]:
    match body:
        case (PlanProposed() | AmendmentProposed() | PlanningSuggested()) | (
            TaskPlanAsked() | GateOpened() | FlowAsked()
        ):
            yield body.request.request_id
        case TaskUpdated():
            yield status(body.task_id)
        case TurnEnded() | VerificationEnded():
            yield TURN
        case PullRequestItemOpened():
            yield body.item.item_id
        case _:
            yield from _met(body)


def _met(body: EventBody) -> Iterator[str]:
    match body:
        case DecisionAsked():
            yield decision(body.decision_id)
        case ConflictFound():
            yield conflict(body.conflict.subject)
        case ConflictPrepared() | ConflictUnresolved() | ResolutionProposed():
            yield conflict(body.subject)
        case PlanningFailed():
            yield PLANNING
        case SetUpEnded():
            yield SET_UP
        case EntryRefused() | EntryBlocked():
            yield body.entry_id
        case FlowFailed():
            yield RUN
        case TurnDelayed() if body.refusals - body.pauses == 1 and body.provider not in HOLDS:
            yield REFUSED
        case TurnConcern():
            yield concern(body.bound)
        case _:
            pass
