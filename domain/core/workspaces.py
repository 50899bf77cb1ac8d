"""Workspaces: what to check out where, what a commit of one holds, and what a merge gave."""

import hashlib
import re
from collections.abc import Iterable
from enum import StrEnum

from pydantic import Field

from domain.core.ids import TaskId, ThreadId
from domain.core.project_map import ProjectSurvey
from domain.core.wire import Wire

COMMIT = re.compile(r"[0-9a-f]{40}([0-9a-f]{24})?")
"""The whole id of a commit."""

MAX_LISTED = 500
MAX_LISTED_BYTES = 32 << 10
"""Of names of files that go into a history, as a careless turn makes any number of any length."""


def listed(names: Iterable[str]) -> tuple[str, ...]:
    """Return the first names that a history bears: so many, and so many bytes together."""
    kept: list[str] = []
    room = MAX_LISTED_BYTES
    for name in names:
        room -= len(name.encode(errors="replace"))
        if room < 0 or len(kept) == MAX_LISTED:
            break
        kept.append(name)
    return tuple(kept)


class WorkspaceKind(StrEnum):
    """Whose files these are: a task's branch, the thread's chat, or a planner's throw-away view."""

    TASK = "task"
    CHAT = "chat"
    PLANNING = "planning"


class BesideRepository(Wire):
    """Another repository of a thread, whose worktree stands as `name` beside that of the thread's own.

    It was at `begins_at` when the thread's own was at `since`. Its worktrees are set up by its own `recipe`, a
    text in the journal. One that `is_read` is there to look at: no change in it is committed.
    """

    name: str
    repository: str
    begins_at: str
    since: str
    recipe: str = Field(default="", exclude_if=lambda recipe: not recipe)
    is_read: bool = Field(default=False, exclude_if=lambda is_read: not is_read)


class WorkspaceSpec(Wire):
    """A worktree to have; preparing it twice is the same as once.

    `base` is a commit or a branch name, resolved when the worktree is made; `branch` is the
    worktree's own branch, None for a detached head. With `begins_with` a new one holds the files of
    that commit, and goes on from it: its diff is still the one against the base. One that is made for `merging` a commit has
    that merge under way: conflicting files hold markers, and its first commit has two parents.
    `hosts` are those that all processes in it reach by HTTPS unasked, by the thread's template. `recipe` names
    the text in the journal of the recipe that it is set up by, empty where it is not.

    Those of several repositories share a folder: `name` is what this one is called in it, `beside` are the
    others of a thread's own repository. A commit of that names theirs.
    """

    workspace_id: str
    kind: WorkspaceKind
    repository: str
    thread_id: ThreadId
    task_id: TaskId | None = None
    base: str
    branch: str | None = None
    begins_with: str | None = None
    merging: str | None = None
    hosts: tuple[str, ...] = ()
    recipe: str = ""
    name: str = Field(default="", exclude_if=lambda name: not name)
    beside: tuple[BesideRepository, ...] = Field(default=(), exclude_if=lambda beside: not beside)


class Claim(Wire):
    """An attempt's claim to be the one that writes to a workspace; of two the larger is the newer.

    `order` and `attempt` are those of its activity. The release of a workspace comes last, whatever
    its order: another workflow may ask for it. `grant` orders the turns of several workflows in one
    workspace.
    """

    order: int
    grant: int = 0
    attempt: int = 1
    is_release: bool = False

    @property
    def rank(self) -> tuple[bool, int, int, int]:
        """What claims are compared by."""
        return (self.is_release, self.grant, self.order, self.attempt)


class CommitSpec(Wire):
    """How a turn's changes are committed by Treadle; `key` makes it idempotent.

    The key becomes the trailer `Treadle-Turn`; a commit that has it is returned, not made again. With
    `is_of_turn` the snapshot tells what this turn changed alone: others work in the same workspace.
    `beside` are the commits of the repositories beside, by name: one is made where these changed alone.
    """

    key: str
    title: str
    trailers: tuple[tuple[str, str], ...] = ()
    checkpoint_ref: str
    is_of_turn: bool = False
    beside: dict[str, str] = Field(default={}, exclude_if=lambda beside: not beside)


class Snapshot(Wire):
    """The state of a workspace after a turn.

    `commit` and `tree` are what is verified, shown and merged; `base` is where the branch started.
    `diff_ref` names the whole diff against the base in the journal, `since_review_ref` that against
    what a person last sent back, where they did. `files` lists the first of
    `file_count`, see `listed`. `unresolved` are the files of a
    merge under way that still hold conflict markers. `planted` are changed files that make tools run
    something, at any depth: the first 50 (domain/protected.py). `judges` are those that verify or
    instruct (domain/judges), `altered` the first files that were there before and are otherwise now.
    `turn_files` are the first that the turn changed, None where they are `files`.
    """

    commit: str
    tree: str
    base: str
    files: tuple[str, ...] = ()
    file_count: int = 0
    insertions: int = 0
    deletions: int = 0
    diff_ref: str | None = None
    since_review_ref: str | None = None
    is_changed: bool = False
    unresolved: tuple[str, ...] = ()
    planted: tuple[str, ...] = ()
    judges: tuple[str, ...] = ()
    altered: tuple[str, ...] = ()
    turn_files: tuple[str, ...] | None = Field(default=None, exclude_if=lambda names: names is None)

    @property
    def of_turn(self) -> tuple[str, ...]:
        """The files that the turn changed."""
        if not self.is_changed:
            return ()
        return self.files if self.turn_files is None else self.turn_files


class ConflictSide(StrEnum):
    """Whose version of conflicting files is kept: what is on the branch (A), or the task's (B)."""

    BRANCH = "keep_a"
    TASK = "keep_b"


class SideChoice(Wire):
    """A person's choice of a side, which holds for the conflict that they were shown.

    `versions` names both sides' versions of the files, `tip` is the commit that the branch was at.
    """

    side: ConflictSide
    files: tuple[str, ...]
    versions: str = ""
    tip: str = ""


class MergeCandidate(Wire):
    """What a merge would put on the thread's branch, but whose tree nobody verified yet."""

    commit: str
    tree: str


class MergeResult(Wire):
    """The merge of one task: its commit on the thread's branch, or why there is none.

    `conflicts` are the first 100 files that conflict, `notes` are git's words on the first of them,
    `versions` names what both sides have in all of them, `tip` is where the branch was. `source` is
    the commit to merge, of a chat's changes.
    """

    commit: str | None = None
    source: str = ""
    conflicts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    versions: str = ""
    tip: str = ""
    failure: str = ""


class Work(Wire):
    """The newest commit of a piece of work: a task's, or the thread's branch."""

    name: str
    commit: str


class Collision(Wire):
    """Two pieces of work that would conflict if they were merged now; `files` are the first 20."""

    first: str
    second: str
    files: tuple[str, ...]

    @property
    def key(self) -> str:
        """What tells it from others: the pair and the files, whatever the commits."""
        parts = (*sorted((self.first, self.second)), *sorted(self.files))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:16]


class RepositoryFacts(Wire):
    """What was found when a thread was opened on a repository.

    `remotes` are the addresses that its first 20 remotes are pushed to, without passwords.
    """

    root: str
    head: str
    head_branch: str | None = None
    uncommitted: int = 0
    remotes: dict[str, str] = {}
    project_map: str = ""
    survey: ProjectSurvey = ProjectSurvey()
