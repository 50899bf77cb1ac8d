"""Lock files that a killed git left: removed only when no git is alive that could hold them.

Two attempts of Treadle's never meet here (fence, repository lock). What else may hold a lock is a
git of an agent or a person, or one that a killed worker left behind for some moments.
"""

import asyncio
import os
from collections.abc import Sequence
from pathlib import Path

import psutil

from adapters.git.repositories import Repository
from domain.core.errors import WorkspaceError

_PATIENCE_SECONDS = 10.0
_POLL_SECONDS = 0.05


async def clear_stale(lock: Path, folders: Sequence[Path]) -> None:
    """Remove a lock file that nobody holds; waits for a git that works in one of the folders.

    Raises:
        WorkspaceError: A git goes on holding it.
    """
    loop = asyncio.get_running_loop()
    deadline = loop.time() + _PATIENCE_SECONDS
    while (holder := _free(lock, folders)) is not None:
        if loop.time() >= deadline:
            raise WorkspaceError(f"git (process {holder}) may hold {lock}: wait for it or end it")
        await asyncio.sleep(_POLL_SECONDS)


async def remove_stale_lock(repository: Repository, ref: str) -> None:
    """Remove the lock that a killed git left on one of Treadle's refs.

    No git of ours is alive that could hold it: the caller has the repository's lock, or the ref is
    of a workspace that one attempt at a time works in.
    """
    await clear_stale(repository.common / f"{ref}.lock", (repository.root, repository.common))


def _free(lock: Path, folders: Sequence[Path]) -> int | None:
    """Remove a lock; returns the process that may hold it, if there is one: then it stays."""
    if not lock.exists():
        return None
    holder = _git_in([str(folder) for folder in folders])
    if holder is None:
        lock.unlink(missing_ok=True)
    return holder


def _git_in(folders: list[str]) -> int | None:
    """Return a process of git that works in one of the folders, this worker's own ones aside."""
    for process in psutil.process_iter(["name", "cwd", "ppid"]):
        name, cwd = process.info["name"] or "", process.info["cwd"] or ""
        if not name.startswith("git") or process.info["ppid"] == os.getpid():
            continue
        if any(cwd == folder or cwd.startswith(f"{folder}/") for folder in folders):
            return process.pid
    return None
