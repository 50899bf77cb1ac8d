"""Which of some files are opened while a step runs: by inotify, each told once (inotify(7)).

It tells that a file was opened, to be run or to be read, and not by whom: the caller watches files
that nobody else reaches. Where the kernel has no watch left, a file counts as not watched.
"""

import ctypes
import os
import struct
import sys
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

_OPEN = 0x20
_ONCE, _THE_LINK_ITSELF = 0x80000000, 0x02000000
_FLAGS = os.O_NONBLOCK | os.O_CLOEXEC
_EVENT = struct.Struct("iIII")
_CHUNK_BYTES = 1 << 16


class OpenWatch:
    """Watches files beneath a folder from now on, until it is asked or closed."""

    def __init__(self, folder: Path, names: Iterable[str]) -> None:
        self.unwatched: set[str] = set()
        self._watches: dict[int, set[str]] = {}
        self._opened: set[str] = set()
        self._descriptor = _begin()
        for name in names:
            number = _watch(self._descriptor, folder / name)
            if number < 0:
                self.unwatched.add(name)
            else:  # names of one file have one watch
                self._watches.setdefault(number, set()).add(name)

    def end(self) -> frozenset[str]:
        """Return which were opened, and watch no more."""
        while chunk := self._read():
            at = 0
            while at < len(chunk):
                number, mask, _, length = _EVENT.unpack_from(chunk, at)
                at += _EVENT.size + length
                if mask & _OPEN:
                    self._opened |= self._watches.get(number, set())
        self.close()
        return frozenset(self._opened)

    def close(self) -> None:
        """Watch no more; once more is fine."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1

    def _read(self) -> bytes:
        with suppress(BlockingIOError):
            return os.read(self._descriptor, _CHUNK_BYTES) if self._descriptor >= 0 else b""
        return b""


def _begin() -> int:
    return _libc().inotify_init1(_FLAGS) if sys.platform == "linux" else -1


def _watch(descriptor: int, file: Path) -> int:
    if descriptor < 0:
        return -1
    mask = ctypes.c_uint32(_OPEN | _ONCE | _THE_LINK_ITSELF)
    return _libc().inotify_add_watch(descriptor, os.fsencode(file), mask)


@cache
def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
