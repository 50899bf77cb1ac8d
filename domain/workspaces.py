"""Workspaces: what to check out where, what a commit of one holds, and what a merge gave."""

from enum import StrEnum

from domain.ids import TaskId, ThreadId
from domain.wire import Wire


class WorkspaceKind(StrEnum):
    """Whose files these are: a task's branch, the thread's chat, or a planner's throw-away view."""

    TASK = "task"
    CHAT = "chat"
    PLANNING = "planning"


class WorkspaceSpec(Wire):
    """A worktree to have; preparing it twice is the same as once.

    `base` is a commit or a branch name, resolved when the worktree is made; `branch` is the
    worktree's own branch, None for a detached head.
    """

    workspace_id: str
    kind: WorkspaceKind
    repository: str
    thread_id: ThreadId
    task_id: TaskId | None = None
    base: str
    branch: str | None = None


class Claim(Wire):
    """An attempt's claim to be the one that writes to a workspace; of two the larger is the newer.

    `order` and `attempt` are those of its activity. The release of a workspace comes last, whatever
    its order: another workflow may ask for it.
    """

    order: int
    attempt: int = 1
    is_release: bool = False

    @property
    def rank(self) -> tuple[bool, int, int]:
        """What claims are compared by."""
        return (self.is_release, self.order, self.attempt)


class CommitSpec(Wire):
    """How a turn's changes are committed by Treadle; `key` makes it idempotent.

    The key becomes the trailer `Treadle-Turn`; a commit that has it is returned, not made again.
    """

    key: str
    title: str
    trailers: tuple[tuple[str, str], ...] = ()
    checkpoint_ref: str


class Snapshot(Wire):
    """The state of a workspace after a turn.

    `commit` and `tree` are what is verified, shown and merged; `base` is where the branch started.
    `diff_ref` names the whole diff against the base in the journal. `files` lists the first 500 of
    `file_count`, so that a careless turn does not outgrow a history.
    """

    commit: str
    tree: str
    base: str
    files: tuple[str, ...] = ()
    file_count: int = 0
    insertions: int = 0
    deletions: int = 0
    diff_ref: str | None = None
    is_changed: bool = False


class MergeCandidate(Wire):
    """What a merge would put on the thread's branch, but whose tree nobody verified yet."""

    commit: str
    tree: str


class MergeResult(Wire):
    """The merge of one task: its commit on the thread's branch, or why there is none."""

    commit: str | None = None
    conflicts: tuple[str, ...] = ()
    failure: str = ""


class RepositoryFacts(Wire):
    """What was found when a thread was opened on a repository."""

    root: str
    head: str
    head_branch: str | None = None
    uncommitted: int = 0
    project_map: str = ""
