"""Merges without a checkout: a tree, a commit and a compare-and-swap of one branch."""

import os
from collections.abc import Collection
from pathlib import Path

from adapters.git.commands import Git, GitPlace, fields
from adapters.git.commits import MERGE_TRAILER, Commits, message_of
from adapters.git.fingerprints import read_limited
from adapters.git.repositories import Repository
from adapters.git.worktrees import Worktrees, read_head, remove_stale_lock
from domain.effects import SettleCall
from domain.errors import WorkspaceError
from domain.workspaces import MergeCandidate, MergeResult

_ATTEMPTS = 5
_LISTED_CONFLICTS = 200
_CONFLICTS = 1
_REFUSED = 128


class Merges:
    """Merges accepted commits into a thread's branch."""

    def __init__(self, git: Git, commits: Commits, worktrees: Worktrees) -> None:
        self._git = git
        self._commits = commits
        self._worktrees = worktrees

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
        place, ref = repository.place, f"refs/heads/{call.branch}"
        try:
            history = await self._commits.history(place, ref)
        except WorkspaceError:
            await self._commits.refuse_gone(place, ref, f"branch {call.branch}")
            raise
        known = next((c for c in history if c.merge_key == call.key), None)
        if known is not None:
            return MergeResult(commit=known.oid)
        if any(c.oid == commit for c in history):
            return MergeResult(commit=commit)
        tip = history[0]
        if call.is_linear and await self._is_merged(place, tip.oid, commit):
            return await self._move(repository, call.branch, (tip.oid, commit))
        merged = await self._git.run(
            place,
            *("merge-tree", "--write-tree", "-z", "--name-only", "--no-messages"),
            *("--end-of-options", tip.oid, commit),
            is_long=True,
            accepts=(0, _CONFLICTS),
        )
        tree, *conflicts = fields(merged.output.content())
        if merged.returncode == _CONFLICTS:
            return MergeResult(conflicts=tuple(conflicts[:_LISTED_CONFLICTS]))
        if tree == tip.tree and await self._is_merged(place, commit, tip.oid):
            return MergeResult(commit=commit)
        message = message_of(call.title, (*call.trailers, (MERGE_TRAILER, call.key)))
        new = await self._commits.make(place, tree, [tip.oid, commit], message)
        if verified is not None and tree not in {*verified, await self._tree_of(place, commit)}:
            return MergeCandidate(commit=new, tree=tree)
        return await self._move(repository, call.branch, (tip.oid, new))

    async def _move(
        self, repository: Repository, branch: str, moved: tuple[str, str]
    ) -> MergeResult | None:
        """Swap a branch from one commit to another; None when somebody else moved it meanwhile."""
        ref, (old, new) = f"refs/heads/{branch}", moved
        await self._bring_along(repository, branch, moved)
        await remove_stale_lock(repository, ref)
        swap = await self._git.run(
            repository.place, "update-ref", "--no-deref", ref, new, old, accepts=(0, 1, _REFUSED)
        )
        return MergeResult(commit=new) if swap.returncode == 0 else None

    async def _tree_of(self, place: GitPlace, commit: str) -> str:
        return await self._git.line(
            place, "rev-parse", "--verify", "--end-of-options", f"{commit}^{{tree}}"
        )

    async def _is_merged(self, place: GitPlace, commit: str, tip: str) -> bool:
        asked = await self._git.run(
            place, "merge-base", "--is-ancestor", "--end-of-options", commit, tip, accepts=(0, 1)
        )
        return asked.returncode == 0

    async def _bring_along(
        self, repository: Repository, branch: str, moved: tuple[str, str]
    ) -> None:
        """Let Treadle's own worktrees of a branch follow its move; refuse to move the user's."""
        for admin in (repository.common, *(repository.common / "worktrees").glob("*")):
            if read_head(admin) != f"ref: refs/heads/{branch}":
                continue
            worktree = self._worktrees.own(repository, admin)
            if worktree is None:
                raise WorkspaceError(
                    f"branch {branch} is checked out at {_checkout_of(admin)}: switch that checkout "
                    "to another branch, Treadle must move it"
                )
            await self._git.run(worktree.place, "read-tree", "-m", "-u", *moved, is_long=True)


def _checkout_of(admin: Path) -> Path:
    """Return the folder that an administrative folder belongs to."""
    pointer = read_limited(admin / "gitdir")
    return admin.parent if pointer is None else Path(os.fsdecode(pointer).strip()).parent
