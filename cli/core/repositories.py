"""Repositories on the command line: a folder, or a URL with a branch, tag or commit after an @."""

from pathlib import Path
from typing import Annotated

import typer

from cli.core.console import USAGE
from cli.core.errors import CommandError
from cli.core.folders import folder_of
from domain.core.remote_errors import InvalidRepositoryUrlError
from domain.core.remote_repositories import SCHEMES, is_remote, read_remote

AnyRepo = Annotated[
    str,
    typer.Option(
        "--repo",
        metavar="FOLDER|URL[@REF]",
        help="Folder of the git repository, or its URL with a branch, tag or commit.",
    ),
]
Also = Annotated[
    list[str] | None,
    typer.Option(
        metavar="FOLDER|URL[@REF]",
        help="Another repository to change together with it; repeatable.",
    ),
]


class BadUrlError(CommandError):
    """A URL on the command line names no repository."""

    code = USAGE


def repository_of(text: str) -> str:
    """Return a repository as the API takes it: the absolute path of a folder, or a URL.

    Raises:
        BadPathError: The folder has no absolute path.
        BadUrlError: The URL is invalid.
    """
    if not is_remote(text):
        return folder_of(Path(text))
    try:
        return str(read_remote(text, SCHEMES))
    except InvalidRepositoryUrlError as error:
        raise BadUrlError(error.message) from error
