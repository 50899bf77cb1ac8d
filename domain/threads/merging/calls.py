"""What the activities of conflicts and trial merges take and give; see domain/effects.py."""

from domain.core.effects import Effect
from domain.core.summaries import listed
from domain.core.wire import Wire
from domain.core.workspaces import Collision, CommitSpec, Snapshot, Work, WorkspaceSpec


class PrepareConflictCall(Effect):
    """Have the worktree of a run ready in which a merge is under way."""

    workspace: WorkspaceSpec

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"prepare the conflict of {self.workspace.task_id}"


class PreparedConflict(Wire):
    """Where a person resolves a conflict."""

    path: str


class CommitConflictCall(Effect):
    """Commit what a person resolved, once per key."""

    workspace: WorkspaceSpec
    commit: CommitSpec

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"commit the resolved conflict of {self.workspace.task_id}"


class CommittedConflict(Wire):
    """The commit of what a person resolved; its `unresolved` files still hold markers."""

    snapshot: Snapshot


class TryMergesCall(Effect):
    """Merge a piece of work on trial with others and with a branch."""

    repository: str
    work: Work
    others: tuple[Work, ...] = ()
    branch: str

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        others = (*(other.name for other in self.others), self.branch)
        return f"try merging {self.work.name} with {listed(others)}"


class TryAllMergesCall(Effect):
    """Merge pieces of work on trial, each with all that is at work and with a branch."""

    repository: str
    works: tuple[Work, ...]
    others: tuple[Work, ...] = ()
    branch: str

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"try merging {listed(work.name for work in self.works)}"


class TriedMerges(Wire):
    """What would conflict."""

    found: tuple[Collision, ...] = ()
