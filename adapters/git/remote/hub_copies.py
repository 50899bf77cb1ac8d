"""Copies of threads to a hub as work goes on: noted on the disk, pushed behind the turns, tried again.

A push that fails never fails a turn. The people of a thread are told when its work has been on this host only
for some time, and when another host has taken the thread over.
"""

import asyncio
import hashlib
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from adapters.git.remote.found import Found
from adapters.git.remote.hub import FencedError, Hub, NotCopiedError
from adapters.git.remote.hub_records import HubCopy, HubRecords
from adapters.git.remote.mirrors import Mirrors
from domain.core.errors import RepositoryError, TreadleError
from domain.core.ids import ThreadId, is_thread, slug
from domain.core.remote_repositories import SCHEMES, is_remote, pinned, read_remote
from domain.core.workspaces import WorkspaceSpec

_LOG = logging.getLogger(__name__)
_FIRST_PAUSE, _LONGEST_PAUSE = 2.0, 300.0

_SOON = 20.0
"""How long an activity waits in seconds until its work is on the hub."""

Tell = Callable[[ThreadId, str], Awaitable[None]]
Ask = Callable[[ThreadId], Awaitable[int]]


async def _never(thread_id: ThreadId) -> int:
    """Say that no thread moves."""
    del thread_id
    return 0


@dataclass(frozen=True)
class HubChoice:
    """The hub: a URL, or where it is empty the origin of each thread's URL; when people are told of failures."""

    url: str = ""
    warn_after: timedelta = timedelta(minutes=10)


class HubCopies:
    """Keeps copies of this host's threads on a hub."""

    def __init__(
        self,
        hub: Hub,
        mirrors: Mirrors,
        data_dir: Path,
        choice: HubChoice,
        tell: Tell,
        *,
        moves_here: Ask = _never,
    ) -> None:
        self._hub = hub
        self._mirrors = mirrors
        self._records = HubRecords(data_dir)
        self._choice = choice
        self._tell = tell
        self._moves_here = moves_here
        self._changed = asyncio.Event()
        self._locks = defaultdict[tuple[str, str], asyncio.Lock](asyncio.Lock)
        self._dirty: set[tuple[str, str]] | None = None  # all, at first
        self._names: dict[tuple[str, str], str] = {}

    def copy_of(self, thread_id: ThreadId, repository: str) -> HubCopy | None:
        """Return the copy of a thread's repository, None if it has none: a hub needs a name for it."""
        if not is_thread(thread_id) or not thread_id.startswith(("thread-", "flow-")):
            return None
        remote = pinned(repository)
        url = self._choice.url or (remote.url if remote else "")
        if not url or (is_remote(repository) and remote is None):
            return None
        digest = hashlib.sha256(repository.encode()).hexdigest()[:12]
        root = str(self._mirrors.place_of(remote)) if remote else repository
        key = remote.key if remote else f"{slug(Path(repository).name)}-{digest}"
        return HubCopy(thread_id=thread_id, root=root, key=key, url=url)

    def note(self, thread_id: ThreadId, repository: str, *, is_removed: bool = False) -> None:
        """Note that a thread's refs in a repository may have changed, or that it was removed."""
        copy = self.copy_of(thread_id, repository)
        if copy is None:
            return
        known = self._records.of(copy)
        if known is None and is_removed:
            return
        if known is None or is_removed:
            update = {"is_removed": is_removed}
            self._records.keep((known or copy).model_copy(update=update))
        self._note(copy)
        self._changed.set()

    def _note(self, copy: HubCopy) -> None:
        if self._dirty is not None:
            self._dirty.add((copy.thread_id, copy.key))

    async def keep_copying(self) -> None:
        """Push what was noted, also before the last start; until it is cancelled."""
        pause = _FIRST_PAUSE
        while True:
            self._changed.clear()
            pause = _FIRST_PAUSE if await self.copy_all() else min(pause * 2, _LONGEST_PAUSE)
            try:
                async with asyncio.timeout(None if pause == _FIRST_PAUSE else pause):
                    await self._changed.wait()
            except TimeoutError:
                continue

    async def copy_all(self) -> bool:
        """Push each copy that may have changed once; tells whether all that can be is on the hub."""
        dirty, self._dirty = self._dirty, set()
        is_whole = True
        for copy in self._records.every():
            is_due = dirty is None or (copy.thread_id, copy.key) in dirty
            if is_due and not await self._copy_newest(copy):
                self._note(copy)
                is_whole = False
        return is_whole

    async def copy_now(self, thread_id: ThreadId, repository: str) -> None:
        """Push a thread's work before anybody hears of it.

        What fails, or takes long, is left to `keep_copying`, and so is all while the hub is away.
        """
        copy = self.copy_of(thread_id, repository)
        known = self._records.of(copy) if copy else None
        if known is None or known.failing_since is not None:
            return
        with suppress(TimeoutError, TreadleError, OSError):
            async with asyncio.timeout(_SOON):
                await self._copy_newest(known)

    async def copy_work(self, place: WorkspaceSpec) -> None:
        """Push what a workspace has committed, as `copy_now`; its thread was brought here before."""
        for root in (place.repository, *(one.repository for one in place.beside)):
            await self.copy_now(place.thread_id, self._names.get((place.thread_id, root), root))

    def has_all(self, thread_id: str) -> bool:
        """Tell whether all that was noted of a thread is on the hub."""
        mine = [copy for copy in self._records.every() if copy.thread_id == thread_id]
        dirty = self._dirty
        return dirty is not None and all(
            copy.failing_since is None and (copy.thread_id, copy.key) not in dirty for copy in mine
        )

    async def bring(self, thread_id: ThreadId, repository: str) -> None:
        """Take a thread over that has moved to this host, and bring its work here; done once.

        Raises:
            TreadleError: The hub cannot be reached, or another host takes it at the same time.
        """
        copy = self.copy_of(thread_id, repository)
        if copy is None or not is_remote(repository):
            return
        self._names[thread_id, copy.root] = repository
        async with self._lock_of(copy):
            known = self._records.of(copy) or copy
            moves = await self._moves_here(thread_id)
            if moves <= known.moves:
                return
            await self._mirrors.checkout(Found(read_remote(repository, SCHEMES)))
            try:
                mine = await self._hub.take_over(known)
            except NotCopiedError:  # it moved while it was opened
                mine = known
            self._records.keep(mine.model_copy(update={"is_fenced": False, "moves": moves}))

    def moved_copy(self, thread_id: ThreadId, repository: str) -> HubCopy | None:
        """Return the copy of a repository whose thread has moved to this host; None for any other."""
        name = self._names.get((thread_id, repository), repository)
        copy = self.copy_of(thread_id, name)
        known = self._records.of(copy) if copy else None
        return known if known and known.moves else None

    def _lock_of(self, copy: HubCopy) -> asyncio.Lock:
        return self._locks[copy.thread_id, copy.key]

    async def _copy_newest(self, copy: HubCopy) -> bool:
        async with self._lock_of(copy):
            newest = self._records.of(copy)
            return newest is None or newest.is_fenced or await self._copy(newest)

    async def _copy(self, copy: HubCopy) -> bool:
        try:
            if copy.is_removed:
                await self._hub.remove(copy, await self._mirrors.any_git_folder())
                self._records.forget(copy)
                return True
            done = await self._hub.push(copy)
        except FencedError as error:
            self._records.keep(copy.model_copy(update={"is_fenced": True}))
            await self._tell(copy.thread_id, error.message)
            return True
        except RepositoryError as error:
            if not await asyncio.to_thread(Path(copy.root).is_dir):  # it went with its last thread
                self._records.forget(copy)
                return True
            return await self._failed(copy, error.message)
        except (TreadleError, OSError) as error:
            return await self._failed(copy, str(error))
        done = done.model_copy(update={"failing_since": None, "is_told": False})
        if done != copy:
            self._keep(done)
        return True

    async def _failed(self, copy: HubCopy, why: str) -> bool:
        now = datetime.now(UTC)
        since = copy.failing_since or now
        _LOG.warning("not copied to the hub", extra={"stream": copy.thread_id, "reason": why})
        is_late = now - since >= self._choice.warn_after
        if is_late and not copy.is_told:
            await self._tell(
                copy.thread_id,
                f"the work has been on this host only since {since:%H:%M} UTC, because it cannot be copied "
                f"to the hub; that is tried again. {why}",
            )
        told = copy.is_told or is_late
        self._keep(copy.model_copy(update={"failing_since": since, "is_told": told}))
        return False

    def _keep(self, copy: HubCopy) -> None:
        """Write a copy down, unless its thread was removed meanwhile."""
        known = self._records.of(copy)
        is_removed = known is not None and known.is_removed
        self._records.keep(copy.model_copy(update={"is_removed": is_removed}))
