"""Child processes that cannot outlive us."""

import asyncio
import ctypes
import os
import signal
from collections.abc import Sequence
from pathlib import Path

from treadle.logs import open_private

PR_SET_PDEATHSIG = 1
PRIVATE = 0o077
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
