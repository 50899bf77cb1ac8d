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

    @property
    def found(self) -> OpenedThread:
        """What was found of the repository, with the agents of each task as the request names them."""
        if self.best_of is None:
            return self.opened
        template = self.opened.template.model_copy(update={"best_of": self.best_of})
        return self.opened.model_copy(update={"template": template})


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
