"""Archives of threads: where they are kept, and what each one says of itself."""

import hashlib
import json
import re
from collections.abc import Iterable
from datetime import datetime
from pathlib import PurePosixPath
from typing import NamedTuple, Self

from domain.core.effects import Effect
from domain.core.errors import InvalidError, TreadleError, UnavailableError
from domain.core.ids import ThreadId
from domain.core.wire import Wire
from domain.retention.policy import PrunableThread

FORMAT = 1
SUFFIX = ".treadle.tar.gz"
MANIFEST = "manifest.json"
EVENTS = "events.jsonl"
TEXTS = "texts/"

ABOUT = (
    "A thread of Treadle. events.jsonl has one event a line, in order. texts/ has the long texts and "
    "attached files (in base64) that events name by fields ending in _ref, each called by its SHA-256."
)

_BUCKET = re.compile(r"s3://([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:/(.*))?", re.ASCII | re.DOTALL)
_PREFIX = re.compile(r"[A-Za-z0-9!_.*'()-]+(?:/[A-Za-z0-9!_.*'()-]+)*", re.ASCII)
_REFERENCE = re.compile(r'_ref":"([0-9a-f]{64})"', re.ASCII)
_NAME = re.compile(r"thread-[a-z0-9-]{1,120}-[0-9a-f]{12}\.treadle\.tar\.gz", re.ASCII)


class ArchiveError(TreadleError):
    """An archive cannot be written to where it shall be kept, or not be read from there."""

    type = "archive_failed"


class DamagedArchiveError(ArchiveError):
    """A file is no archive of a thread, or not as it was written."""

    type = "damaged_archive"


class ArchiveUnreachableError(UnavailableError):
    """The store of archives does not answer."""

    type = "archive_unreachable"


class Bucket(NamedTuple):
    """A place in an S3-compatible store."""

    name: str
    prefix: str = ""


def bucket_of(location: str) -> Bucket | None:
    """Return the bucket of a location; None where it is a folder.

    Raises:
        InvalidError: It is neither.
    """
    found = _BUCKET.fullmatch(location)
    prefix = ((found and found[2]) or "").strip("/")
    if found is not None and (not prefix or _PREFIX.fullmatch(prefix)):
        if not {".", ".."} & {*prefix.split("/")}:
            return Bucket(found[1], prefix)
    elif _is_folder(location):
        return None
    raise InvalidError(
        f"{location!r} is no place for archives: give a folder by its absolute path, or "
        "s3://bucket/prefix"
    )


def _is_folder(location: str) -> bool:
    is_path = location.startswith("/") and location.isprintable()
    return is_path and ".." not in PurePosixPath(location).parts


def checked_location(location: str) -> str:
    """Return where archives are kept, as it was written; empty is nowhere.

    Raises:
        ValueError: It is no place for archives.
    """
    try:
        if location:
            bucket_of(location)
    except InvalidError as error:
        raise ValueError(error.message) from error
    return location


def is_archive_name(name: str) -> bool:
    """Tell whether a file is called as archives are."""
    return _NAME.fullmatch(name) is not None


def references_in(event: str) -> list[str]:
    """Return the long texts that an event names, which is given as its JSON."""
    return _REFERENCE.findall(event)


class Member(Wire):
    """One file of an archive."""

    name: str
    size_bytes: int
    sha256: str


class ArchiveManifest(Wire):
    """What an archive says of itself; it is its first file.

    The same thread gives the same archive, so nothing in it says when or where it was made.
    `missing` are texts that the journal did not have any more, `children` threads with archives of their own.
    """

    about: str = ABOUT
    format: int = FORMAT
    thread: PrunableThread
    events: int = 0
    missing: tuple[str, ...] = ()
    children: tuple[ThreadId, ...] = ()
    members: tuple[Member, ...] = ()

    @property
    def name(self) -> str:
        """What the archive is called: by its thread and its content."""
        listed = json.dumps(sorted((each.name, each.sha256) for each in self.members))
        digest = hashlib.sha256(listed.encode()).hexdigest()
        return f"{self.thread.thread_id}-{digest[:12]}{SUFFIX}"


class ListedArchive(Wire):
    """An archive where archives are kept."""

    name: str
    size_bytes: int
    at: datetime


def newest_of(thread: str, archives: Iterable[ListedArchive]) -> str | None:
    """Return the name of the archive of a thread that was written last."""
    of_thread = re.compile(rf"{re.escape(thread)}-[0-9a-f]{{12}}{re.escape(SUFFIX)}", re.ASCII)
    found = [each for each in archives if of_thread.fullmatch(each.name)]
    return max(found, key=lambda each: each.at).name if found else None


class ArchiveCall(Effect):
    """Write a thread to a place for archives, and prove that it is there."""

    thread: PrunableThread
    location: str

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"archive {self.thread.thread_id}"


class ArchivedThread(Wire):
    """Where the archive of a thread is, as a receipt names it; `problem` is why there is none.

    `position` is that of the newest event in it, `recorded` the number of the thread's own events.
    """

    place: str = ""
    sha256: str = ""
    size_bytes: int = 0
    position: int = 0
    recorded: int = 0
    problem: str = ""

    @classmethod
    def failed(cls, error: TreadleError) -> Self:
        """Return that there is none, and why."""
        return cls(problem=f"it cannot be archived: {error.message}")
