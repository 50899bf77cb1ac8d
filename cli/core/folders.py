"""Folders on the command line."""

import re
from pathlib import Path

from cli.core.console import USAGE
from cli.core.errors import CommandError

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:/|[A-Za-z0-9_][A-Za-z0-9_.-]*@[A-Za-z0-9.-]+:")
"""What begins like a URL, as a path has it: with one slash."""


class BadPathError(CommandError):
    """A path on the command line cannot be used."""

    code = USAGE


def folder_of(path: Path) -> str:
    """Return a folder's absolute path as a text.

    Raises:
        BadPathError: It has none.
    """
    return str(whole(path))


def whole(folder: Path) -> Path:
    """Return a folder's absolute path.

    Raises:
        BadPathError: It has none: an unknown `~user`, a loop of links, a deleted working folder, or it
            is a URL.
    """
    if _URL.match(str(folder)) and not folder.exists():
        raise BadPathError(
            f"{folder} is a URL: this takes a folder, so give the path of a checkout"
        )
    try:
        return folder.expanduser().resolve()
    except OSError as error:
        raise BadPathError(f"{folder} cannot be read: {error.strerror}") from error
    except (RuntimeError, ValueError) as error:
        why = "its user is unknown" if str(folder).startswith("~") else "its links form a loop"
        raise BadPathError(f"{folder} cannot be read: {why}") from error
