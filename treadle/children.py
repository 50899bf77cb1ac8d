"""Child processes that cannot outlive us, and the ends of their logs."""

import asyncio
import ctypes
import os
import signal
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import IO, Any

PR_SET_PDEATHSIG = 1
PRIVATE = 0o077
MAX_LOG_BYTES = 10_000_000
_LIBC = ctypes.CDLL(None)


async def spawn(
    command: Sequence[str],
    log: Path,
    *,
    umask: int = PRIVATE,
    stdin: int = asyncio.subprocess.DEVNULL,
) -> asyncio.subprocess.Process:
    """Start a child in a session of its own, its output at the end of a log of mode 0600.

    The files it makes are for their owner alone unless `umask` says otherwise; -1 is our own mask.

    The kernel kills it when this process dies. Call it on the main OS thread only: Linux counts the
    death of the thread that forked as the death of the parent.
    """
    _rotate(log)
    parent = os.getpid()

    def die_with_parent() -> None:
        _LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # died between fork and prctl
            os._exit(1)

    with open_private(log, "ab") as output:
        return await asyncio.create_subprocess_exec(
            *command,
            stdin=stdin,
            stdout=output,
            stderr=output,
            start_new_session=True,
            preexec_fn=die_with_parent,
            umask=umask,
        )


def open_private(path: Path, mode: str) -> IO[Any]:
    """Open a file that is made with mode 0600 where it is missing, whatever the process's mask."""
    return open(path, mode, opener=partial(os.open, mode=0o600))


async def end(process: asyncio.subprocess.Process, patience: float) -> None:
    """End a child: TERM, and KILL after `patience` seconds; returns when it is gone."""
    if process.returncode is not None:
        return
    process.terminate()
    try:
        await asyncio.wait_for(process.wait(), patience)
    except TimeoutError:
        process.kill()
        await process.wait()


def last_lines(log: Path, count: int = 8) -> str:
    """Return the end of a log, for messages about a part that failed."""
    try:
        with log.open("rb") as stream:
            stream.seek(max(0, stream.seek(0, os.SEEK_END) - 8192))
            lines = stream.read().decode(errors="replace").splitlines()
    except FileNotFoundError:
        return ""
    return "\n".join(lines[-count:])


def _rotate(log: Path) -> None:
    """Put a grown log aside; one older copy is kept."""
    if log.exists() and log.stat().st_size > MAX_LOG_BYTES:
        log.replace(log.with_suffix(".log.1"))
