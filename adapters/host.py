"""This host: the id that its task queue is named by, its one worker, and how a worker ends."""

import asyncio
import faulthandler
import os
import platform
import secrets
import signal
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from adapters.files.state_files import try_lock, write_atomic
from adapters.processes.run_ledger import boot_id

STANDSTILL_SECONDS = 45.0
BEAT_SECONDS = 1.0
LOCK_PATIENCE_SECONDS = 15.0
_POLL_SECONDS = 0.05


class HostTakenError(Exception):
    """Another worker runs on this data folder; the message names its process."""


def host_id(data_dir: Path) -> str:
    """Return the host's id, made once for a data folder and kept there."""
    path = data_dir / "host-id"
    if not path.exists():
        write_atomic(path, secrets.token_hex(4), is_durable=True)  # threads are bound to it
    return path.read_text().strip()


def known_host(data_dir: Path) -> str:
    """Return the id of the host that a worker of this data folder runs on, empty before its first start.

    So it is, too, where all workers are on other hosts.
    """
    try:
        return (data_dir / "host-id").read_text().strip()
    except OSError:
        return ""


def machine_of(data_dir: Path) -> str:
    """Return what tells a data folder in use from its copies, on this machine and on others."""
    folder = data_dir.stat()
    return f"{platform.node()} {boot_id()} {folder.st_dev}:{folder.st_ino}"


def time_zone() -> str:
    """Return the name of this machine's time zone, UTC where it has none."""
    _, found, name = str(Path("/etc/localtime").resolve()).rpartition("zoneinfo/")
    return name if found else "UTC"


@asynccontextmanager
async def only_worker(
    data_dir: Path, patience: float = LOCK_PATIENCE_SECONDS
) -> AsyncGenerator[None]:
    """Be the one worker of a data folder; waits for one that is ending.

    The kernel frees the place when its holder dies, however that happens, so nothing is left to
    clean up: two workers at once would reap each other's agents as a dead one's.

    Raises:
        HostTakenError: Another holds it for longer than `patience` seconds.
    """
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)  # noqa: ASYNC240  (one quick call)
    descriptor = os.open(data_dir / "worker.lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    deadline = asyncio.get_running_loop().time() + patience
    try:
        while not try_lock(descriptor):
            if asyncio.get_running_loop().time() > deadline:
                holder = os.pread(descriptor, 32, 0).decode() or "unknown"
                raise HostTakenError(
                    f"another worker runs on {data_dir} (pid {holder}): end it, or choose another "
                    "folder with TREADLE_DATA_DIR"
                )
            await asyncio.sleep(_POLL_SECONDS)
        os.truncate(descriptor, 0)
        os.pwrite(descriptor, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(descriptor)


async def until_stopped(
    work: Coroutine[Any, Any, None], drain: Callable[[], bool] | None = None
) -> None:
    """Run work until it ends or SIGTERM or SIGINT comes, then let it clean up.

    SIGTERM first asks `drain`: where that gives True, the work ends by itself, later. Where the event loop stands still meanwhile, the process ends; see `end_at_a_standstill`.
    """
    loop = asyncio.get_running_loop()
    task = asyncio.ensure_future(work)
    loop.add_signal_handler(signal.SIGINT, task.cancel)
    loop.add_signal_handler(
        signal.SIGTERM, lambda: (drain is not None and drain()) or task.cancel()
    )
    watching = asyncio.create_task(end_at_a_standstill())
    try:
        await task
    except asyncio.CancelledError:
        if not task.cancelled():
            raise
    finally:
        watching.cancel()


async def end_at_a_standstill(seconds: float = STANDSTILL_SECONDS) -> None:
    """End this process, with the stacks of all OS threads on stderr, once its event loop blocks.

    Whoever supervises it starts another. The time is kept outside of Python, so it also passes
    while the interpreter hangs, and while the process is stopped: one that was stopped for so long
    has lost its work to others and must not go on with it.
    """
    try:
        while True:
            faulthandler.dump_traceback_later(seconds, exit=True)
            await asyncio.sleep(BEAT_SECONDS)
    finally:
        faulthandler.cancel_dump_traceback_later()
