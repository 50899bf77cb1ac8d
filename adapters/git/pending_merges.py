"""Merges under way in a worktree, for a person or an agent to resolve what conflicts."""

from contextlib import suppress
from pathlib import Path

from adapters.git.commands import Git, GitPlace
from adapters.git.trees import Trees
from domain.core.errors import RepositoryError
from domain.core.workspaces import MergeCandidate

OURS = "treadle-merging"
"""The file that says that a merge was begun for a turn to resolve, not by its agent."""

_FILES = ("MERGE_HEAD", "MERGE_MODE", "MERGE_MSG", "AUTO_MERGE", OURS)
_MAX_MERGES = 20


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
            accepts=(0, 1, 2),
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

    async def is_begun(self, place: GitPlace, commit: str) -> bool:
        """Tell whether a commit is being merged into a head, or is in it already."""
        return _is_under_way(place) or not await self.parents(place, commit, "HEAD")

    async def unresolved(
        self, place: GitPlace, merge: MergeCandidate, base: str, commit: str | None
    ) -> tuple[str, ...]:
        """Return the files that still hold the markers of merging a commit into a base.

        Where the merge is in a commit, its other side is what that was made from.
        """
        if commit is None:
            return ()
        made = await self.made_since(place, merge.commit, commit)
        ours = next((one for one, other in made if other == commit), base)
        merged = await self._trees.merge(place, ours, commit)
        return await self._trees.marked(place, merge.tree, merged)

    async def left_in(self, place: GitPlace, commit: str, branch: str) -> tuple[str, ...]:
        """Return the files of a commit with markers of the merges in it that a branch has not."""
        for ours, theirs in await self.made_since(place, commit, branch):
            merged = await self._trees.merge(place, ours, theirs)
            if left := await self._trees.marked(place, f"{commit}^{{tree}}", merged):
                return left
        return ()

    async def made_since(self, place: GitPlace, commit: str, known: str) -> list[tuple[str, str]]:
        """Return both sides of the merges that are in a commit and not in another, the newest first."""
        listed = await self._git.run(
            place,
            *("rev-list", "--merges", "--parents", f"--max-count={_MAX_MERGES}"),
            *("--end-of-options", commit, f"^{known}"),
        )
        sides = (line.split()[1:3] for line in listed.output.text().splitlines())
        return [(ours, theirs) for ours, theirs in sides]


def _is_under_way(place: GitPlace) -> bool:
    return Path(place.environment["GIT_DIR"], _FILES[0]).exists()
