"""Spare worktrees: made ahead and never handed out, so that a task gets one by a rename.

`git worktree add` costs a second and more for 10,000 files, and seconds on a busy disk; to take over a spare
costs what differs between its commit and the wanted one. A spare holds no work: no agent has seen it, and
whatever goes wrong with one it is thrown away. Clean checkouts that were used are made as new. Each step of a take-over can be killed: until the worktree is
marked as made, it is as one whose `git worktree add` was killed.
"""

import asyncio
import contextvars
import hashlib
import logging
import os
import secrets
import time
from collections import defaultdict
from collections.abc import Coroutine, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from adapters.disk_room import free_bytes
from adapters.files.removal import remove_tree
from adapters.git.commands import Git
from adapters.git.fingerprints import read_limited
from adapters.git.recycling import make_as_new
from adapters.git.repositories import Repositories, Repository
from adapters.git.worktree import Worktree, fix_pointers, replace_file
from domain.core.errors import TreadleError
from domain.core.workspaces import WorkspaceSpec

PREFIX = "spare-"
MARKER = "treadle-spare"
"""The file in its administrative folder that says that a spare is whole, and at which commit."""

USED_PREFIX = "used-"
"""The folders of checkouts that wait to be made as new."""

KEPT = 8
"""Spares of a repository: four tasks begin at once by default, and are verified on a checkout each."""

QUIET_SECONDS = 20.0
"""How long none was taken before new ones are made: what took them has the machine first."""

LEAST_INDEX_BYTES = 100_000
"""About 1,000 files; below, a worktree is made as fast as one is taken over."""

LEAST_FREE_BYTES = 5 << 30
UNUSED_SECONDS = 2 * 3600.0
UNFINISHED_SECONDS = 1800.0
SWEEP_SECONDS = 900.0

_LOG = logging.getLogger(__name__)


class Spares:
    """The spare worktrees of all repositories of this host."""

    def __init__(self, git: Git, repositories: Repositories, data_dir: Path) -> None:
        self._git = git
        self._repositories = repositories
        self._folder = data_dir / "worktrees"
        # a killed git may leave an entry that says nothing but its name, of a repository with two data folders
        self._owner = f"{hashlib.sha256(str(self._folder).encode()).hexdigest()[:8]}-"
        self._prefix = f"{PREFIX}{self._owner}"
        self._used = defaultdict[str, asyncio.Queue[Path]](asyncio.Queue)
        self._quiet_at = 0.0
        self._filling: dict[str, asyncio.Task[None]] = {}
        self._one_at_a_time = asyncio.Lock()
        self.is_held = False
        """Whether none is made: the disk has no room for what nobody waits for."""

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
        self._quiet_at = time.monotonic() + QUIET_SECONDS
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

    def reuse(self, repository: Repository, folder: Path, commit: str) -> bool:
        """Take the folder of a used checkout, which becomes a spare at a commit; False where none lacks."""
        used = self._used[repository.name]
        is_lacking = len(list(self._whole(repository))) + used.qsize() < KEPT
        if repository.index_bytes < LEAST_INDEX_BYTES or not is_lacking or self.is_held:
            return False
        kept = folder.with_name(f"{USED_PREFIX}{self._owner}{secrets.token_hex(4)}")
        folder.rename(kept)
        os.utime(kept)
        used.put_nowait(kept)
        self.fill(repository, commit)
        return True

    def fill(self, repository: Repository, commit: str) -> None:
        """Begin to make spares at a commit, up to KEPT, where that pays; returns at once."""
        running = self._filling.get(repository.name)
        pays = repository.index_bytes >= LEAST_INDEX_BYTES and not self.is_held
        if pays and (running is None or running.done()):
            self._filling[repository.name] = _in_background(self._fill(repository, commit))

    async def filled(self) -> None:
        """Wait until no spare is being made."""
        await asyncio.gather(*self._filling.values())

    async def _fill(self, repository: Repository, commit: str) -> None:
        """Make spares one after the other; what goes wrong costs a spare, and nothing else."""
        is_lacking = True
        while is_lacking:
            used = await self._next_used(repository)
            making = self._repositories.lock_named(f"{repository.name}.spares")
            try:
                async with self._one_at_a_time, making:
                    await self._sweep(repository)
                    is_lacking = len(list(self._whole(repository))) < KEPT
                    if is_lacking and self._has_room:
                        await self._make(repository, commit, used)
                    else:
                        is_lacking = not self._used[repository.name].empty()
            except (TreadleError, OSError) as error:
                is_lacking = False
                _LOG.info("no spare worktree", extra={"reason": str(error)})
            finally:
                if used is not None:
                    await asyncio.to_thread(remove_tree, used)

    @property
    def _has_room(self) -> bool:
        return not self.is_held and free_bytes(self._folder) >= LEAST_FREE_BYTES

    async def _next_used(self, repository: Repository) -> Path | None:
        """Return the next folder of a used checkout; None once none was taken for a while."""
        used, quiet = self._used[repository.name], self._quiet_at - time.monotonic()
        with suppress(TimeoutError, asyncio.QueueEmpty):
            return used.get_nowait() if quiet <= 0 else await asyncio.wait_for(used.get(), quiet)
        return None

    async def _make(self, repository: Repository, commit: str, used: Path | None) -> None:
        spare = Worktree(
            repository, self._place(repository) / f"{self._prefix}{secrets.token_hex(4)}"
        )
        spare.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        add = ("worktree", "add", "--quiet", "--no-checkout", "--detach", "--end-of-options")
        try:
            async with self._repositories.lock(repository):
                await self._git.run(repository.place, *add, str(spare.path), commit, is_long=True)
            if used is None:
                await self._git.run(spare.place, "reset", "--hard", "--quiet", is_long=True)
            else:
                await make_as_new(self._git, used, spare)
            oid = await self._git.line(spare.place, "rev-parse", "HEAD")
        except (TreadleError, OSError):
            await self._discard(spare.path, spare.admin)
            raise
        replace_file(spare.admin / MARKER, oid)

    async def _sweep(self, repository: Repository) -> None:
        """Throw away what of a repository is stale or half-made: nobody makes any, as the caller has the lock."""
        for spare in list(self._all(repository)):
            if not (spare.admin / MARKER).exists() or _is_stale(spare.path, spare.admin):
                await self._discard(spare.path, spare.admin)

    async def keep_sweeping(self) -> None:
        """Throw away what is not used, now and from time to time."""
        while True:
            try:
                await self.sweep_unused()
            except OSError as error:
                _LOG.info("spare worktrees stay", extra={"reason": str(error)})
            await asyncio.sleep(SWEEP_SECONDS)

    async def sweep_unused(self) -> None:
        """Throw away what was not used for long, of all repositories, and what a killed worker left half-made."""
        for path in list(self._folder.glob(f"*/{USED_PREFIX}*")):
            if path.stat().st_mtime < time.time() - UNFINISHED_SECONDS:
                await asyncio.to_thread(remove_tree, path)
        for path in list(self._folder.glob(f"*/{PREFIX}*")):
            admin = admin_of(path)
            if admin is not None and _is_stale(path, admin):
                await self._discard(path, admin)

    async def discard(self, path: Path) -> bool:
        """Throw away the spare in a folder, so that there is room; False where it was taken meanwhile."""
        admin = admin_of(path)
        if admin is None:
            return False
        await self._discard(path, admin)
        return True

    async def _discard(self, path: Path, admin: Path) -> None:
        """Remove a spare, unless it was taken meanwhile: without its marker none is taken any more."""
        async with self._repositories.lock_named(path.parent.name):
            (admin / MARKER).unlink(missing_ok=True)
        await asyncio.to_thread(remove_tree, path)
        async with self._repositories.lock_named(path.parent.name):
            await asyncio.to_thread(remove_tree, admin)

    def _whole(self, repository: Repository) -> Iterator[Worktree]:
        return (s for s in self._all(repository) if s.has_folder and (s.admin / MARKER).is_file())

    def _all(self, repository: Repository) -> Iterator[Worktree]:
        """Yield all of a repository, by their entries and by their folders."""
        entries = (repository.common / "worktrees").glob(f"{self._prefix}*")
        folders = self._place(repository).glob(f"{self._prefix}*")
        for name in sorted({each.name for each in (*entries, *folders)}):
            yield Worktree(repository, self._place(repository) / name)

    def _place(self, repository: Repository) -> Path:
        return self._folder / repository.name


def admin_of(path: Path) -> Path | None:
    """Return the administrative folder that the pointer in a spare names; None where it is not one's."""
    pointer = read_limited(path / ".git") or b""
    admin = Path(pointer.decode("utf-8", "replace").removeprefix("gitdir: ").strip())
    return admin if (admin.parent.name, admin.name) == ("worktrees", path.name) else None


def _is_stale(path: Path, admin: Path) -> bool:
    marker = admin / MARKER
    found, limit = (marker, UNUSED_SECONDS) if marker.exists() else (admin, UNFINISHED_SECONDS)
    if not path.is_dir() or not found.exists():
        return True
    return found.stat().st_mtime < time.time() - limit


def _in_background(work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
    """Begin work of nobody's: children that it starts belong to no workspace, and no fence ends them."""
    return asyncio.create_task(work, name="spare-worktrees", context=contextvars.Context())
