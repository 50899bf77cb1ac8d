"""What a thread must have under way for conflicts and trial merges, and what it is told of them."""

from domain.core.ids import SessionId, TaskId
from domain.core.wire import Wire
from domain.core.workspaces import Collision, MergeResult, Snapshot, Work
from domain.tasks.conflicts import DroppedWork
from domain.threads.effects import ThreadEffect


class OfConflict(ThreadEffect):
    """Base of the effects of a conflict that a person resolves by hand; `subject` is whose merge it is."""

    subject: str
    run: int

    @property
    def name(self) -> str:
        """Whose merge, and which run."""
        return f"{self.subject}:{self.run}"


class PrepareConflict(OfConflict):
    """Have a worktree ready with the merge under way, for the run that resolves it."""

    kind = "prepare-conflict"


class CheckConflict(OfConflict):
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
        return f"{self.work.subject}:{self.work.run}"


class MergeSessionChanges(ThreadEffect):
    """Merge a chat's changes into the thread's branch: its newest, or those of a commit."""

    kind = "keep"

    session_id: SessionId
    number: int
    commit: str = ""

    @property
    def name(self) -> str:
        """Which of the thread's requests it is."""
        return str(self.number)


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


class TryAllMerges(ThreadEffect):
    """Merge on trial what is to be tried when this begins; one such effect at a time."""

    kind = "try-all-merges"

    @property
    def name(self) -> str:
        """Nothing: it is always the same."""
        return ""


class ConflictReady(Wire):
    """A worktree with the merge under way is there, or why it is not."""

    subject: str
    run: int
    path: str = ""
    failure: str = ""


class TakeConflict(Wire):
    """What a person resolved by hand was committed, or why it was not."""

    subject: str
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


class EndSessionMerge(Wire):
    """A chat's changes were merged, or why not."""

    session_id: SessionId
    number: int
    merge: MergeResult
