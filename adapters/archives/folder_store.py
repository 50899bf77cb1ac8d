"""Archives in a folder: a file appears there when it is whole and on the disk."""

import asyncio
import os
import secrets
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Self

from adapters.disk_room import describe_error, is_full
from domain.retention.archives import ArchiveError, ListedArchive, is_archive_name


class FolderStore:
    """Implements `ArchiveStore`; files have mode 0600, and no link is followed."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @classmethod
    def at(cls, folder: Path, data_dir: Path) -> Self:
        """Return the store of a folder, which is never made: a host that lacks it must not begin one.

        Raises:
            ArchiveError: There is none, or it is in the data folder, which archives shall outlive.
        """
        if not folder.is_dir():
            raise ArchiveError(
                f"{folder} is no folder of this host: make it; with several hosts it must be one "
                "that all of them share, or a bucket (s3://…)"
            )
        if folder.resolve().is_relative_to(data_dir.resolve()):
            raise ArchiveError(f"{folder} is in Treadle's own data folder: choose another one")
        return cls(folder)

    def place_of(self, name: str) -> str:
        """Return the path of a file."""
        return str(self._folder / name)

    async def put(self, name: str, content: IO[bytes]) -> None:
        """Keep a file; see the port."""
        with _translated(self._folder):
            await asyncio.to_thread(self._put, name, content)

    def _put(self, name: str, content: IO[bytes]) -> None:
        for draft in self._folder.glob(f".{name}.*"):
            draft.unlink(missing_ok=True)  # of an attempt that was killed
        draft = self._folder / f".{name}.{secrets.token_hex(4)}"
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
        try:
            with os.fdopen(os.open(draft, flags, 0o600), "wb") as file:
                content.seek(0)
                shutil.copyfileobj(content, file)
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self._folder / name)
            _flush_names(self._folder)
        finally:
            draft.unlink(missing_ok=True)

    async def get(self, name: str, into: IO[bytes]) -> bool:
        """Copy a file; see the port."""
        with _translated(self._folder):
            return await asyncio.to_thread(self._get, name, into)

    def _get(self, name: str, into: IO[bytes]) -> bool:
        flags = os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW
        try:
            descriptor = os.open(self._folder / name, flags)
        except FileNotFoundError:
            return False
        with os.fdopen(descriptor, "rb") as file:
            shutil.copyfileobj(file, into)
        return True

    async def listed(self) -> list[ListedArchive]:
        """Return the archives of the folder; see the port."""
        with _translated(self._folder):
            return await asyncio.to_thread(self._listed)

    def _listed(self) -> list[ListedArchive]:
        with os.scandir(self._folder) as entries:
            kept = [
                e for e in entries if is_archive_name(e.name) and e.is_file(follow_symlinks=False)
            ]
            found = [(e.name, e.stat(follow_symlinks=False)) for e in kept]
        return [
            ListedArchive(
                name=name,
                size_bytes=about.st_size,
                at=datetime.fromtimestamp(about.st_mtime, UTC),
            )
            for name, about in sorted(found, key=lambda each: each[0])
        ]


def _flush_names(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _translated(folder: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        why = describe_error(error, folder) if is_full(error) else error.strerror or str(error)
        raise ArchiveError(f"{folder} cannot be used for archives: {why}") from error
