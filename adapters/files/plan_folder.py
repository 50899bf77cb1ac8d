"""One folder of plan files, open and locked: what is written there is whole, and no link is followed."""

import fcntl
import os
import secrets
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from adapters.files.safe_open import PathProblem, PathRefusedError, safe_read
from domain.threads.plan_files.edits import PlanFileEdit
from domain.threads.plan_files.errors import BadUnicodeError, NoPlanError, UnusableFileError
from domain.threads.plan_files.files import MAX_BYTES, PlanFile, archive_name, is_archive_name

ARCHIVE = "archive"

_MOVING = ".moving"
_NOTE = ".archived"
"""Beside the plan's folder: the newest archive, and the key of the change that made it."""

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC

Texts = dict[PlanFile, str]
Archived = tuple[str, Texts]
"""The name of an archive, and what its files hold."""


class PlanFolder:
    """The current plan of a thread, in its folder that is open and locked."""

    def __init__(self, path: Path, folder: int) -> None:
        self._path = path
        self._folder = folder

    def text(self, which: PlanFile) -> str:
        """Return what a file holds, to be changed."""
        text = text_in(self._path, which.file_name, is_exact=True)
        if text is None:
            raise NoPlanError(f"there is no {which} yet: begin with init_plan, or use write_plan")
        return text

    def texts(self) -> Texts:
        """Return what the files hold that are there."""
        found = {f: text_in(self._path, f.file_name) for f in PlanFile}
        return {f: text for f, text in found.items() if text is not None}

    def put(self, which: PlanFile, text: str) -> None:
        """Replace a file, durably and as a whole."""
        _replace(self._folder, which.file_name, text)

    def clear(self) -> None:
        """Remove the files that are there."""
        for which in PlanFile:
            with suppress(FileNotFoundError):
                os.unlink(which.file_name, dir_fd=self._folder)
        os.fsync(self._folder)

    def archive(self, edit: PlanFileEdit) -> Archived:
        """Note which change it is, and move the files into an archive; a full disk moves none."""
        with _below(self._folder, ARCHIVE) as archive, _below(archive, _MOVING) as moving:
            name = archive_name(edit.at, {path.name for path in self._archive.iterdir()})
            try:
                with _below(self._folder, "..") as above:
                    _replace(above, _NOTE, f"{name} {edit.key}")
            except OSError:
                with suppress(OSError):  # it has files of a change that was cut off
                    os.rmdir(_MOVING, dir_fd=archive)
                raise
            for which in PlanFile:
                with suppress(FileNotFoundError):
                    os.rename(
                        which.file_name, which.file_name, src_dir_fd=self._folder, dst_dir_fd=moving
                    )
            os.fsync(moving)
            os.fsync(self._folder)
            os.rename(_MOVING, name, src_dir_fd=archive, dst_dir_fd=archive)
            os.fsync(archive)
        return self._archived(name)

    def archived_before(self, edit: PlanFileEdit) -> Archived | None:
        """Return what the same change archived when it was made before, and was cut off then."""
        if os.path.lexists(self._archive / _MOVING):
            return self.archive(edit)
        name, _, key = (text_in(self._path.parent, _NOTE) or "").partition(" ")
        is_same = edit.key != "" and key == edit.key and is_archive_name(name)
        return self._archived(name) if is_same else None

    @property
    def _archive(self) -> Path:
        return self._path / ARCHIVE

    def _archived(self, name: str) -> Archived:
        return name, PlanFolder(self._archive / name, -1).readable()

    def readable(self) -> Texts:
        """Return what the files hold, without those that cannot be read."""
        texts: Texts = {}
        for which in PlanFile:
            with suppress(UnusableFileError):
                if (text := text_in(self._path, which.file_name)) is not None:
                    texts[which] = text
        return texts


def text_in(root: Path, path: str, *, is_exact: bool = False) -> str | None:
    """Return what a file holds; None where there is none.

    Raises:
        UnusableFileError: It is a link, no file, or too large; where it must be exact, no UTF-8.
    """
    try:
        content = safe_read(root, path, MAX_BYTES)
    except PathRefusedError as error:
        if error.problem is PathProblem.MISSING:
            return None
        raise UnusableFileError(f"{error}: a person must look at it") from error
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        if is_exact:
            raise BadUnicodeError(f"{path} is no UTF-8: replace it with write_plan") from error
        return content.decode(errors="replace")


def _replace(folder: int, name: str, text: str) -> None:
    """Give a name to a whole new file that is on the disk, and not only in its cache."""
    draft = f".{name}.{secrets.token_hex(4)}"
    try:
        with os.fdopen(os.open(draft, _NEW, 0o600, dir_fd=folder), "wb") as file:
            file.write(text.encode())
            file.flush()
            os.fsync(file.fileno())
        os.rename(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
    finally:
        with suppress(FileNotFoundError):
            os.unlink(draft, dir_fd=folder)
    os.fsync(folder)


@contextmanager
def opened(root: Path, place: Path) -> Generator[int]:
    """Open and lock a plan's folder; the folders on the way are made, and no link is followed."""
    folder = os.open(root, _FOLDER)
    try:
        for name in place.parts:
            with suppress(FileExistsError):
                os.mkdir(name, 0o700, dir_fd=folder)
            below = os.open(name, _FOLDER, dir_fd=folder)
            os.close(folder)
            folder = below
        fcntl.flock(folder, fcntl.LOCK_EX)
        yield folder
    finally:
        os.close(folder)


@contextmanager
def _below(folder: int, name: str) -> Generator[int]:
    with suppress(FileExistsError):
        os.mkdir(name, 0o700, dir_fd=folder)
    descriptor = os.open(name, _FOLDER, dir_fd=folder)
    try:
        yield descriptor
    finally:
        os.close(descriptor)
