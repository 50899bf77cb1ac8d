"""Places of the data folder that something else is in: a folder where a file is kept, or the reverse.

What Treadle makes anew goes on beside it; what threads cannot do without is named instead.
"""

import os
from collections.abc import Iterator
from itertools import count
from pathlib import Path

ASIDE = ".aside"

FILES = (
    *("api.sock", "engine.json", "engine.new", "engine.lock", "worker.lock", "worker.polls"),
    "version.json",
    *("litter", "ports.json", "token", "sandbox/path", "sandbox/gitconfig"),
    *("locks/*.lock", "logs/*.log", "logs/*.log.1", "trust/*.json", "agents-seen/*.json"),
    *("refs/*", "*.db-wal", "*.db-shm", "*.db-journal"),
)
"""Files that are made anew where they are missing, as patterns."""

FOLDERS = (
    *("logs", "runs", "fences", "locks", "refs", "worktrees", "agents", "agents-seen"),
    *("trust", "terminals", "services", "activities", "sandbox", "programs"),
)
"""Folders that are."""


LASTING = ("decision.key", "payload.keys", "host-id")
"""Small files that are not, where threads were begun with them."""


class PlaceTakenError(Exception):
    """A folder is where a file is that nothing else can take the place of; the message says which."""


def clear_places(data_dir: Path) -> list[str]:
    """Set aside what is in the place of a file or folder that is made anew; says in words what was.

    Raises:
        OSError: It cannot be moved.
    """
    return [_set_aside(path) for path in _taken(data_dir)]


def refuse_folders(data_dir: Path) -> None:
    """Refuse a folder in the place of a file that is not made anew.

    Raises:
        PlaceTakenError: There is one.
    """
    for file in (data_dir / name for name in LASTING):
        if file.is_dir():
            raise PlaceTakenError(
                f"{file} is a folder, and Treadle keeps a file of that name: move the folder away; where "
                "the file was there before, put it back, or `treadle restore BACKUP --force`"
            )


def _taken(data_dir: Path) -> Iterator[Path]:
    for name in FOLDERS:
        if (data_dir / name).is_file():
            yield data_dir / name
    for pattern in FILES:
        for path in list(data_dir.glob(pattern)):
            if path.is_dir() and ASIDE not in path.name:
                yield path


def _set_aside(path: Path) -> str:
    was, wanted = ("folder", "file") if path.is_dir() else ("file", "folder")
    names = (f"{path.name}{ASIDE}{'' if n == 1 else n}" for n in count(1))
    target = next(path.with_name(n) for n in names if not os.path.lexists(path.with_name(n)))
    path.rename(target)
    return f"a {was} was in the place of the {wanted} {path}: it is {target} now"
