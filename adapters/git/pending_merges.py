"""Merges under way in a worktree, for a person or an agent to resolve what conflicts."""

from contextlib import suppress
from pathlib import Path

from adapters.git.commands import Git, GitPlace
from adapters.git.trees import Trees
from domain.core.errors import RepositoryError

_FILES = ("MERGE_HEAD", "MERGE_MODE", "MERGE_MSG", "AUTO_MERGE")


class PendingMerges:
    """Begins merges in worktrees and sees them into their commits."""

    def __init__(self, git: Git) -> None:
        self._git = git
        self._trees = Trees(git)

    async def begin(self, place: GitPlace, commit: str) -> None:
        """Merge a commit and commit nothing: what conflicts is marked.

        Raises:
            RepositoryError: There is no such commit.
        """
        done = await self._git.run(
            place,
            *("-c", "rerere.enabled=false", "merge", "--no-commit", "--no-ff", "--quiet"),
            *("--no-stat", "--end-of-options", commit),
            accepts=(0, 1),
            is_long=True,
        )
        if done.returncode and not _is_under_way(place):
            raise RepositoryError(f"{commit} cannot be merged: {done.errors.strip()}")

    async def parents(self, place: GitPlace, commit: str | None, head: str) -> tuple[str, ...]:
        """Return which parent, beside the head, the next commit must have."""
        if commit is None:
            return ()
        asked = await self._git.run(
            place,
            *("merge-base", "--is-ancestor", "--end-of-options", commit, head),
            accepts=(0, 1),
        )
        return (commit,) if asked.returncode else ()

    def end(self, admin: Path) -> None:
        """Have git see no merge under way any more in a worktree: it is in a commit."""
        for name in _FILES:
            with suppress(OSError):  # an agent can put what it likes in their place
                (admin / name).unlink()

    async def unresolved(
        self, place: GitPlace, tree: str, base: str, commit: str | None
    ) -> tuple[str, ...]:
        """Return the files of a tree that still hold the markers of merging a commit into a base."""
        if commit is None:
            return ()
        merged = await self._trees.merge(place, base, commit)
        return await self._trees.marked(place, tree, merged)


def _is_under_way(place: GitPlace) -> bool:
    return Path(place.environment["GIT_DIR"], _FILES[0]).exists()
