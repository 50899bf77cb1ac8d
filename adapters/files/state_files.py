"""Small files of the data folder: written whole or not at all, and locked between processes."""

import asyncio
import fcntl
import os
import secrets
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

_FIRST_PAUSE = 0.002
_LONGEST_PAUSE = 0.05


def write_atomic(path: Path, text: str, *, is_durable: bool = False) -> None:
    """Replace a file by a whole new one, mode 0600; a reader sees the old text or the new one.

    A durable one is on the disk on return. Most are of use only until the machine restarts, and
    need not be. On a full disk the old file stays.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
            if is_durable:
                file.flush()
                os.fsync(file.fileno())
        draft.replace(path)
    except BaseException as error:
        draft.unlink(missing_ok=True)
        if isinstance(error, OSError) and error.filename is None:
            error.filename = str(path)  # a write that does not fit names no file
        raise
    if is_durable:
        _flush_folder(path.parent)


@asynccontextmanager
async def file_lock(path: Path) -> AsyncGenerator[None]:
    """Hold a lock that excludes other coroutines and other processes; free when its holder dies.

    Each holder opens the file anew, so one process excludes itself too (flock(2)).
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        pause = _FIRST_PAUSE
        while not try_lock(descriptor):
            await asyncio.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)
        yield
    finally:
        os.close(descriptor)


def _flush_folder(folder: Path) -> None:
    """Put the names in a folder on the disk: a rename is lost with the power until then."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def try_lock(descriptor: int) -> bool:
    """Lock an open file against all others that open it, if nobody has it; tell whether it is so."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
