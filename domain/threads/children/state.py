"""What a thread knows of its children, and what it told its parent."""

from domain.core.ids import TaskId, ThreadId
from domain.core.wire import Wire
from domain.threads.children.events import ChildReport


class ChildThread(Wire):
    """A child thread of a run of a task; `report` is the newest that it told."""

    thread_id: ThreadId
    task_id: TaskId
    run: int
    report: ChildReport | None = None

    @property
    def doing(self) -> str:
        """What the child does now, in a phrase."""
        report = self.report
        if report is None:
            return f"opening thread {self.thread_id}"
        progress = f", {report.done}/{report.total} tasks" if report.total else ""
        if report.waiting_for:
            return f"waiting for {report.waiting_for}{progress}"
        return f"thread {report.status}{progress}"


class Family(Wire):
    """A thread's children, by id, in the order they were opened; and what its parent knows of it.

    `head` is the newest commit that was merged into its branch.
    """

    children: dict[ThreadId, ChildThread] = {}
    reported: ChildReport | None = None
    numbered: int = 0
    is_stopped: bool = False
    head: str = ""

    def child_of(self, task_id: TaskId, run: int) -> ChildThread | None:
        """Return the child that a run of a task is."""
        found = (c for c in self.children.values() if (c.task_id, c.run) == (task_id, run))
        return next(found, None)
