"""The port to workspaces."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Protocol

from domain.core.suggestions import Suggestion
from domain.core.workspaces import (
    BesideRepository,
    Collision,
    CommitSpec,
    MergeCandidate,
    MergeResult,
    RepositoryFacts,
    Snapshot,
    Work,
    WorkspaceSpec,
)
from domain.threads.calls import SettleCall
from domain.verification.checkouts import Checkouts


class WorkCopies(Protocol):
    """Copies of work that outlive this host."""

    async def copy_work(self, place: WorkspaceSpec) -> None:
        """Copy what a workspace has committed before anybody hears of it; what fails is tried again later."""
        ...


class Workspaces(Protocol):
    """Git worktrees of Treadle's own; the user's checkout, index and branches stay untouched."""

    @property
    def checkouts(self) -> Checkouts:
        """Clean checkouts of commits, beside the worktrees; they are released with these."""
        ...

    async def keep_sweeping(self) -> None:
        """Delete what nobody needs any more, also of a killed worker, until it is cancelled."""
        ...

    async def inspect(self, repository: str) -> RepositoryFacts:
        """Look at a folder.

        Raises:
            RepositoryError: Not a repository, bare, or without commits; says what to do.
        """
        ...

    async def create_branch(self, repository: str, branch: str, base: str) -> str:
        """Make a branch and return the commit of its base; one that exists is left where it is.

        Raises:
            RepositoryError: There is no such base, or there cannot be a branch of that name.
        """
        ...

    async def create_branches(self, branch: str, bases: Mapping[str, str]) -> tuple[str, ...]:
        """Make a branch in several repositories, in all or in none; returns the commits of its bases.

        `bases` are by repository. One that exists is left where it is.

        Raises:
            RepositoryError: There is no such base, there cannot be such a branch in one of them, or a
                repository is named twice.
        """
        ...

    async def prepare(self, spec: WorkspaceSpec) -> Path:
        """Have the worktree ready, made or found; fixes what a killed attempt left."""
        ...

    async def commit(self, spec: WorkspaceSpec, commit: CommitSpec) -> Snapshot:
        """Commit all changes onto the worktree's branch and the checkpoint ref, once per key."""
        ...

    async def diff(
        self, repository: str, base: str, commit: str, beside: Sequence[BesideRepository] = ()
    ) -> str:
        """Return the patch between two commits, and between those that they name beside them."""
        ...

    async def check_out(self, spec: WorkspaceSpec, commit: str) -> Path:
        """Have the worktree hold exactly a commit's files; ignored files stay as they are.

        Whatever else was in it is on a hidden ref before.
        """
        ...

    async def put_together(self, spec: WorkspaceSpec, parts: Mapping[str, Sequence[str]]) -> Path:
        """Have the worktree hold what it begins with, with files as they are in other commits.

        `parts` are the files by commit; one that a commit does not have is gone. What the branch got
        since a commit was begun stays in its files.

        Raises:
            RepositoryError: A file is in none of the commits, stands where another one has a folder, or
                conflicts with what the branch got since.
        """
        ...

    async def altered(self, spec: WorkspaceSpec, commit: str) -> tuple[str, ...]:
        """Return which files of a commit the worktree does not hold as they are in it."""
        ...

    async def edit(
        self, spec: WorkspaceSpec, commit: str, suggestions: Sequence[Suggestion]
    ) -> None:
        """Have the worktree hold a commit's files with suggested lines in them; may be done again.

        A worktree that is gone is made again. Where a file cannot be written, those written before it are put back.

        Raises:
            StaleError: Other files differ from the commit's: somebody writes there.
            InvalidError: A file is no text, is not in a worktree as it is stored, or has no such lines.
        """
        ...

    async def take_back(
        self, spec: WorkspaceSpec, commit: str, suggestions: Sequence[Suggestion], key: str
    ) -> None:
        """Take lines out again that `edit` put in, and a commit of that key off the branch; may be done again.

        What somebody wrote in the same files meanwhile is left alone.
        """
        ...

    async def files(self, spec: WorkspaceSpec) -> tuple[str, ...]:
        """Return the files that git knows in a worktree or would take up; of its base where it is not."""
        ...

    async def place(self, spec: WorkspaceSpec, file: str) -> str:
        """Return where a file of a worktree is on its host, or with an empty name the worktree itself.

        Raises:
            NotFoundError: There is no worktree or no such file, or the name leads out of it.
        """
        ...

    async def discard(self, spec: WorkspaceSpec) -> tuple[str, ...]:
        """Throw away what changed in a worktree since its base; returns which files, at most 500.

        What they held is on a hidden ref before.
        """
        ...

    async def settle(
        self, call: SettleCall, verified: Collection[str] | None = None
    ) -> MergeResult | MergeCandidate:
        """Merge an accepted commit into the thread's branch (once per key), remove the worktree.

        With `verified` trees, a merge that would make another tree than the commit's or one of
        these is not carried out: the candidate is returned, and the worktree stays.
        """
        ...

    async def collisions(
        self, repository: str, work: Work, others: Sequence[Work]
    ) -> tuple[Collision, ...]:
        """Return with which of the others a piece of work would conflict if it were merged now.

        Nothing is kept of the trial; a commit that is gone collides with nothing.
        """
        ...

    async def release(self, spec: WorkspaceSpec) -> None:
        """Remove a worktree; what it holds is on a ref before. Missing ones are fine."""
        ...
