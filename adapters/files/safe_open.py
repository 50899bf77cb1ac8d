"""Files whose path somebody else chose: opened below a folder, never outside of it, never by a link.

The kernel resolves the path in one step (openat2(2)), so nobody can put a link in between a check
and its use. Where a kernel has no openat2, each folder on the way is opened
by itself with O_NOFOLLOW, which is as safe and slower.

A hard link cannot be told from its file. Who makes one can reach the file already, and writing here
replaces a name and never the content behind it.
"""

import ctypes
import errno
import os
import secrets
import stat
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from enum import StrEnum
from functools import cache
from pathlib import Path

from adapters.disk_room import is_full, naming_file

_SYS_OPENAT2 = 437  # the same number on every architecture that Linux gave it to
_RESOLVE = 0x02 | 0x04 | 0x08  # NO_MAGICLINKS, NO_SYMLINKS, BENEATH (linux/openat2.h)
_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY  # neither waits for a FIFO nor takes a terminal
_FOLDER = os.O_PATH | os.O_DIRECTORY
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
_LONGEST_BYTES = 4095
_ECHO = 80


class PathProblem(StrEnum):
    """What is wrong with a path, in words."""

    NOT_A_PATH = "is not a path"
    OUTSIDE = "is outside the folder: give a path inside it, without '..'"
    LINK = "is or goes through a symbolic link"
    MISSING = "does not exist"
    NOT_REGULAR = "is not a regular file"
    TOO_BIG = "is too big"
    UNREADABLE = "cannot be opened"
    TAKEN = "is there already"


class PathRefusedError(OSError):
    """A path was not opened; `problem` says why."""

    def __init__(self, path: str, problem: PathProblem, detail: str = "") -> None:
        shown = path if len(path) <= _ECHO else f"{path[:_ECHO]}…"
        super().__init__(f"{shown!r} {problem}{f' ({detail})' if detail else ''}")
        self.problem = problem


def safe_stat(root: Path, path: str) -> os.stat_result:
    """Return what is known of a regular file; it need not be readable.

    Raises:
        PathRefusedError: As for all functions here; also where `root` itself is a link.
    """
    with _opened(root, path, os.O_PATH) as descriptor:
        return _regular(descriptor, path)


def safe_read(root: Path, path: str, limit_bytes: int) -> bytes:
    """Return a regular file's content, of at most so many bytes; a FIFO or device never blocks."""
    with _opened(root, path, _READ) as descriptor:
        _regular(descriptor, path)
        with os.fdopen(os.dup(descriptor), "rb") as file:
            content = file.read(limit_bytes + 1)
    if len(content) > limit_bytes:
        raise PathRefusedError(path, PathProblem.TOO_BIG, f"at most {limit_bytes} bytes are read")
    return content


def list_folders(root: Path, path: str) -> list[str]:
    """Return the names of the folders in a folder, and of links, sorted; none where it is missing."""
    return _names(root, path, lambda entry: entry.is_symlink() or entry.is_dir())


def list_files(root: Path, path: str, suffix: str) -> list[str]:
    """Return the names in a folder with a suffix, sorted, of whatever it may be but a folder."""
    return _names(root, path, lambda e: e.name.endswith(suffix) and not e.is_dir())


def _names(root: Path, path: str, is_wanted: Callable[[os.DirEntry[str]], bool]) -> list[str]:
    try:
        with (
            _opened(root, path, os.O_RDONLY | os.O_DIRECTORY) as descriptor,
            os.scandir(descriptor) as entries,
        ):
            return sorted(entry.name for entry in entries if is_wanted(entry))
    except PathRefusedError as error:
        if error.problem is PathProblem.MISSING:
            return []
        raise


def safe_write(
    root: Path, path: str, content: bytes, *, is_public: bool = False, is_program: bool = False
) -> None:
    """Replace a file by a whole new one of mode 0600; folders on the way are made, mode 0700.

    A public one, its folders, and public programs are for everybody to use as the umask says.
    """
    mode = (0o777 if is_program else 0o666) if is_public else 0o600
    with (
        _made_folder(root, path, 0o777 if is_public else 0o700) as (folder, name),
        _draft(folder, name, content, mode) as draft,
    ):
        os.rename(draft, name, src_dir_fd=folder, dst_dir_fd=folder)


def safe_create(root: Path, path: str, content: bytes) -> None:
    """Write a whole new public file; what is there already is never replaced."""
    with (
        _made_folder(root, path, 0o777) as (folder, name),
        _draft(folder, name, content, 0o666) as draft,
    ):
        try:
            os.link(draft, name, src_dir_fd=folder, dst_dir_fd=folder)
        except OSError as error:
            if is_full(error):
                raise
            raise _refusal(path, error) from error


def safe_remove(root: Path, path: str) -> None:
    """Remove a file, or a link itself."""
    *_, name = _parts(path)
    with _opened(root, path.rpartition("/")[0] or ".", _FOLDER) as folder:
        os.unlink(name, dir_fd=folder)


@cache
def has_openat2() -> bool:
    """Tell whether the kernel, and the sandbox that this process may live in, allow openat2."""
    if sys.platform != "linux":
        return False
    try:
        os.close(_openat2(-100, b".", _FOLDER))  # -100 is AT_FDCWD
    except OSError:
        return False
    return True


@contextmanager
def _made_folder(root: Path, path: str, mode: int) -> Generator[tuple[int, str]]:
    """Open the folder of a file, made where it is missing, and tell its name; lack of room names it."""
    *folders, name = _parts(path)
    with _root(root) as descriptor, naming_file(root / path):
        folder = os.dup(descriptor)
        try:
            for each in folders:
                with suppress(FileExistsError):
                    os.mkdir(each, mode, dir_fd=folder)
                below = _open(folder, each, _FOLDER, path)
                os.close(folder)
                folder = below
            yield folder, name
        finally:
            os.close(folder)


@contextmanager
def _draft(folder: int, name: str, content: bytes, mode: int) -> Generator[str]:
    """Write a file under a name of its own; the block puts it in its place."""
    draft = f".{name[:100]}.{secrets.token_hex(4)}"
    descriptor = os.open(draft, _NEW, mode, dir_fd=folder)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        yield draft
    finally:
        with suppress(FileNotFoundError):
            os.unlink(draft, dir_fd=folder)


def _regular(descriptor: int, path: str) -> os.stat_result:
    found = os.fstat(descriptor)
    if not stat.S_ISREG(found.st_mode):
        raise PathRefusedError(path, PathProblem.NOT_REGULAR)
    return found


@contextmanager
def _opened(root: Path, path: str, flags: int) -> Generator[int]:
    relative = "/".join(_parts(path))
    with _root(root) as folder:
        descriptor = _open(folder, relative, flags, path)
    try:
        if path.endswith("/") and not flags & os.O_DIRECTORY:
            raise PathRefusedError(path, PathProblem.NOT_REGULAR)
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _root(root: Path) -> Generator[int]:
    try:
        descriptor = os.open(root, _FOLDER | os.O_NOFOLLOW | os.O_CLOEXEC)
    except OSError as error:
        raise _refusal(str(root), error) from error
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _parts(path: str) -> list[str]:
    """Return the names on the way; what can be told from the text alone is refused here."""
    is_text = path and "\0" not in path and not any("\ud800" <= c <= "\udfff" for c in path)
    if not is_text or len(path.encode()) > _LONGEST_BYTES:
        raise PathRefusedError(path, PathProblem.NOT_A_PATH)  # the system call ends at a NUL
    names = [name for name in path.split("/") if name not in {"", "."}]
    if path.startswith("/") or ".." in names:
        raise PathRefusedError(path, PathProblem.OUTSIDE)
    return names or ["."]


def _open(folder: int, relative: str, flags: int, path: str) -> int:
    name = os.fsencode(relative)
    try:
        if has_openat2():
            return _openat2(folder, name, flags)
        return _walk(folder, name.split(b"/"), flags)
    except OSError as error:
        raise _refusal(path, error) from error


def _refusal(path: str, error: OSError) -> PathRefusedError:
    problems = {
        errno.EXDEV: PathProblem.OUTSIDE,
        errno.ELOOP: PathProblem.LINK,
        errno.ENOENT: PathProblem.MISSING,
        errno.ENOTDIR: PathProblem.MISSING,
        errno.ENXIO: PathProblem.NOT_REGULAR,  # a socket
        errno.ENAMETOOLONG: PathProblem.NOT_A_PATH,
        errno.EEXIST: PathProblem.TAKEN,
    }
    problem = problems.get(error.errno or 0, PathProblem.UNREADABLE)
    is_told = problem is not PathProblem.UNREADABLE
    return PathRefusedError(path, problem, "" if is_told else error.strerror or "")


class _OpenHow(ctypes.Structure):
    _fields_ = (
        ("flags", ctypes.c_uint64),
        ("mode", ctypes.c_uint64),
        ("resolve", ctypes.c_uint64),
    )


def _openat2(folder: int, name: bytes, flags: int) -> int:
    how = _OpenHow(flags=flags | os.O_CLOEXEC, mode=0, resolve=_RESOLVE)
    arguments = (
        ctypes.c_long(folder),
        name,
        ctypes.byref(how),
        ctypes.c_size_t(ctypes.sizeof(how)),
    )
    descriptor = _libc().syscall(ctypes.c_long(_SYS_OPENAT2), *arguments)
    if descriptor < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return descriptor


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _walk(folder: int, names: list[bytes], flags: int) -> int:
    """Open a path name by name, where openat2 is not to be had."""
    current = os.dup(folder)
    try:
        for name in names[:-1]:
            below = _step(current, name, _FOLDER)
            os.close(current)
            current = below
        return _step(current, names[-1], flags)
    finally:
        os.close(current)


def _step(folder: int, name: bytes, flags: int) -> int:
    """Open one name; O_PATH opens a link itself and O_DIRECTORY says ENOTDIR to it: tell it apart."""
    try:
        descriptor = os.open(name, flags | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    except NotADirectoryError:
        if stat.S_ISLNK(os.stat(name, dir_fd=folder, follow_symlinks=False).st_mode):
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None
        raise
    if stat.S_ISLNK(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return descriptor
