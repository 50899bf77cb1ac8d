"""What people are told when a disk is full: where, how much is free, and about how much is needed."""

import errno
import os
import re
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from domain.core.text import no_room_words

_FULL = (errno.ENOSPC, errno.EDQUOT)
_FULL_WORDS = re.compile(r"No space left on device|Disk quota exceeded")


def is_full(error: OSError) -> bool:
    """Tell whether an error of the file system is a full disk or a quota that is used up."""
    return error.errno in _FULL


def is_about_full_disk(words: str) -> bool:
    """Tell whether a program's last words are about a full disk."""
    return _FULL_WORDS.search(words) is not None


@contextmanager
def naming_file(file: Path) -> Generator[None]:
    """Have an error for want of room name the file that was written; the calls below know no path."""
    try:
        yield
    except OSError as error:
        if is_full(error):
            error.filename = str(file)
        raise


def fullest(*places: Path) -> Path:
    """Return the place whose disk has the least room: an error of a write may not say where it was."""
    return min(places, key=free_bytes)


def free_bytes(place: Path) -> int:
    """Return how much room there is for what is written to a place, which may not be there yet."""
    return shutil.disk_usage(_folder(place)).free


def describe_error(error: OSError, place: Path, needed_bytes: int | None = None) -> str:
    """Return an error of the file system in words for people; a full disk gets its sentence.

    `place` is where was written, for errors that name no file.
    """
    if not is_full(error):
        return error.strerror or str(error)
    file = error.filename
    return no_room(
        Path(os.fsdecode(file)) if isinstance(file, str | bytes) else place, needed_bytes
    )


def no_room(place: Path, needed_bytes: int | None = None) -> str:
    """Return one sentence about a full disk; `place` may be gone, or be a file."""
    folder = _folder(place)
    return no_room_words(str(folder), free_bytes(folder), needed_bytes)


def _folder(place: Path) -> Path:
    return next((at for at in (place, *place.parents) if at.is_dir()), Path("/"))
