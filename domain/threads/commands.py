"""What the thread's own workflow tells its rules; what people ask is in the commands of its slices."""

from domain.core.ids import TaskId
from domain.core.progress import TaskProgress
from domain.core.wire import Wire
from domain.core.workspaces import MergeResult
from domain.tasks.results import RunResult
from domain.threads.calls import OpenedThread
from domain.threads.spec import ThreadSpec


class OpenThread(ThreadSpec):
    """Begin: the repository was looked at."""

    opened: OpenedThread


class MarkDelivered(Wire):
    """A session has its prompt."""

    key: str


class EndTask(RunResult):
    """A run of a task ended."""


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
