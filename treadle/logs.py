"""The logs of an engine's processes: a new one at each start, and none that grows without end."""

import asyncio
import contextlib
import os
import shutil
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import IO, Any

MAX_LOG_BYTES = 10_000_000
OLD_LOGS = 5
"""So many older logs of a part are kept: `worker.log.1` is the newest."""

LOOK_SECONDS = 30.0


def open_private(path: Path, mode: str) -> IO[Any]:
    """Open a file that is made with mode 0600 where it is missing, whatever the process's mask."""
    return open(path, mode, opener=partial(os.open, mode=0o600))


def begin_log(log: Path) -> None:
    """Put an earlier start's log aside, so that what it failed with is not taken for this one's."""
    if log.exists() and log.stat().st_size:
        _make_room(log)
        log.replace(_older(log, 1))


async def keep_logs_small(logs: Iterable[Path]) -> None:
    """Rotate logs that have grown, until cancelled; a full disk or a missing folder stops nothing."""
    every = tuple(logs)
    while True:
        await asyncio.sleep(LOOK_SECONDS)
        for log in every:
            with contextlib.suppress(OSError):
                await asyncio.to_thread(rotate, log)


def rotate(log: Path) -> None:
    """Empty a log that has grown, after its lines were copied aside.

    Its process keeps the file open and writes at its end, so the file itself must stay. A line that is
    written between copy and cut is lost, as with `copytruncate` of logrotate.
    """
    if not log.exists() or log.stat().st_size <= MAX_LOG_BYTES:
        return
    _make_room(log)
    with log.open("rb") as lines, open_private(_older(log, 1), "wb") as copy:
        shutil.copyfileobj(lines, copy)
    os.truncate(log, 0)


def last_lines(log: Path, count: int = 8) -> str:
    """Return the end of a log, for messages about a part that failed."""
    try:
        with log.open("rb") as stream:
            stream.seek(max(0, stream.seek(0, os.SEEK_END) - 8192))
            lines = stream.read().decode(errors="replace").splitlines()
    except FileNotFoundError:
        return ""
    return "\n".join(lines[-count:])


def _older(log: Path, number: int) -> Path:
    return log.with_name(f"{log.name}.{number}")


def _make_room(log: Path) -> None:
    """Number older logs up; the oldest one goes."""
    for number in range(OLD_LOGS - 1, 0, -1):
        with contextlib.suppress(FileNotFoundError):
            _older(log, number).replace(_older(log, number + 1))
