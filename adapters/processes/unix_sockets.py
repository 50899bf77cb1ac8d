"""Unix sockets of this host that a sandbox could see: servers that act for whoever asks them.

A read-only mount doesn't keep anybody from connecting to a socket that lies in it, and Landlock has no
rule for it before Linux 7: so each one that the kernel knows by its path gets something to lie under.
"""

import os
import stat
from collections.abc import Iterable
from pathlib import Path

_TABLE = Path("/proc/net/unix")
_PATH_FIELD = 7
COVER = "/dev/null"
"""What lies on a socket: to connect to it is refused."""


def bound_sockets() -> list[Path]:
    """Return the sockets that processes of this host are bound to, by path, as far as we see them."""
    try:
        lines = _TABLE.read_bytes().splitlines()[1:]
    except OSError:
        return []
    paths = {fields[_PATH_FIELD] for line in lines if len(fields := line.split(None, 7)) > 7}  # noqa: PLR2004
    return sorted(Path(os.fsdecode(path)) for path in paths if path.startswith(b"/"))


def foreign_sockets(
    hidden: Iterable[Path], shown: Iterable[Path], own: Iterable[Path]
) -> list[Path]:
    """Return the sockets to be covered, by their real paths.

    What lies in `hidden` folders is not seen anyway, unless it lies in a `shown` one in them; what
    lies in `own` ones may be asked.
    """
    empty, seen, mine = [*hidden], [*shown], [*own]
    found: list[Path] = []
    for path in bound_sockets():
        try:
            real = path.parent.resolve(strict=True) / path.name
            is_socket = stat.S_ISSOCK(real.lstat().st_mode)
        except OSError:
            continue  # gone, or of another root
        is_there = _depth(real, seen) > _depth(real, empty) or not _depth(real, empty)
        if is_socket and is_there and not _depth(real, mine):
            found.append(real)
    return [*dict.fromkeys(found)]


def _depth(path: Path, folders: Iterable[Path]) -> int:
    """Return how deep the innermost of the folders lies that a path is in, 0 where it is in none."""
    return max((len(one.parts) for one in folders if path.is_relative_to(one)), default=0)
