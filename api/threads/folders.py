"""Folders of the API's machine, to complete a repository's path while it is typed."""

import os
from contextlib import suppress
from pathlib import Path
from typing import Annotated

from fastapi import Query
from pydantic import BaseModel

MOST_SHOWN = 12
MOST_READ = 2_000
"""Entries of one folder that are looked at: it may hold a million files."""

Typed = Annotated[
    str, Query(min_length=1, max_length=4096, description="The beginning of an absolute path")
]


class FolderLine(BaseModel):
    """A folder; `is_repository` says whether git keeps its data there."""

    path: str
    is_repository: bool


class FolderPage(BaseModel):
    """Folders whose paths begin as typed, repositories first."""

    folders: list[FolderLine]


def folders_like(beginning: str) -> list[FolderLine]:
    """Return folders whose path begins so; hidden ones only where a dot was typed.

    Those whose names cannot be shown are passed over.
    """
    above, _, name = beginning.rpartition("/")
    if not beginning.startswith("/") or "\0" in beginning:
        return []
    found = list[FolderLine]()
    with suppress(OSError), os.scandir(above or "/") as entries:
        for _, entry in zip(range(MOST_READ), entries, strict=False):
            is_hidden = entry.name.startswith(".") > name.startswith(".")
            is_shown = entry.name.isprintable() and not is_hidden  # one of other bytes is no text
            if is_shown and entry.name.lower().startswith(name.lower()) and _is_folder(entry):
                path = f"{above}/{entry.name}"
                is_repository = _is_there(Path(path, ".git"))
                found.append(FolderLine(path=path, is_repository=is_repository))
    return sorted(found, key=lambda line: (not line.is_repository, line.path))[:MOST_SHOWN]


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


def _is_there(path: Path) -> bool:
    try:
        return path.exists()
    except OSError:
        return False
