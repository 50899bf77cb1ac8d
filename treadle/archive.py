"""The file that a backup is: a tar of databases and keys, with a manifest that proves them whole."""

import hashlib
import os
import secrets
import tarfile
from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from pydantic import BaseModel, ValidationError

from adapters.disk_room import is_full
from treadle.engine import EngineError

MANIFEST = "manifest.json"
FORMAT = 1


class Member(BaseModel):
    """One file of a backup."""

    name: str
    size_bytes: int
    sha256: str


class Manifest(BaseModel):
    """What a backup holds and where it comes from; `unread` repositories are not noted in it."""

    format: int = FORMAT
    treadle: str
    made_at: datetime
    data_dir: str
    members: list[Member]
    unread: dict[str, str] = {}


def member_of(file: Path) -> Member:
    """Describe a file that goes into a backup."""
    with file.open("rb") as stream:
        digest = hashlib.file_digest(stream, "sha256").hexdigest()
    return Member(name=file.name, size_bytes=file.stat().st_size, sha256=digest)


def write_archive(target: Path, folder: Path, manifest: Manifest) -> None:
    """Write a backup of a folder's files, mode 0600; it appears when it is whole and on the disk.

    Raises:
        FileExistsError: There is a file of that name; it is left alone.
    """
    (folder / MANIFEST).write_text(manifest.model_dump_json(indent=2))
    with _draft_of(target) as draft, tarfile.open(draft, "w") as tar:
        for name in (MANIFEST, *(member.name for member in manifest.members)):
            tar.add(folder / name, name, filter=_anonymous)


def read_archive(source: Path, folder: Path) -> Manifest:
    """Unpack a backup into a folder, mode 0600, and prove that all of it is there unchanged.

    Only names without a path are taken, and only those of the manifest.

    Raises:
        EngineError: It is no backup, of a newer format, or damaged.
        OSError: The folder has no room for it.
    """
    try:
        with tarfile.open(source, "r:") as tar:
            manifest = Manifest.model_validate_json(_content(tar, MANIFEST))
            if manifest.format > FORMAT:
                raise EngineError(f"{source} was made by a newer Treadle: update Treadle")
            for member in manifest.members:
                _unpack(tar, member, folder)
    except OSError as error:
        if is_full(error):
            raise  # of the folder, not of the backup
        raise EngineError(f"{source} cannot be read: {error.strerror or error}") from error
    except (tarfile.TarError, ValidationError, KeyError, EOFError) as error:
        raise EngineError(f"{source} is not a Treadle backup, or is truncated: {error}") from error
    return manifest


@contextmanager
def _draft_of(target: Path) -> Generator[Path]:
    draft = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    try:
        yield draft
        flush(draft)
        os.link(draft, target)  # unlike a rename it never replaces what is there
        flush(target.parent)
    finally:
        draft.unlink(missing_ok=True)


def flush(path: Path) -> None:
    """Have the disk keep a file's content, or a folder's names."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _anonymous(member: tarfile.TarInfo) -> tarfile.TarInfo:
    member.mode, member.uid, member.gid, member.uname, member.gname = 0o600, 0, 0, "", ""
    return member


def _content(tar: tarfile.TarFile, name: str) -> bytes:
    stream = tar.extractfile(name)
    if stream is None:
        raise KeyError(name)
    return stream.read()


def _unpack(tar: tarfile.TarFile, member: Member, folder: Path) -> None:
    if Path(member.name).name != member.name or member.name.startswith("."):
        raise KeyError(f"a name with a path: {member.name!r}")
    stream = tar.extractfile(member.name)
    if stream is None:
        raise KeyError(member.name)
    target = folder / member.name
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        while chunk := stream.read(1 << 20):
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
    if member_of(target) != member:
        raise EngineError(f"{member.name} in the backup is damaged: its checksum does not match")
