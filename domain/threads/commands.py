"""What the thread's own workflow tells its rules; people's commands are in domain/reading/commands/."""

from domain.agents.offers import AgentOptions
from domain.conversations.stats import TaskStats
from domain.core.ids import TaskId, ThreadId
from domain.core.progress import TaskProgress
from domain.core.wire import Wire
from domain.core.workspaces import MergeResult
from domain.plans.ancestry import ParentThread
from domain.plans.settings import PlannerSettings
from domain.tasks.events import TaskEnd
from domain.tasks.learnings import Learning
from domain.threads.calls import OpenedThread
from domain.threads.fork_origin import ForkOrigin


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


class WakeUp(Wire):
    """The moment has come that was waited for with WaitUntil; the reactions see what is due."""


class NoteProgress(Wire):
    """A task reports how far it is."""

    progress: TaskProgress
