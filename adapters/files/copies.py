"""Copies of what an agent may write to while it is copied: no link is followed on either side."""

import errno
import os
import stat
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from fcntl import ioctl
from pathlib import Path, PurePosixPath
from threading import Event

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_CLONE = 0x40049409  # FICLONE (linux/fs.h): the blocks are shared until one side writes
_CHUNK_BYTES = 1 << 20
_TEXT_BYTES = 1 << 20
_DEEPEST = 100
_GONE = {errno.ENOENT, errno.ELOOP, errno.ENOTDIR, errno.EACCES, errno.EPERM, errno.ENXIO}
"""What happens to one entry, as its owner changes it meanwhile or nobody may read it."""


@dataclass(frozen=True)
class Copying:
    """How to copy: what is `left_out` by its name, and text that is `replaced` in small text files.

    Once `stop` is set nothing more is copied.
    """

    left_out: Callable[[str], bool]
    stop: Event
    replaced: tuple[bytes, bytes] | None = None

    def copy(self, source: Path, target: Path, path: str) -> bool:
        """Copy a folder or file beneath one folder to the same place beneath another.

        Tells whether it is there now: what is there already, or lies behind a link, is left alone.

        Raises:
            OSError: It cannot be written, as on a full disk.
        """
        *above, name = PurePosixPath(path).parts
        with ExitStack() as opened:
            try:
                there = opened.enter_context(_folder(source))
                for part in above:
                    there = opened.enter_context(_folder(part, there))
                os.stat(name, dir_fd=there, follow_symlinks=False)
                here = opened.enter_context(_folder(target))
                for part in above:
                    with suppress(FileExistsError):
                        os.mkdir(part, 0o755, dir_fd=here)
                    here = opened.enter_context(_folder(part, here))
            except OSError as error:
                if error.errno in _GONE:
                    return False
                raise
            return self._entry(there, here, name, 0)

    def _entry(self, there: int, here: int, name: str, depth: int) -> bool:
        if self.stop.is_set():
            return False
        try:
            mode = os.stat(name, dir_fd=there, follow_symlinks=False).st_mode
            if stat.S_ISLNK(mode):
                os.symlink(os.readlink(name, dir_fd=there), name, dir_fd=here)
            elif stat.S_ISDIR(mode) and depth < _DEEPEST:
                self._folder(there, here, name, depth)
            elif stat.S_ISREG(mode):
                self._file(there, here, name)
            else:
                return False
        except FileExistsError:
            return False
        except OSError as error:
            if error.errno in _GONE:
                return False
            raise
        return True

    def _folder(self, there: int, here: int, name: str, depth: int) -> None:
        with _folder(name, there) as source:
            os.mkdir(name, 0o700, dir_fd=here)
            with _folder(name, here) as target:
                for entry in os.listdir(source):  # noqa: PTH208 - by its descriptor
                    if not self.left_out(entry):
                        self._entry(source, target, entry, depth + 1)
                _like(source, target, 0o700)

    def _file(self, there: int, here: int, name: str) -> None:
        source = os.open(name, _READ, dir_fd=there)
        try:
            if not stat.S_ISREG(os.fstat(source).st_mode):
                return
            target = os.open(name, _NEW, 0o600, dir_fd=here)
            try:
                self._content(source, target)
                _like(source, target, 0o600)
            finally:
                os.close(target)
        finally:
            os.close(source)

    def _content(self, source: int, target: int) -> None:
        if self.replaced and os.fstat(source).st_size <= _TEXT_BYTES:
            content = os.read(source, _TEXT_BYTES)
            if self.replaced[0] in content and b"\0" not in content:
                content = content.replace(*self.replaced)
            _write(target, content)
            return
        with suppress(OSError):
            ioctl(target, _CLONE, source)
            return
        while chunk := os.read(source, _CHUNK_BYTES):
            _write(target, chunk)


@contextmanager
def _folder(name: str | Path, within: int | None = None) -> Generator[int]:
    opened = os.open(name, _FOLDER, dir_fd=within)
    try:
        yield opened
    finally:
        os.close(opened)


def _like(source: int, target: int, at_least: int) -> None:
    """Give a copy the mode and the times of what it is of; build tools go by these."""
    about = os.fstat(source)
    os.fchmod(target, (about.st_mode & 0o777) | at_least)
    os.utime(target, ns=(about.st_atime_ns, about.st_mtime_ns))


def _write(target: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(target, left) :]
