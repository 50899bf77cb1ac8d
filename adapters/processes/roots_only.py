"""What only root may read, covered in the sandboxes of a run of root.

An ordinary user's processes are kept from it by the files' modes; root's own are not. So a run of root
covers what others could not read: homes, logs, spools, and what the modes say in the folders below.
"""

import os
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

EMPTIED = tuple(
    map(Path, ("/root", "/home", "/var/log", "/var/backups", "/var/spool", "/var/mail"))
)
"""Covered whole, whatever their modes."""

LOOKED_THROUGH = {
    Path(os.sep): 0,
    Path("/etc"): 8,
    Path("/var"): 2,
    Path("/opt"): 2,
    Path("/srv"): 2,
    **dict.fromkeys(map(Path, ("/usr/local", "/boot", "/mnt", "/media")), 1),
}
"""Folders whose modes are looked at, and how many levels below them."""


@dataclass(frozen=True)
class RootsOnly:
    """Folders that are empty, and files that cannot be read."""

    folders: tuple[Path, ...] = ()
    files: tuple[Path, ...] = ()

    def arguments(self) -> Iterator[str]:
        """Give bubblewrap's arguments for what is still there."""
        for folder in filter(os.path.isdir, self.folders):
            yield from ("--tmpfs", str(folder))
        for file in filter(os.path.isfile, self.files):
            yield from ("--ro-bind", os.devnull, str(file))


def roots_only(
    emptied: tuple[Path, ...] = EMPTIED, looked_through: Mapping[Path, int] = LOOKED_THROUGH
) -> RootsOnly:
    """Return what is to be covered for this process's user: for others than root nothing."""
    if os.geteuid():
        return RootsOnly()
    found = [one for top, depth in looked_through.items() for one in _closed(top, depth)]
    folders = {path for path, is_folder in found if is_folder} | {*filter(Path.is_dir, emptied)}
    outer = [path for path in folders if not folders.intersection(path.parents)]
    files = [path for path, is_folder in found if not is_folder]
    return RootsOnly(
        tuple(sorted(outer)),
        tuple(sorted(f for f in files if not folders.intersection(f.parents))),
    )


def _closed(top: Path, depth: int) -> Iterator[tuple[Path, bool]]:
    """Give what others cannot enter or read below a folder, and whether it is a folder itself."""
    try:
        entries = [(entry.path, entry.stat(follow_symlinks=False)) for entry in os.scandir(top)]
    except OSError:
        return  # gone, or no folder
    for path, about in entries:
        if stat.S_ISDIR(about.st_mode):
            if not about.st_mode & stat.S_IXOTH:
                yield Path(path), True
            elif depth > 0:
                yield from _closed(Path(path), depth - 1)
        elif stat.S_ISREG(about.st_mode) and not about.st_mode & stat.S_IROTH:
            yield Path(path), False
