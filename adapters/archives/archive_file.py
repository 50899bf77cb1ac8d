"""The file that an archive is: a gzipped tar whose first member says what the others are.

It is the same bytes each time: nothing in it tells when, where or by whom it was written.
"""

import gzip
import hashlib
import os
import tarfile
import tempfile
import zlib
from collections.abc import Generator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import IO, NamedTuple

from pydantic import ValidationError

from domain.core.ids import ThreadId
from domain.retention.archives import (
    FORMAT,
    MANIFEST,
    ArchiveManifest,
    DamagedArchiveError,
    Member,
)
from domain.retention.policy import PrunableThread

_CHUNK = 1 << 20
_LARGEST_MANIFEST = 64 << 20


class _Place(NamedTuple):
    member: Member
    start: int


class Contents:
    """What goes into an archive, spooled to a file without a name, which no kill leaves behind."""

    def __init__(self, spool: IO[bytes]) -> None:
        self._spool = spool
        self._places: list[_Place] = []
        self._digest = hashlib.sha256()
        self._start = 0

    def add(self, data: bytes) -> None:
        """Add to the member that is being written."""
        self._spool.write(data)
        self._digest.update(data)

    def end(self, name: str) -> None:
        """End a member, and call it by its name."""
        end = self._spool.tell()
        found = Member(name=name, size_bytes=end - self._start, sha256=self._digest.hexdigest())
        self._places.append(_Place(found, self._start))
        self._start, self._digest = end, hashlib.sha256()

    def write(self, manifest: ArchiveManifest, target: IO[bytes]) -> ArchiveManifest:
        """Write the archive; returns its manifest with the members."""
        whole = manifest.model_copy(update={"members": tuple(p.member for p in self._places)})
        head = whole.model_dump_json(indent=2).encode()
        with (
            gzip.GzipFile(filename="", mode="wb", fileobj=target, mtime=0) as packed,
            tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar,
            tempfile.SpooledTemporaryFile(_CHUNK) as first,
        ):
            first.write(head)
            first.seek(0)
            tar.addfile(_info(MANIFEST, len(head)), first)
            for member, start in self._places:
                self._spool.seek(start)
                tar.addfile(_info(member.name, member.size_bytes), self._spool)
        target.flush()
        return whole


@contextmanager
def spooled(folder: Path) -> Generator[IO[bytes]]:
    """Open a file without a name, on the disk of a folder."""
    with tempfile.TemporaryFile(dir=folder) as spool:
        yield spool


def digest_of(file: IO[bytes]) -> str:
    """Return the SHA-256 of a file from its beginning, and stay there."""
    file.seek(0)
    digest = hashlib.file_digest(file, "sha256").hexdigest()  # pyright: ignore[reportArgumentType]
    file.seek(0)
    return digest


def read_archive(file: IO[bytes], to: Path | None = None) -> ArchiveManifest:
    """Prove that an archive is whole; with a folder, unpack it there, mode 0600.

    Raises:
        DamagedArchiveError: It is not, or is no archive.
        FileExistsError: A file of it is there already; it is left alone.
    """
    file.seek(0)
    try:
        with tarfile.open(fileobj=file, mode="r:gz") as tar:
            return _read(tar, to)
    except (tarfile.TarError, ValidationError, EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise DamagedArchiveError(f"it is no archive of a thread, or truncated: {error}") from error


def _read(tar: tarfile.TarFile, to: Path | None) -> ArchiveManifest:
    manifest = _manifest(tar)
    left = {member.name: member for member in manifest.members}
    if to is not None:
        with _target(to, MANIFEST) as target:
            target.write(manifest.model_dump_json(indent=2).encode())
    for info in tar:
        if info.name == MANIFEST:
            continue
        member = left.pop(info.name, None)
        if member is None or not info.isreg():
            raise DamagedArchiveError(f"it has a file that its manifest does not name: {info.name}")
        _check(tar, info, member, to)
    if left:
        raise DamagedArchiveError(f"{min(left)} is missing in it")
    return manifest


def _manifest(tar: tarfile.TarFile) -> ArchiveManifest:
    first = tar.next()
    stream = tar.extractfile(first) if first is not None and first.name == MANIFEST else None
    if first is None or stream is None or first.size > _LARGEST_MANIFEST:
        raise DamagedArchiveError(f"it does not begin with a {MANIFEST}")
    manifest = ArchiveManifest.model_validate_json(stream.read())
    if manifest.format > FORMAT:
        raise DamagedArchiveError("it was written by a newer Treadle: update Treadle to read it")
    return manifest


def _check(tar: tarfile.TarFile, info: tarfile.TarInfo, member: Member, to: Path | None) -> None:
    stream, digest = tar.extractfile(info), hashlib.sha256()
    with nullcontext() if to is None else _target(to, member.name) as target:
        while stream is not None and (chunk := stream.read(_CHUNK)):
            digest.update(chunk)
            if target is not None:
                target.write(chunk)
    if digest.hexdigest() != member.sha256:
        raise DamagedArchiveError(f"{member.name} in it is damaged: its checksum does not match")


def _target(folder: Path, name: str) -> IO[bytes]:
    """Open one file of an archive below a folder, which its name cannot leave.

    Raises:
        DamagedArchiveError: It would.
        FileExistsError: It is there already.
    """
    parts = Path(name).parts
    if not parts or Path(name).is_absolute() or ".." in parts:
        raise DamagedArchiveError(f"it has a file outside of itself: {name!r}")
    target = folder.joinpath(*parts)
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    return os.fdopen(os.open(target, flags, 0o600), "wb")


def _info(name: str, size: int) -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.size, info.mode = size, 0o600
    return info


def manifest_for(
    thread: PrunableThread,
    events: int,
    missing: tuple[str, ...] = (),
    children: tuple[ThreadId, ...] = (),
) -> ArchiveManifest:
    """Return the manifest of a thread's archive, without its members."""
    return ArchiveManifest(thread=thread, events=events, missing=missing, children=children)
