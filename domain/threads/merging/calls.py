"""What the activities of conflicts and trial merges take and give; see domain/effects.py."""

from domain.core.effects import Effect
from domain.core.wire import Wire
from domain.core.workspaces import Collision, CommitSpec, Snapshot, Work, WorkspaceSpec


class PrepareConflictCall(Effect):
    """Have the worktree of a run ready in which a merge is under way."""

    workspace: WorkspaceSpec


class PreparedConflict(Wire):
    """Where a person resolves a conflict."""

    path: str


class CommitConflictCall(Effect):
    """Commit what a person resolved, once per key."""

    workspace: WorkspaceSpec
    commit: CommitSpec


class CommittedConflict(Wire):
    """The commit of what a person resolved; its `unresolved` files still hold markers."""

    snapshot: Snapshot


class TryMergesCall(Effect):
    """Merge a piece of work on trial with others and with a branch."""

    repository: str
    work: Work
    others: tuple[Work, ...] = ()
    branch: str


class TriedMerges(Wire):
    """What would conflict."""

    found: tuple[Collision, ...] = ()
