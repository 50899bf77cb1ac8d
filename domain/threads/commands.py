"""What the thread's own workflow tells its rules; people's commands are in domain/commands/."""

from datetime import datetime

from domain.agents import StopReason
from domain.ancestry import ParentThread
from domain.effects import OpenedThread
from domain.events.task import TaskEnd
from domain.forks.origin import ForkOrigin
from domain.ids import SessionId, TaskId, ThreadId
from domain.learnings import Learning
from domain.offers import AgentOptions
from domain.plans.settings import PlannerSettings
from domain.progress import TaskProgress
from domain.questions.question import Rule
from domain.tasks.stats import TaskStats
from domain.wire import Wire
from domain.workspaces import MergeResult


class OpenThread(Wire):
    """The repository was looked at: begin."""

    thread_id: ThreadId
    goal: str
    agent: str
    model: str | None = None
    options: AgentOptions = {}
    opened: OpenedThread
    is_planned: bool = True
    planner: PlannerSettings = PlannerSettings()
    by: str = ""
    parent: ParentThread | None = None
    context: str = ""
    forked_from: ForkOrigin | None = None
    has_plan_files: bool = False


class MarkDelivered(Wire):
    """A session has its prompt."""

    key: str


class EndSessionTurn(Wire):
    """A turn of a planner, a reviewer or a flow is over: what it said, and which files it threw away.

    A planner that proposed nothing is asked again. `prompt_key` names a flow's message.
    """

    session_id: SessionId
    turn: int
    prompt_key: str = ""
    is_stopped: bool = False
    stop_reason: StopReason = StopReason.END_TURN
    failure: str | None = None
    text: str = ""
    discarded: tuple[str, ...] = ()

    @property
    def turn_key(self) -> str:
        """The key of the one prompt that may follow from it."""
        return f"{self.session_id}/nudge-{self.turn}"


class EndTask(Wire):
    """A run of a task ended."""

    task_id: TaskId
    run: int
    end: TaskEnd
    reason: str = ""
    commit: str | None = None
    attempts: int = 0
    duration_ms: int = 0
    learnings: tuple[Learning, ...] = ()
    output: str = ""
    stats: TaskStats = TaskStats()
    artifacts: tuple[str, ...] = ()


class SettleTask(Wire):
    """A run was merged, where accepted, and released."""

    task_id: TaskId
    run: int
    merge: MergeResult


class TimeIsUp(Wire):
    """What was waited for with WaitUntil has come."""

    what: str


class TellTime(Wire):
    """The time that was asked for with ReadClock."""

    what: str
    now: datetime


class NoteProgress(Wire):
    """A task tells how far it is; the thread's workflow adds when."""

    progress: TaskProgress
    at: datetime | None = None


class NoteRules(Wire):
    """A session or task tells of the answers that count in the whole thread."""

    rules: tuple[Rule, ...] = ()
