"""The fence: of all attempts on a workspace only the newest one's processes run and write.

One folder a workspace. A file in it, named by a number, says who holds the workspace; a newer
attempt takes it by making the next number, which succeeds for one taker only and needs no lock that
a stopped worker could keep. Every process started for the workspace has the folder's pipe open, so
the kernel knows whether one is left. A child opens the pipe first and then looks whether its number
is still the newest, before it becomes the program; a taker makes its number first and then ends
whoever has the pipe open. So whatever moment a worker is stopped or cut off at, its children either
are found by the taker or find out themselves.
"""

import asyncio
import logging
import os
import secrets
import shutil
import signal
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from pydantic import ValidationError

from adapters.processes.presence import is_deserted, present
from adapters.processes.run_ledger import (
    ProcessIdentity,
    boot_id,
    is_past_its_end,
    this_process,
)
from domain.core.errors import SupersededError, WorkspaceError
from domain.core.wire import Wire
from domain.core.workspaces import Claim

KEPT_FD = 9
"""Where a child has the pipe; bubblewrap's first process keeps it where no agent can close it."""

_SUPERSEDED = 113
_GUARD = f"""
exec {KEPT_FD}<>"$1" 8<&{KEPT_FD} && [ ! -e "$3" ] && [ -e "$2" ] || exit {_SUPERSEDED}
shift 3
exec "$@"
"""
_PIPE = "present"
_END_SECONDS = 10.0
_TRACED_SECONDS = 2.0
_FIRST_PAUSE = 0.002
_LONGEST_PAUSE = 0.05
_TOMBSTONE_SECONDS = 7 * 24 * 3600

logger = logging.getLogger(__name__)


class Holder(Wire):
    """Who holds a workspace: which attempt, in which worker, in which boot of the machine."""

    claim: Claim
    worker: ProcessIdentity
    boot_id: str

    def goes_on_from(self, earlier: "Holder") -> bool:
        """Tell whether this follows the same worker's own, so that an idle agent may stay."""
        is_same_worker = (self.worker, self.boot_id) == (earlier.worker, earlier.boot_id)
        return is_same_worker and self.claim.attempt == 1


def fence_folder(fences: Path, workspace_id: str) -> Path:
    """Return the folder of a workspace's fence."""
    return fences / sha256(workspace_id.encode()).hexdigest()[:24]


def run_prefix(folder: Path) -> str:
    """Return what the run ids of a workspace's children begin with, by its fence's folder."""
    return sha256(os.fsencode(folder.resolve())).hexdigest()[:24]


@dataclass(frozen=True)
class HeldFence:
    """A workspace taken: what binds children to it, and whether it is still held."""

    folder: Path
    number: int

    @property
    def name(self) -> str:
        """What the run ids of the workspace's children begin with.

        It names the data folder too: another engine's workspace of the same id is another matter.
        """
        return run_prefix(self.folder)

    def guarded(self, argv: tuple[str, ...]) -> tuple[str, ...]:
        """Return the arguments that start `argv` unless a newer attempt holds the workspace."""
        own, newer = (str(self.folder / str(n)) for n in (self.number, self.number + 1))
        return ("/bin/sh", "-c", _GUARD, "treadle", str(self.folder / _PIPE), own, newer, *argv)

    def refuse_stale(self) -> None:
        """Do nothing while no newer attempt took the workspace over.

        Raises:
            SupersededError: One did.
        """
        # in this order: numbers are removed oldest first, so one that is gone was superseded before
        is_newest = not (self.folder / str(self.number + 1)).exists()
        if not is_newest or not (self.folder / str(self.number)).exists():
            raise SupersededError("a newer attempt took this workspace over")


_held: ContextVar[HeldFence | None] = ContextVar("fence", default=None)


def held_fence() -> HeldFence | None:
    """Return the fence that the running activity holds; the spawner binds every child to it."""
    return _held.get()


def refuse_stale() -> None:
    """Do nothing while the running activity holds its workspace, or has none.

    Raises:
        SupersededError: A newer attempt took the workspace over.
    """
    if fence := _held.get():
        fence.refuse_stale()


class WorkspaceFences:
    """The `Fences` port on files of the data folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._boot_id = boot_id()
        self._worker = this_process()
        _forget_released(folder)

    @asynccontextmanager
    async def held(self, workspace_id: str, claim: Claim) -> AsyncGenerator[HeldFence]:
        """Take a workspace for an attempt; see the port."""
        folder = fence_folder(self._folder, workspace_id)
        folder.mkdir(exist_ok=True, mode=0o700)
        with suppress(FileExistsError):
            os.mkfifo(folder / _PIPE, 0o600)
        fence = await self._take(folder, claim)
        token = _held.set(fence)
        try:
            yield fence
        finally:
            _held.reset(token)

    def is_released(self, workspace_id: str) -> bool:
        """Tell whether a workspace was given up; see the port."""
        folder = fence_folder(self._folder, workspace_id)
        holder = _newest(folder)[1] if folder.is_dir() else None
        return holder is not None and holder.claim.is_release

    async def _take(self, folder: Path, claim: Claim) -> HeldFence:
        mine = Holder(claim=claim, worker=self._worker, boot_id=self._boot_id)
        while True:
            number, holder = _newest(folder)
            _refuse_older(holder, mine)
            if _make(folder, number + 1, mine):
                break
        _remove_up_to(folder, number)
        fence = HeldFence(folder, number + 1)
        if holder is None or not mine.goes_on_from(holder):
            await _end_all(fence)
        return fence


def _refuse_older(holder: Holder | None, mine: Holder) -> None:
    if holder is None or holder.claim.rank < mine.claim.rank or holder == mine:
        return
    raise SupersededError(
        f"a newer attempt holds this workspace: {holder.claim.rank} of process "
        f"{holder.worker.pid}, this one is {mine.claim.rank}"
    )


def _newest(folder: Path) -> tuple[int, Holder | None]:
    """Return the newest number and its holder; 0 and None before the first."""
    while True:
        number = max((int(n) for n in os.listdir(folder) if n.isdecimal()), default=0)  # noqa: PTH208 - names are all it takes
        if number == 0:
            return 0, None
        try:
            return number, Holder.model_validate_json((folder / str(number)).read_bytes())
        except FileNotFoundError:
            continue  # superseded meanwhile
        except ValidationError:
            return number, None  # torn when the power went: nothing of that time is alive


def _make(folder: Path, number: int, holder: Holder) -> bool:
    """Make a number, whole, unless somebody else did."""
    path, draft = folder / str(number), folder / f".{secrets.token_hex(4)}"
    draft.write_text(holder.model_dump_json())
    try:
        path.hardlink_to(draft)
    except FileExistsError:
        return False
    finally:
        draft.unlink()
    if _newest(folder)[0] == number:
        return True
    path.unlink(missing_ok=True)  # made too late: it had been made, superseded and removed before
    return False


def _remove_up_to(folder: Path, number: int) -> None:
    """Remove superseded numbers, the oldest first: see `refuse_stale`."""
    old = sorted(int(name) for name in os.listdir(folder) if name.isdecimal())  # noqa: PTH208 - as above
    for one in old:
        if one <= number:
            (folder / str(one)).unlink(missing_ok=True)


def _forget_released(fences: Path) -> None:
    """Remove what was released a week ago: no attempt on it can come back any more."""
    oldest = time.time() - _TOMBSTONE_SECONDS
    for folder in (entry for entry in fences.iterdir() if entry.is_dir()):
        number, holder = _newest(folder)
        is_released = holder is not None and holder.claim.is_release
        if is_released and (folder / str(number)).stat().st_mtime < oldest:
            shutil.rmtree(folder)


async def _end_all(fence: HeldFence) -> None:
    """End every process that was started for a workspace, and wait until the kernel knows none.

    Raises:
        SupersededError: An even newer attempt took the workspace over meanwhile.
        WorkspaceError: Some do not end: stuck in the kernel, or another user's.
    """
    pipe, pause = fence.folder / _PIPE, _FIRST_PAUSE
    deadline, traced = time.monotonic() + _END_SECONDS, time.monotonic() + _TRACED_SECONDS
    while True:
        with present(pipe, fence.name) as processes:
            # now, so that none of them can be a newer attempt's
            fence.refuse_stale()
            for handle in processes.values():
                with suppress(ProcessLookupError, PermissionError):
                    signal.pidfd_send_signal(handle, signal.SIGKILL)
        if not processes and is_deserted(pipe):
            return
        if time.monotonic() > traced and processes and all(map(is_past_its_end, processes)):
            return
        if time.monotonic() > deadline:
            raise WorkspaceError(
                "processes of an earlier attempt on this workspace do not end: "
                f"{sorted(processes)}; end them, the attempt is then made again"
            )
        await asyncio.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)
