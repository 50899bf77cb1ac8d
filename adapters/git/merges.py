"""Merges without a checkout: a tree, a commit and a compare-and-swap of one branch."""

import os
from collections.abc import Collection
from pathlib import Path

from adapters.git.commands import Git, GitPlace
from adapters.git.commits import Commit, Commits
from adapters.git.fingerprints import read_limited
from adapters.git.linear_merges import LinearMerges
from adapters.git.locks import remove_stale_lock
from adapters.git.repositories import Repository
from adapters.git.trees import MergedTree, Trees
from adapters.git.worktree import read_head
from adapters.git.worktrees import Worktrees
from domain.core.errors import WorkspaceError
from domain.core.workspaces import MergeCandidate, MergeResult, SideChoice
from domain.threads.calls import SettleCall

_ATTEMPTS = 5
_REFUSED = 128


class Merges:
    """Merges accepted commits into a thread's branch."""

    def __init__(self, git: Git, commits: Commits, worktrees: Worktrees) -> None:
        self._git = git
        self._commits = commits
        self._worktrees = worktrees
        self._trees = Trees(git)
        self._linear = LinearMerges(git, commits)

    async def merge(
        self,
        repository: Repository,
        call: SettleCall,
        commit: str,
        verified: Collection[str] | None = None,
    ) -> MergeResult | MergeCandidate:
        """Merge a commit into a branch, once per key; on conflicts the branch stays untouched.

        With `verified` trees the branch only moves to the commit's own tree or to one of these. The
        caller holds the repository's lock. Whoever moves the branch from outside meanwhile wins
        the swap, and the merge is made again on top of it.

        Raises:
            RepositoryError: The branch is gone.
            WorkspaceError: The branch is checked out by the user, or keeps moving.
        """
        for _ in range(_ATTEMPTS):
            result = await self._try_merge(repository, call, commit, verified)
            if result is not None:
                return result
        raise WorkspaceError(f"branch {call.branch} kept moving while {call.key} was merged")

    async def _try_merge(
        self,
        repository: Repository,
        call: SettleCall,
        commit: str,
        verified: Collection[str] | None,
    ) -> MergeResult | MergeCandidate | None:
        place = repository.place
        tip, known = await self.look(place, call, commit)
        if known is not None:
            return known
        if call.is_linear and await self.is_merged(place, tip.oid, commit):
            return await self._move(repository, call.branch, (tip.oid, commit))
        made = await self.make(place, call, tip, commit)
        if isinstance(made, MergeResult):
            return made
        own = {await self._tree_of(place, commit)} if call.is_verified else set[str]()
        if verified is not None and made.tree not in own.union(verified):
            return made
        return await self._carry_out(repository, call, tip, made)

    async def look(
        self, place: GitPlace, call: SettleCall, commit: str
    ) -> tuple[Commit, MergeResult | None]:
        """Return the tip of the branch, and the merge where it is in the branch already."""
        ref = f"refs/heads/{call.branch}"
        try:
            history = await self._commits.history(place, ref)
        except WorkspaceError:
            await self._commits.refuse_gone(place, ref, f"branch {call.branch}")
            raise
        merges = (c.oid for c in history if c.oid == commit or c.is_merge_of(commit, call.key))
        merged = next(merges, None)
        return history[0], MergeResult(commit=merged) if merged else None

    async def make(
        self, place: GitPlace, call: SettleCall, tip: Commit, commit: str
    ) -> MergeCandidate | MergeResult:
        """Write the commit of a merge, which moves nothing; or return why there is none to make."""
        merged = await self._trees.merge(place, tip.oid, commit)
        tree = merged.tree
        if merged.paths:
            if call.keeps is None or not _is_shown(call.keeps, merged):
                return MergeResult(
                    conflicts=merged.conflicts,
                    notes=merged.notes,
                    versions=merged.versions,
                    tip=tip.oid,
                )
            tree = await self._trees.keep(place, merged, call.keeps.side)
        elif tree == tip.tree and await self.is_merged(place, commit, tip.oid):
            return MergeResult(commit=commit)
        return await self._linear.land(place, call, (tip.oid, commit), tree)

    async def _carry_out(
        self, repository: Repository, call: SettleCall, tip: Commit, made: MergeCandidate
    ) -> MergeResult | None:
        """Move the branch to a merge; what a `git gc` took from it meanwhile is made again."""
        result = await self._move(repository, call.branch, (tip.oid, made.commit))
        if result is None or await self._is_whole(repository.place, made.commit):
            return result
        again = await self.make(repository.place, call, tip, call.commit or "")
        return await self._swap(repository, call.branch, (made.commit, again.commit or ""))

    async def _is_whole(self, place: GitPlace, commit: str) -> bool:
        """Tell whether all that a commit has and its parents have not is there.

        A `git gc --prune=now` beside a merge takes what was on no ref when it looked.
        """
        walked = await self._git.run(
            place,
            *("rev-list", "--objects", "--quiet", f"{commit}^!", "--"),
            accepts=(0, _REFUSED),
        )
        return walked.returncode == 0

    async def _move(
        self, repository: Repository, branch: str, moved: tuple[str, str]
    ) -> MergeResult | None:
        """Take a branch from one commit to another; None when somebody else moved it meanwhile."""
        await self.bring_along(repository, branch, moved)
        return await self._swap(repository, branch, moved)

    async def _swap(
        self, repository: Repository, branch: str, moved: tuple[str, str]
    ) -> MergeResult | None:
        ref, (old, new) = f"refs/heads/{branch}", moved
        await remove_stale_lock(repository, ref)
        swap = await self._git.run(
            repository.place, "update-ref", "--no-deref", ref, new, old, accepts=(0, 1, _REFUSED)
        )
        return MergeResult(commit=new) if swap.returncode == 0 else None

    async def _tree_of(self, place: GitPlace, commit: str) -> str:
        return await self._git.line(
            place, "rev-parse", "--verify", "--end-of-options", f"{commit}^{{tree}}"
        )

    async def is_merged(self, place: GitPlace, commit: str, tip: str) -> bool:
        """Tell whether a commit is in another one, or is it."""
        asked = await self._git.run(
            place, "merge-base", "--is-ancestor", "--end-of-options", commit, tip, accepts=(0, 1)
        )
        return asked.returncode == 0

    async def bring_along(
        self, repository: Repository, branch: str, moved: tuple[str, str]
    ) -> None:
        """Let Treadle's own worktrees of a branch follow its move; refuse to move the user's."""
        for admin in (repository.common, *(repository.common / "worktrees").glob("*")):
            if read_head(admin) != f"ref: refs/heads/{branch}":
                continue
            worktree = self._worktrees.own(repository, admin)
            if worktree is None:
                raise WorkspaceError(
                    f"branch {branch} is checked out at {checkout_of(admin)}: switch that checkout "
                    "to another branch, Treadle must move it"
                )
            await self._git.run(worktree.place, "read-tree", "-m", "-u", *moved, is_long=True)


def _is_shown(keeps: SideChoice, merged: MergedTree) -> bool:
    """Tell whether a conflict is still the one in which a person chose a side."""
    is_same = keeps.versions in ("", merged.versions)  # empty: chosen before versions were kept
    return is_same and keeps.files == merged.conflicts


def checkout_of(admin: Path) -> Path:
    """Return the folder that an administrative folder belongs to."""
    pointer = read_limited(admin / "gitdir")
    return admin.parent if pointer is None else Path(os.fsdecode(pointer).strip()).parent
