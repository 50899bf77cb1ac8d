"""Folders as people name them on the command line."""

from pathlib import Path

from cli.core.console import USAGE
from cli.core.errors import CommandError


class BadPathError(CommandError):
    """A path that a person named can't be used."""

    code = USAGE


def whole(folder: Path) -> Path:
    """Return a folder's whole path.

    Raises:
        BadPathError: It has none: an unknown `~user`, links in a circle, no working folder any more.
    """
    try:
        return folder.expanduser().resolve()
    except OSError as error:
        raise BadPathError(f"{folder} cannot be read: {error.strerror}") from error
    except (RuntimeError, ValueError) as error:
        why = "its user is unknown" if str(folder).startswith("~") else "its links form a loop"
        raise BadPathError(f"{folder} cannot be read: {why}") from error
