"""Merges that a chat's turn resolves, begun in its worktree."""

from adapters.git.commands import Git
from adapters.git.pending_merges import OURS, PendingMerges
from adapters.git.salvage import Salvage
from adapters.git.worktree import Worktree, replace_file
from adapters.git.worktrees import Fitting
from domain.core.workspaces import WorkspaceKind, WorkspaceSpec


class TurnMerges:
    """Begins them, and takes out those that were left."""

    def __init__(
        self, git: Git, salvage: Salvage, pending: PendingMerges, fitting: Fitting
    ) -> None:
        self._git = git
        self._salvage = salvage
        self._pending = pending
        self._fitting = fitting

    async def with_merge(self, worktree: Worktree, spec: WorkspaceSpec) -> Worktree:
        """Begin the merge in a chat's worktree that one of its turns resolves.

        One that its turn left, for it came to no commit, is taken out for the next one. What is on no
        commit there, as a begin that was killed leaves it, is on a hidden ref before.
        """
        marker, commit = worktree.admin / OURS, spec.merging
        is_left = commit is None and marker.exists()
        if spec.kind is not WorkspaceKind.CHAT or (commit is None and not is_left):
            return worktree
        if commit is not None and await self._pending.is_begun(worktree.place, commit):
            return worktree
        await self._salvage.keep(worktree)
        await self._git.run(worktree.place, "reset", "--hard", "--quiet", is_long=True)
        self._pending.end(worktree.admin)
        if commit is not None:
            replace_file(marker, commit)
            await self._pending.begin(worktree.place, commit)
        await self._fitting.complete(worktree)
        return worktree
