"""Archives of threads as a person looks at them, who may have nothing else of Treadle left."""

import asyncio
import tempfile
from collections.abc import Coroutine
from pathlib import Path
from typing import IO, Any, TypeVar

from adapters.archives.archive_file import digest_of, read_archive
from adapters.archives.bucket_store import CREDENTIALS, PLAIN
from adapters.archives.stores import ArchiveStore, store_at
from cli.core.console import USAGE
from cli.core.errors import CommandError
from domain.core.errors import TreadleError
from domain.core.wire import Wire
from domain.retention.archives import ArchiveManifest, ListedArchive, is_archive_name, newest_of
from settings import Settings, environment

_T = TypeVar("_T")


class ShownArchive(Wire):
    """An archive that is whole, and where it is."""

    place: str
    sha256: str
    manifest: ArchiveManifest
    unpacked: str = ""

    @property
    def rows(self) -> list[tuple[str, str]]:
        """What a person is shown of it."""
        manifest, thread = self.manifest, self.manifest.thread
        found = [
            ("thread", f"{thread.thread_id}  {thread.title}"),
            ("project", thread.project),
            ("status", thread.status),
            ("changed", f"{thread.changed_at:%Y-%m-%d %H:%M %Z}" if thread.changed_at else ""),
            ("holds", f"{manifest.events} events, {len(manifest.members) - 1} texts and files"),
            ("missing", f"{len(manifest.missing)} texts" if manifest.missing else ""),
            ("children", ", ".join(manifest.children)),
            ("file", self.place),
            ("sha256", f"{self.sha256} (all {len(manifest.members)} checksums match)"),
            ("unpacked", self.unpacked),
        ]
        return [(heading, value) for heading, value in found if value]


def listed(settings: Settings, place: str | None) -> list[ListedArchive]:
    """Return the archives of a place.

    Raises:
        CommandError: There is no such place, or it cannot be read.
    """
    return _done(_store(settings, place).listed())


def shown(settings: Settings, name: str, place: str | None, to: Path | None) -> ShownArchive:
    """Check an archive, or the newest of a thread; with a folder, unpack it there.

    Raises:
        CommandError: There is none, it is damaged, or the folder is there already.
    """
    store = _store(settings, place)
    if not is_archive_name(name):
        name = newest_of(name, _done(store.listed())) or name
    target = to.expanduser().absolute() if to else None
    try:
        with tempfile.TemporaryFile() as copy:
            return _read(store, name, copy, target)
    except TreadleError as error:
        raise CommandError(f"{store.place_of(name)}: {error.message}") from error
    except FileExistsError as error:
        raise CommandError(f"{target} is there already: name a new folder") from error


def _read(store: ArchiveStore, name: str, copy: IO[bytes], to: Path | None) -> ShownArchive:
    if not is_archive_name(name) or not _done(store.get(name, copy)):
        raise CommandError(
            f"there is no archive of {name} in {store.place_of('')}: see `treadle archives list`"
        )
    manifest = read_archive(copy)  # all of it is checked before any of it is unpacked
    if to is not None:
        to.mkdir(mode=0o700)
        read_archive(copy, to)
    return ShownArchive(
        place=store.place_of(name),
        sha256=digest_of(copy),
        manifest=manifest,
        unpacked=str(to) if to else "",
    )


def _store(settings: Settings, place: str | None) -> ArchiveStore:
    where = settings.archive if place is None else place
    if not where:
        raise CommandError("Say where: `--archive PLACE`, or set TREADLE_ARCHIVE.", USAGE)
    if not where.startswith("s3://"):
        where = str(Path(where).expanduser().absolute())
    try:
        return store_at(where, settings.data_dir, environment((*CREDENTIALS, PLAIN)))
    except TreadleError as error:
        raise CommandError(error.message) from error


def _done(call: Coroutine[Any, Any, _T]) -> _T:
    try:
        return asyncio.run(call)  # pyright: ignore[reportReturnType]
    except TreadleError as error:
        raise CommandError(error.message) from error
