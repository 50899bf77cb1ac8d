"""Folders of installed programs: one for each exact version, whole or as if it were not there."""

import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from pydantic import ValidationError

from adapters.files.state_files import file_lock, write_atomic
from domain.core.wire import Wire

MARK = "installed.json"
"""Written last: a folder without it is what a killed installation left."""


class Installed(Wire):
    """What a folder holds: of which package, and where in the programs folder to find what.

    `program` is the file to run, relative to the programs folder, and `paths` are folders, likewise,
    with the Node that runs it, where the host's is none for it.
    """

    package: str
    version: str
    program: str
    paths: tuple[str, ...] = ()


class ProgramFolders:
    """The programs that Treadle installed, below one folder."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def folder(self, name: str, version: str) -> Path:
        """Return where a version of a program belongs."""
        return self.root / f"{name}-{version}"

    def installed(self, name: str, version: str, package: str) -> Installed | None:
        """Return what is installed as that name and version, if it is of that package."""
        try:
            mark = (self.folder(name, version) / MARK).read_text(encoding="utf-8")
            found = Installed.model_validate_json(mark)
        except (OSError, ValidationError, UnicodeDecodeError):
            return None
        is_there = found.package == package and (self.root / found.program).is_file()
        return found if is_there else None

    @asynccontextmanager
    async def making(self, name: str, version: str) -> AsyncGenerator[Path]:
        """Hold the place of a version, excluding all other processes; the block looks again, and fills it.

        A venv names its own folder in its programs, so it is made where it stays, and not renamed.
        """
        async with file_lock(self.root / f".{name}-{version}.lock"):
            yield self.folder(name, version)

    def emptied(self, folder: Path) -> Path:
        """Make a folder that is there and empty."""
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, mode=0o700)
        return folder

    def finish(self, folder: Path, installed: Installed) -> Installed:
        """Say that a folder is whole."""
        write_atomic(folder / MARK, installed.model_dump_json(), is_durable=True)
        return installed
