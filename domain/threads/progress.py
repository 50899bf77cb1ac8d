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
    if WORK in state.tasks:
        return Progress(done=0, total=0)
    return Progress(done=state.tasks.count(TaskStatus.COMPLETED), total=len(state.tasks))
