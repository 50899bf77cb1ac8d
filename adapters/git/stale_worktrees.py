"""Entries of Treadle's own worktrees whose folder is gone for good.

A restored backup has no worktrees, so the repository goes on listing those of runs that nobody asks
for any more. An entry is removed where its work is on a ref, or where it was left alone for a day:
until then the run that it belongs to is told of what is lost.
"""

import time
from collections.abc import Iterator

from adapters.git.fingerprints import read_limited
from adapters.git.repositories import Repository
from adapters.git.worktree import MADE_MARKER, Handed, Worktree
from adapters.git.worktrees import Worktrees

CLEAN_MARKER = "treadle-clean"
"""The file that says what a clean checkout is of: no work is in one."""

_ALONE_SECONDS = 24 * 3600.0


async def remove_stale_worktrees(worktrees: Worktrees, repository: Repository) -> None:
    """Remove the entries of a repository that lead nowhere; those of others' worktrees stay."""
    for worktree in list(_gone(worktrees, repository)):
        await worktrees.discard(worktree)


def _gone(worktrees: Worktrees, repository: Repository) -> Iterator[Worktree]:
    for admin in (repository.common / "worktrees").glob("*"):
        worktree = worktrees.listed(repository, admin)
        is_ours = read_limited(admin / "gitdir") == f"{worktree.path}/.git\n".encode()
        if is_ours and not worktree.has_folder and _is_over(worktree):
            yield worktree


def _is_over(worktree: Worktree) -> bool:
    """Tell whether nobody misses an entry; one with a head of its own may hold the only commit."""
    if (worktree.admin / CLEAN_MARKER).exists():
        return True
    marker = worktree.admin / MADE_MARKER
    written = read_limited(marker)
    if written is None or not (worktree.head or "").startswith("ref: "):
        return False
    is_kept = written == Handed.KEPT.encode()
    return is_kept or marker.stat().st_mtime < time.time() - _ALONE_SECONDS
