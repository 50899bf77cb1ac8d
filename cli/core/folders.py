"""Folders on the command line."""

from pathlib import Path

from cli.core.console import USAGE
from cli.core.errors import CommandError


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
        BadPathError: It has none: an unknown `~user`, a loop of links, or a deleted working folder.
    """
    try:
        return folder.expanduser().resolve()
    except OSError as error:
        raise BadPathError(f"{folder} cannot be read: {error.strerror}") from error
    except (RuntimeError, ValueError) as error:
        why = "its user is unknown" if str(folder).startswith("~") else "its links form a loop"
        raise BadPathError(f"{folder} cannot be read: {why}") from error
