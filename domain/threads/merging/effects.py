"""What a thread must have under way for conflicts and trial merges, and what it is told of them."""

from domain.core.ids import TaskId
from domain.core.wire import Wire
from domain.core.workspaces import Collision, Snapshot, Work
from domain.tasks.conflicts import DroppedWork
from domain.threads.effects import OfRun, ThreadEffect


class PrepareConflict(OfRun):
    """Have a worktree ready with the merge under way, for the run that resolves it."""

    kind = "prepare-conflict"


class CheckConflict(OfRun):
    """Take up what a person resolved by hand, and look for markers that are left."""

    kind = "check-conflict"

    number: int

    @property
    def name(self) -> str:
        """The run, and how often it was said to be done."""
        return f"{super().name}:{self.number}"


class DropConflictWork(ThreadEffect):
    """Remove a worktree in which nobody resolves a conflict any longer."""

    kind = "drop-conflict"

    work: DroppedWork

    @property
    def name(self) -> str:
        """The run that it was for."""
        return f"{self.work.task_id}:{self.work.run}"


class TryMerges(ThreadEffect):
    """Merge a task's newest commit on trial with the thread's branch and the other work."""

    kind = "try-merges"

    work: Work
    others: tuple[Work, ...]
    branch: str

    @property
    def name(self) -> str:
        """The task and its commit."""
        return f"{self.work.name}:{self.work.commit}"


class ConflictReady(Wire):
    """A worktree with the merge under way is there, or why it is not."""

    task_id: TaskId
    run: int
    path: str = ""
    failure: str = ""


class TakeConflict(Wire):
    """What a person resolved by hand was committed, or why it was not."""

    task_id: TaskId
    run: int
    snapshot: Snapshot | None = None
    failure: str = ""


class EndConflictWork(Wire):
    """A worktree was removed."""

    work: DroppedWork


class NoteCollisions(Wire):
    """Trial merges of a task's commit are over."""

    task_id: TaskId
    commit: str
    found: tuple[Collision, ...] = ()
