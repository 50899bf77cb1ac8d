"""Folders as people name them on the command line."""

from pathlib import Path

from cli.client import CommandError
from cli.console import USAGE


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
        raise BadPathError(f"{folder} can't be looked at: {error.strerror}") from error
    except (RuntimeError, ValueError) as error:
        why = "its user is unknown" if str(folder).startswith("~") else "its links lead in a circle"
        raise BadPathError(f"{folder} can't be looked at: {why}") from error
