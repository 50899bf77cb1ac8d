"""How far a plan is."""

from domain.core.ids import WORK
from domain.core.wire import Wire
from domain.tasks.status import TaskStatus
from domain.threads.state import ThreadState

BAR_WIDTH = 20


class Progress(Wire):
    """How far a plan is."""

    done: int
    total: int

    @property
    def bar(self) -> str:
        """The bar, as `[███░░░] 3/10`."""
        filled = BAR_WIDTH * self.done // self.total if self.total else 0
        return f"[{'█' * filled}{'░' * (BAR_WIDTH - filled)}] {self.done}/{self.total}"


def progress_of(state: ThreadState) -> Progress:
    """Return how many tasks are done; a plan without tasks has none."""
    entries = [entry for task_id, entry in state.tasks.items() if task_id != WORK]
    done = sum(entry.status is TaskStatus.COMPLETED for entry in entries)
    return Progress(done=done, total=len(entries))
