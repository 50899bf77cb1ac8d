"""What people are told when a disk is full: where, how much is free, and about how much is needed."""

import errno
import re
import shutil
from pathlib import Path

_FULL = (errno.ENOSPC, errno.EDQUOT)
_FULL_WORDS = re.compile(r"No space left on device|Disk quota exceeded")
_UNITS = ("bytes", "KB", "MB", "GB", "TB")
_STEP = 1000


def is_full(error: OSError) -> bool:
    """Tell whether an error of the file system is a full disk or a quota that is used up."""
    return error.errno in _FULL


def tells_of_full_disk(words: str) -> bool:
    """Tell whether a program's last words are about a full disk."""
    return _FULL_WORDS.search(words) is not None


def no_room(place: Path, needed_bytes: int | None = None) -> str:
    """Return one sentence about a full disk; `place` may be gone, or be a file."""
    folder = next((at for at in (place, *place.parents) if at.is_dir()), Path("/"))
    needs = "" if needed_bytes is None else f", needs about {size(needed_bytes)}"
    free = size(shutil.disk_usage(folder).free)
    return f"no space left on {folder}: {free} free{needs}; make room, then it goes on"


def size(number: float) -> str:
    """Return a number of bytes as people write it.

    >>> size(1_530_000)
    '1.5 MB'
    """
    power = 0
    while number >= _STEP and power < len(_UNITS) - 1:
        number, power = number / _STEP, power + 1
    return f"{number:.1f} {_UNITS[power]}" if power else f"{number:.0f} bytes"
