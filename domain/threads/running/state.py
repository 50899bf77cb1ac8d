"""What a thread knows of the tasks and decisions of its running plan."""

from datetime import datetime
from enum import StrEnum

from domain.core.ids import SessionId, TaskId
from domain.core.progress import TaskProgress
from domain.core.wire import Wire
from domain.plans.plan import Decision, PlannedTask
from domain.plans.supervision import Advice, ConcernKind, Oversight
from domain.tasks.events import TaskEnd
from domain.tasks.learnings import Learning
from domain.tasks.state import AT_GATE
from domain.tasks.status import TaskStatus
from domain.threads.fork_origin import Beginning


class Enrichment(Wire):
    """What the coordinator gave a task to know before it started."""

    text: str
    session_id: SessionId


class Notice(Wire):
    """Advice to the person: of supervision where there is a concern, else of the coordinator."""

    advice: Advice
    reason: str
    task_id: TaskId | None = None
    run: int = 0
    concern: ConcernKind | None = None


class Cause(StrEnum):
    """Why the thread's agent takes a turn of its own."""

    FAILURE = "failure"
    ESCALATION = "escalation"
    CONFLICT = "conflict"
    CONCERN = "concern"
    LEARNINGS = "learnings"
    WAVE = "wave"


class Occurrence(Wire):
    """Something that happened in a plan and that the thread's agent is told of."""

    cause: Cause
    words: str
    task_id: TaskId | None = None
    run: int = 0


class OwnTurns(Wire):
    """The turns that the thread's agent takes without a message.

    `allowed` is how many there may be in all, None as the settings say. `untold` is what happened since
    the last one; the next one covers it, from the moment `due_at`. `running` is the key of the one
    that has not ended. `failures` have failed in a row. `waves` of the plan were over so far. While a
    person has paused the plan they are held.
    """

    allowed: int | None = None
    taken: int = 0
    untold: tuple[Occurrence, ...] = ()
    due_at: datetime | None = None
    running: str = ""
    failures: int = 0
    waves: int = 0
    is_held: bool = False


class ThreadTask(Wire):
    """A task as its thread sees it; `end` is how its newest run ended, before it is settled.

    `begins` is the checkpoint that its newest retry was asked to begin with.
    """

    task: PlannedTask
    status: TaskStatus = TaskStatus.PENDING
    notes: str = ""
    run: int = 0
    begins: Beginning | None = None
    is_abort_requested: bool = False
    aborted_by: str = ""
    abort_reason: str = ""
    """Why the thread's agent aborted it; empty where a person did."""
    is_aborted_with_all: bool = False
    end: TaskEnd | None = None
    commit: str | None = None
    merge_commit: str | None = None
    progress: TaskProgress | None = None
    oversight: Oversight = Oversight()
    context: tuple[Enrichment, ...] = ()
    learned: tuple[Learning, ...] = ()
    attempts: int = 0
    approved_by: tuple[str, ...] = ()
    duration_ms: int = 0

    @property
    def is_at_gate(self) -> bool:
        """Whether its newest run is done and waits for approval of its change, or to be chosen."""
        progress = self.progress
        is_told = progress is not None and progress.run == self.run
        asks = progress is not None and (progress.asks == AT_GATE or progress.gate is not None)
        return is_told and asks and self.status.is_at_work and self.end is None

    @property
    def is_aborted(self) -> bool:
        """Whether a person aborted it."""
        return self.status is TaskStatus.CANCELLED

    @property
    def has_failed(self) -> bool:
        """Whether a person has to look at it: it failed, or the thread's agent aborted it."""
        return self.status is TaskStatus.FAILED or (self.is_aborted and bool(self.abort_reason))

    def beginning_of(self, run: int) -> Beginning | None:
        """Return the checkpoint that a run begins with; None for one that begins at its base."""
        return self.begins if self.begins is not None and self.begins.run == run else None

    @property
    def is_over(self) -> bool:
        """Whether its newest run is settled, in whatever way."""
        return self.status.is_over


class PlanDecision(Wire):
    """A decision of the plan, what was selected, and how long it waits.

    `reminders` are those that are still to come.
    """

    decision: Decision
    selections: tuple[str, ...] | None = None
    due_at: datetime | None = None
    reminders: tuple[datetime, ...] = ()
    is_expired: bool = False
