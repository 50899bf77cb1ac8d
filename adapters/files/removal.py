"""Removing a folder that others may still be busy in."""

import errno
import shutil
import stat
import time
from pathlib import Path
from typing import Any

REMOVE_ATTEMPTS = 6


def remove_tree(folder: Path) -> None:
    """Remove a folder with all in it, also what an agent made unwritable; of a link the link.

    A killed git's last child may write into it, or remove its own lock, for some moments more.
    """
    if folder.is_symlink():
        folder.unlink()
    for attempt in range(REMOVE_ATTEMPTS):
        if not folder.exists():
            return
        try:
            shutil.rmtree(folder, onerror=_raise_unless_gone)
        except PermissionError:
            if attempt:
                raise
            for below in (folder, *folder.rglob("*")):
                if below.is_dir() and not below.is_symlink():
                    below.chmod(stat.S_IRWXU)
        except OSError as error:
            if error.errno != errno.ENOTEMPTY or attempt == REMOVE_ATTEMPTS - 1:
                raise
            time.sleep(0.1 * 2**attempt)


def _raise_unless_gone(_call: object, _path: str, failed: tuple[Any, BaseException, Any]) -> None:
    if not isinstance(failed[1], FileNotFoundError):
        raise failed[1]
