"""The run ledger: which children are alive, so that a starting worker can end a dead one's.

One file per child in the data folder. A process is recognised by its pid *and* its start time
within one boot, or by the run id that it inherited in its environment; never by a pid alone.
"""

import asyncio
import logging
import os
import signal
import time
from pathlib import Path
from typing import NamedTuple

from pydantic import ValidationError

from adapters.files.state_files import write_atomic
from adapters.processes.isolation import signal_group
from domain.core.wire import Wire

MARKER = "TREADLE_RUN"
"""The variable by which all processes of a run are found."""

_STATE = 0
_FLAGS = 6
_OF_KERNEL = 0x00200000  # PF_KTHREAD (linux/sched.h)
_START_TIME = 19
_REAP_SECONDS = 5.0
_POLL_SECONDS = 0.02
_CLEAN_LOOKS = 2
_DOUBTFUL_LOOKS = 50
_NEW_SECONDS = 5.0

logger = logging.getLogger(__name__)


class ProcessIdentity(Wire):
    """A process that cannot be mistaken for a later one with its pid; start time in clock ticks."""

    pid: int
    start_time: int


class Run(Wire):
    """One child: who started it, what it is (None until it was started), where it works."""

    run_id: str
    boot_id: str
    worker: ProcessIdentity
    child: ProcessIdentity | None = None
    cwd: str


class RunLedger:
    """The files of all runs that are alive."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._boot_id = boot_id()
        self._worker = this_process()
        self._ending = set[asyncio.Task[None]]()

    def open(self, run_id: str, cwd: Path) -> Run:
        """Write a run down before its process exists."""
        run = Run(run_id=run_id, boot_id=self._boot_id, worker=self._worker, cwd=str(cwd))
        self._write(run)
        return run

    def started(self, run: Run, pid: int) -> None:
        """Add the process to a run; one that has ended already needs no reaping."""
        child = identify(pid)
        if child is not None:
            self._write(run.model_copy(update={"child": child}))

    def close(self, run: Run) -> None:
        """Forget a run of which nothing is left."""
        self._file(run.run_id).unlink(missing_ok=True)

    async def abandon(self, run: Run) -> None:
        """End and forget a run whose start failed or was cancelled; goes on where the caller is cancelled.

        Killing bubblewrap is not enough: its child asks for the parent-death signal only after a while.
        """
        ending = asyncio.create_task(self._end_and_close(run))
        self._ending.add(ending)
        ending.add_done_callback(self._ending.discard)
        await asyncio.shield(ending)

    async def _end_and_close(self, run: Run) -> None:
        try:
            await self._end(run)
        except TimeoutError:
            logger.exception("a process does not end", extra={"run": run.run_id})
        else:
            self.close(run)

    async def reap(self) -> list[str]:
        """End everything that dead workers left; returns the run ids. Living workers' runs stay."""
        reaped: list[str] = []
        for file in sorted(self._folder.glob("*.json")):
            run = _read(file)
            if run is not None and run.boot_id == self._boot_id:
                if is_alive(run.worker):
                    continue
                try:
                    await self._end(run)
                except TimeoutError:
                    # stuck in the kernel or another user's: tried again at the next start
                    logger.exception(
                        "a dead worker's process does not end", extra={"run": run.run_id}
                    )
                    continue
                reaped.append(run.run_id)
            _forget(file)
        return reaped

    async def _end(self, run: Run) -> None:
        """End a run. One look may miss what is being forked, two do not; doubts count for a while."""
        looks, deadline = 0, time.monotonic() + _REAP_SECONDS
        doubts = _DOUBTFUL_LOOKS
        while looks < _CLEAN_LOOKS:
            left, is_sure = _left_of(run)
            doubts -= not is_sure
            looks = 0 if left or (not is_sure and doubts > 0) else looks + 1
            if run.child in left:
                signal_group(run.child.pid, signal.SIGKILL)
            for process in left:
                kill_exactly(process)
            if time.monotonic() > deadline:
                if all(is_past_its_end(process.pid) for process in left):
                    return
                raise TimeoutError
            await asyncio.sleep(_POLL_SECONDS)

    def _write(self, run: Run) -> None:
        write_atomic(self._file(run.run_id), run.model_dump_json())

    def _file(self, run_id: str) -> Path:
        return self._folder / f"{run_id}.json"


def identify(pid: int) -> ProcessIdentity | None:
    """Return who has a pid now; None for nobody and for the dead that wait for their parent."""
    fields = _stat(pid)
    if fields is None or fields[_STATE] in "ZX":
        return None
    return ProcessIdentity(pid=pid, start_time=int(fields[_START_TIME]))


def this_process() -> ProcessIdentity:
    """Return who this process is."""
    process = identify(os.getpid())
    if process is None:
        raise RuntimeError("this system has no /proc: Treadle runs on Linux")
    return process


def is_alive(process: ProcessIdentity) -> bool:
    """Tell whether exactly this process still runs."""
    return identify(process.pid) == process


def is_past_its_end(pid: int) -> bool:
    """Tell whether a process that was killed a while ago is only kept by who traces it.

    A kill wakes every stopped process but one that stopped at its own end (PTRACE_O_TRACEEXIT). It runs
    nothing any more; two that trace each other like that stay until the machine starts anew.
    """
    try:
        tasks = list(Path("/proc", str(pid), "task").iterdir())
        states = [(t / "stat").read_text().rpartition(")")[2].split()[_STATE] for t in tasks]
    except (OSError, UnicodeDecodeError, IndexError):
        return identify(pid) is None
    return all(state in "tZX" for state in states)


def kill_exactly(process: ProcessIdentity) -> None:
    """Kill exactly this process, and nobody who was given its pid meanwhile; one that is gone is fine."""
    try:
        handle = os.pidfd_open(process.pid)
    except ProcessLookupError:
        return
    try:
        # looked at after the handle was opened: so that it is this one's
        if is_alive(process):
            signal.pidfd_send_signal(handle, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return
    finally:
        os.close(handle)


class Look(NamedTuple):
    """The processes of a run that were found; not a sure one where others may be of it, too."""

    found: list[ProcessIdentity]
    is_sure: bool


def look_for(run_id: str) -> Look:
    """Find the processes that inherited a run's id, however far they moved away from it.

    One that just becomes another program has no environment for a moment, on a busy machine for longer.
    """
    needle = f"{MARKER}={run_id}".encode()
    found: list[ProcessIdentity] = []
    doubtful: list[int] = []
    for name in os.listdir("/proc"):  # noqa: PTH208 - half the cost of Path.iterdir on every scan
        if not name.isdecimal():
            continue
        try:
            environment = Path("/proc", name, "environ").read_bytes()
        except OSError:
            continue
        if not environment:
            doubtful.append(int(name))
        elif needle in environment.split(b"\0"):
            identity = identify(int(name))
            if identity is not None:
                found.append(identity)
    return Look(found, not any(map(_is_new, doubtful)))


def _is_new(pid: int) -> bool:
    """Tell whether a process runs, is none of the kernel's own, and has not run for long."""
    fields = _stat(pid)
    if fields is None or fields[_STATE] in "ZX" or int(fields[_FLAGS]) & _OF_KERNEL:
        return False
    began = int(fields[_START_TIME]) / os.sysconf("SC_CLK_TCK")
    return time.clock_gettime(time.CLOCK_BOOTTIME) - began < _NEW_SECONDS


def _left_of(run: Run) -> Look:
    look = look_for(run.run_id)
    if run.child is not None and run.child not in look.found and is_alive(run.child):
        look.found.append(run.child)
    return look


def _read(file: Path) -> Run | None:
    try:
        return Run.model_validate_json(file.read_bytes())
    except (OSError, ValidationError):
        logger.warning("unreadable run ledger entry dropped: %s", file)
        return None


def _forget(file: Path) -> None:
    """Remove an entry; what cannot be, like a folder in its place, stays and hinders no start."""
    try:
        file.unlink(missing_ok=True)
    except OSError as error:
        logger.warning("%s is no entry of ours: %s; remove it", file, error.strerror)


def _stat(pid: int) -> list[str] | None:
    """Return the fields of /proc/PID/stat after the name, which may hold blanks and brackets."""
    try:
        return Path("/proc", str(pid), "stat").read_text().rpartition(")")[2].split()
    except (OSError, UnicodeDecodeError):
        return None


def boot_id() -> str:
    """Return the id of this boot of the machine; pids and start times mean nothing in another."""
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
