"""How much room folders take: blocks on the disk, hard links once, nothing behind a link or on another disk."""

import os
import stat
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_BLOCK = 512
"""What st_blocks counts in, whatever the file system's own blocks are."""

_REMEMBERED = 20_000


@dataclass(frozen=True)
class Measured:
    """The room that a folder takes, and when something in it changed last."""

    size_bytes: int = 0
    changed_at: float = 0.0


class Measure:
    """Measures folders one after the other, for a limited time; what it does not get to counts as nothing.

    Files with several names count where they are found first. Blocks that copies share (reflinks) cannot be
    told, and count for each.
    """

    def __init__(
        self, limit_seconds: float, known: "dict[tuple[str, int], Measured] | None" = None
    ) -> None:
        """Begin now; `known` keeps what does not change between measures."""
        self._ends_at = time.monotonic() + limit_seconds
        self._seen = set[tuple[int, int]]()
        self._known = {} if known is None else known
        self.is_whole = True

    def of(self, folder: Path) -> Measured:
        """Return what a folder takes; nothing for one that is not there or that is a link."""
        try:
            about = folder.lstat()
        except OSError:
            return Measured()
        if not stat.S_ISDIR(about.st_mode):
            return Measured()
        total, changed = about.st_blocks, about.st_mtime
        for file in self._below(os.fspath(folder), about.st_dev):
            if file.st_nlink > 1 and not stat.S_ISDIR(file.st_mode):
                name = (file.st_dev, file.st_ino)
                if name in self._seen:
                    continue
                self._seen.add(name)
            total += file.st_blocks
            changed = max(changed, file.st_mtime)
        return Measured(total * _BLOCK, changed)

    def of_unchanging(self, folder: Path) -> Measured:
        """Return what a folder takes that nobody writes to once it is there; found at the first time, then known."""
        try:
            key = (os.fspath(folder), folder.lstat().st_ino)
        except OSError:
            return Measured()
        if (found := self._known.get(key)) is None:
            found = self.of(folder)
            if self.is_whole:
                if len(self._known) >= _REMEMBERED:
                    self._known.clear()
                self._known[key] = found
        return found

    def _below(self, top: str, device: int) -> Iterator[os.stat_result]:
        folders = [top]
        while folders:
            if time.monotonic() > self._ends_at:
                self.is_whole = False
                return
            try:
                with os.scandir(folders.pop()) as entries:
                    for entry in entries:
                        about = _about(entry)
                        if about is None or about.st_dev != device:
                            continue
                        if stat.S_ISDIR(about.st_mode):
                            folders.append(entry.path)
                        yield about
            except OSError:
                continue  # it is gone meanwhile, or an agent made it unreadable


def _about(entry: "os.DirEntry[str]") -> os.stat_result | None:
    try:
        return entry.stat(follow_symlinks=False)
    except OSError:
        return None
