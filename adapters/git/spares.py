"""Spare worktrees: made ahead and never handed out, so that a task gets one by a rename.

`git worktree add` costs a second and more for 10,000 files, and seconds on a busy disk; to take over a spare
costs what differs between its commit and the wanted one. A spare holds no work: no agent has seen it, and
whatever goes wrong with one it is thrown away. Each step of a take-over can be killed: until the worktree is
marked as made, it is as one whose `git worktree add` was killed.
"""

import asyncio
import logging
import secrets
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from adapters.disk_room import free_bytes
from adapters.files.removal import remove_tree
from adapters.git.commands import Git
from adapters.git.fingerprints import read_limited
from adapters.git.repositories import Repositories, Repository
from adapters.git.worktrees import Worktree, fix_pointers, replace_file
from domain.core.errors import TreadleError
from domain.core.workspaces import WorkspaceSpec

PREFIX = "spare-"
MARKER = "treadle-spare"
"""The file in its administrative folder that says that a spare is whole, and at which commit."""

KEPT = 4
"""Spares of a repository: as many tasks begin at once by default."""

LEAST_INDEX_BYTES = 100_000
"""About 1,000 files; below, a worktree is made as fast as one is taken over."""

LEAST_FREE_BYTES = 5 << 30
UNUSED_SECONDS = 2 * 3600.0
UNFINISHED_SECONDS = 1800.0

_LOG = logging.getLogger(__name__)


class Spares:
    """The spare worktrees of all repositories of this host."""

    def __init__(self, git: Git, repositories: Repositories, data_dir: Path) -> None:
        self._git = git
        self._repositories = repositories
        self._folder = data_dir / "worktrees"
        self._filling: dict[str, asyncio.Task[None]] = {}
        self._one_at_a_time = asyncio.Lock()

    async def take(self, worktree: Worktree, spec: WorkspaceSpec) -> bool:
        """Turn a spare into a worktree at the start of a spec, on a new branch or detached.

        The caller holds the repository's lock. False where there is none, or the branch exists already.

        Raises:
            RepositoryError: The repository's metadata is not trusted, or objects are missing.
        """
        repository = worktree.repository
        spare = next(self._whole(repository), None)
        if spare is None:
            return False
        start = await self._start(repository, spec)
        if start is None:
            return False
        at = (read_limited(spare.admin / MARKER) or b"").decode()
        spare.admin.rename(worktree.admin)
        (worktree.admin / MARKER).unlink()
        spare.path.rename(worktree.path)
        fix_pointers(worktree)
        if start != at:
            await self._git.run(worktree.place, "read-tree", "-m", "-u", at, start, is_long=True)
        if spec.branch is None:
            replace_file(worktree.admin / "HEAD", f"{start}\n")
            return True
        ref = f"refs/heads/{spec.branch}"
        await self._git.run(repository.place, "update-ref", "--no-deref", ref, start, "")
        replace_file(worktree.admin / "HEAD", f"ref: {ref}\n")
        return True

    async def _start(self, repository: Repository, spec: WorkspaceSpec) -> str | None:
        """Return the commit that a spec's worktree starts at; None where its branch exists, or it does not."""
        names = (f"refs/heads/{spec.branch or ''}", spec.begins_with or spec.base)
        asked = "".join(f"{name}^{{commit}}\n" for name in names)
        answer = await self._git.run(
            repository.place, "cat-file", "--batch-check", stdin=asked.encode()
        )
        branch, start = answer.output.text().splitlines()
        has_branch = spec.branch is not None and not branch.endswith(" missing")
        return None if has_branch or start.endswith(" missing") else start.split(" ")[0]

    def fill(self, repository: Repository, commit: str) -> None:
        """Begin to make spares at a commit, up to KEPT, where that pays; returns at once."""
        if not _pays(repository):
            return
        running = self._filling.get(repository.name)
        if running is None or running.done():
            filling = asyncio.create_task(self._fill(repository, commit), name="spare-worktrees")
            self._filling[repository.name] = filling

    async def filled(self) -> None:
        """Wait until no spare is being made."""
        await asyncio.gather(*self._filling.values())

    async def _fill(self, repository: Repository, commit: str) -> None:
        """Make spares one after the other; what goes wrong costs a spare, and nothing else."""
        try:
            async with self._one_at_a_time:
                await self.sweep(repository)
                while len(list(self._whole(repository))) < KEPT:
                    if free_bytes(self._folder) < LEAST_FREE_BYTES:
                        return
                    await self._make(repository, commit)
        except (TreadleError, OSError) as error:
            _LOG.info("no spare worktree", extra={"reason": str(error)})

    async def _make(self, repository: Repository, commit: str) -> None:
        spare = Worktree(repository, self._place(repository) / f"{PREFIX}{secrets.token_hex(4)}")
        spare.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        add = ("worktree", "add", "--quiet", "--no-checkout", "--detach", "--end-of-options")
        try:
            async with self._repositories.lock(repository):
                await self._git.run(repository.place, *add, str(spare.path), commit, is_long=True)
            await self._git.run(spare.place, "reset", "--hard", "--quiet", is_long=True)
            oid = await self._git.line(spare.place, "rev-parse", "HEAD")
        except (TreadleError, OSError):
            await self._discard(spare)
            raise
        replace_file(spare.admin / MARKER, oid)

    async def sweep(self, repository: Repository) -> None:
        """Throw away what was not used for long, and what a killed worker left half-made."""
        for spare in list(self._all(repository)):
            if _is_stale(spare):
                await self._discard(spare)

    async def _discard(self, spare: Worktree) -> None:
        """Remove a spare, its folder first: an entry without a folder is removed when it is found again."""
        await asyncio.to_thread(remove_tree, spare.path)
        async with self._repositories.lock(spare.repository):
            await asyncio.to_thread(remove_tree, spare.admin)

    def _whole(self, repository: Repository) -> Iterator[Worktree]:
        return (s for s in self._all(repository) if s.has_folder and (s.admin / MARKER).is_file())

    def _all(self, repository: Repository) -> Iterator[Worktree]:
        """Yield all of a repository, by their entries and by their folders."""
        entries = (repository.common / "worktrees").glob(f"{PREFIX}*")
        folders = self._place(repository).glob(f"{PREFIX}*")
        ours = {folder.name for folder in folders}
        for name in sorted(
            ours | {entry.name for entry in entries if self._is_ours(entry, repository)}
        ):
            yield Worktree(repository, self._place(repository) / name)

    def _is_ours(self, entry: Path, repository: Repository) -> bool:
        """Tell an entry of this data folder from another's, which may be on the same repository."""
        pointer = f"{self._place(repository) / entry.name}/.git\n"
        return read_limited(entry / "gitdir") == pointer.encode()

    def _place(self, repository: Repository) -> Path:
        return self._folder / repository.name


def _pays(repository: Repository) -> bool:
    with suppress(OSError):
        return (repository.common / "index").stat().st_size >= LEAST_INDEX_BYTES
    return False


def _is_stale(spare: Worktree) -> bool:
    marker = spare.admin / MARKER
    found, limit = (
        (marker, UNUSED_SECONDS) if marker.exists() else (spare.admin, UNFINISHED_SECONDS)
    )
    if not spare.has_folder or not found.exists():
        return True
    return found.stat().st_mtime < time.time() - limit
