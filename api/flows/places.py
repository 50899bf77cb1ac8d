"""Where a flow run works: a folder on this host, or the URL of a repository."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from adapters.files.template_scopes import top_of
from domain.core.remote_repositories import is_remote, local_folder, read_remote
from domain.flows.starting import (
    MissingFolderError,
    NoFolderError,
    NoRepositoryError,
    RelativeFolderError,
    WorkingFolderError,
)


class Place(NamedTuple):
    """A repository, by its top folder or its URL, and the path of the folder in it to work in."""

    repository: str
    folder: str = ""

    @property
    def files(self) -> str | None:
        """The folder whose flows are known here; those of a repository by URL are not."""
        return local_folder(self.repository)


def place_of(text: str | None, default: Path, schemes: Sequence[str]) -> Place:
    """Return where a run works; without a text it is the engine's own folder.

    Raises:
        WorkingFolderError: The folder cannot be used; the message says why.
        InvalidRepositoryUrlError: It is no URL that may be used here.
    """
    if text is not None and is_remote(text):
        return Place(str(read_remote(text, schemes)))
    top, inside = working_folder(text, default)
    return Place(str(top), inside)


def working_folder(text: str | None, default: Path) -> tuple[Path, str]:
    """Return the top folder of a working folder's repository, and the path of the folder in it.

    Without a text it is the engine's own.

    Raises:
        WorkingFolderError: It cannot be used; the message says why.
    """
    if text is None:
        try:
            return working_folder(str(default), default)
        except WorkingFolderError as error:
            raise MissingFolderError(
                f"working_folder is missing, and the engine's own cannot be used: {error.message}"
            ) from error
    path = Path(text)
    if not path.is_absolute():
        raise RelativeFolderError(f"{text[:80]!r} is not an absolute path: give the absolute path")
    try:
        is_there, is_folder = path.exists(), path.is_dir()
    except (OSError, ValueError) as error:
        raise WorkingFolderError(f"{text[:80]!r} cannot be read: {error}") from error
    if not is_there:
        raise MissingFolderError(f"{text[:80]!r} does not exist: choose a folder in a repository")
    if not is_folder:
        raise NoFolderError(f"{text[:80]!r} is not a folder: choose a folder in a repository")
    if not os.access(path, os.R_OK | os.X_OK):
        raise WorkingFolderError(f"{text[:80]!r} is not readable for the user that Treadle runs as")
    whole = path.resolve()
    top = top_of(str(whole))
    if not (top / ".git").exists():
        words = "is not in a git repository: run `git init` and commit, or choose another folder"
        raise NoRepositoryError(f"{text[:80]!r} {words}")
    inside = whole.relative_to(top.resolve()).as_posix()
    if inside.partition("/")[0] == ".git":
        raise NoRepositoryError(f"{text[:80]!r} belongs to git: choose a folder of the repository")
    return top, "" if inside == "." else inside
