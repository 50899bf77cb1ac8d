"""Moves of files and folders that may be cut off anywhere and begun again; nothing is written over."""

import errno
import os
import shutil
from itertools import count
from pathlib import Path

from adapters.files.removal import remove_tree


def move(source: Path, target: Path) -> None:
    """Move a file or folder to where nothing is, also to another disk.

    There it is copied under a name of its own first: what is in its place is whole.

    Raises:
        OSError: It cannot be moved; what was copied of it is removed.
    """
    try:
        source.rename(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        _move_to_another_disk(source, target)


def set_aside(place: Path, folder: Path) -> None:
    """Move a file or folder into a folder, made where it is missing; names that are taken get a number."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    names = (place.name if n == 1 else f"{place.name}.{n}" for n in count(1))
    move(place, next(folder / name for name in names if not os.path.lexists(folder / name)))


def _move_to_another_disk(source: Path, target: Path) -> None:
    draft = target.with_name(f".{target.name}.moved")
    _remove(draft)  # of a move that was cut off
    try:
        if source.is_dir() and not source.is_symlink():
            shutil.copytree(source, draft, symlinks=True)
        else:
            shutil.copy2(source, draft, follow_symlinks=False)
            _flush(draft)
        draft.rename(target)
    except OSError:
        _remove(draft)
        raise
    _remove(source)


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        remove_tree(path)
    else:
        path.unlink(missing_ok=True)


def _flush(file: Path) -> None:
    if file.is_symlink():
        return
    descriptor = os.open(file, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
