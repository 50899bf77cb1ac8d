"""Branches that begin with a thread."""

from adapters.git.commands import Git
from adapters.git.commits import Commits
from adapters.git.locks import remove_stale_lock
from adapters.git.repositories import Repositories
from adapters.git.spares import Spares
from adapters.git.stale_worktrees import remove_stale_worktrees
from adapters.git.worktrees import Worktrees, refuse_branch


class NewBranches:
    """Makes branches, once each."""

    def __init__(
        self,
        git: Git,
        repositories: Repositories,
        worktrees: Worktrees,
        commits: Commits,
        spares: Spares,
    ) -> None:
        self._git = git
        self._repositories = repositories
        self._worktrees = worktrees
        self._commits = commits
        self._spares = spares

    async def create(self, repository: str, branch: str, base: str) -> str:
        """Make a branch and return the commit of its base; one that exists is left where it is.

        Raises:
            RepositoryError: There is no such base, or there cannot be a branch of that name.
        """
        found = await self._repositories.open(repository)
        await remove_stale_worktrees(self._worktrees, found)
        ref = f"refs/heads/{branch}"
        commit = await self._commits.of(found.place, base)
        self._spares.fill(found, commit)
        async with self._repositories.lock(found):
            known = await self._git.run(
                found.place, "show-ref", "--verify", "--quiet", "--", ref, accepts=(0, 1)
            )
            if known.returncode == 0:
                return commit
            await remove_stale_lock(found, ref)
            made = await self._git.run(
                found.place, "update-ref", "--no-deref", ref, commit, "", accepts=(0, 128)
            )
        if made.returncode:
            refuse_branch(branch, made.errors)
        return commit
