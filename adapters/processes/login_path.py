"""The PATH that agents and steps get: as the user's login shell has it, without what is Treadle's own."""

import os
import pwd
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from adapters.files.state_files import write_atomic
from adapters.processes.command import Command
from adapters.processes.spawner import Spawner

LIMIT_SECONDS = 5.0
"""How long a login shell may take; one that takes longer is not waited for."""

_MARK = "treadle-path-is"
_PLAIN_PATH = "/usr/local/bin:/usr/bin:/bin"
"""What the login shell is started with, so that what it has beside that is its own."""

_OUTPUT_BYTES = 1 << 20


async def note_path(
    spawner: Spawner,
    environment: Mapping[str, str],
    data_dir: Path,
    limit_seconds: float = LIMIT_SECONDS,
) -> str:
    """Return the PATH for all children of this worker, and keep it for those who only look.

    A login shell that says nothing leaves the worker's own PATH.
    """
    printed = await login_path(spawner, environment, limit_seconds)
    path = children_path(environment.get("PATH", os.defpath), printed)
    file = _file(data_dir)
    file.parent.mkdir(mode=0o700, exist_ok=True)
    write_atomic(file, path)
    return path


def noted_path(data_dir: Path, own: str | None) -> str:
    """Return the PATH that children of the last worker got; before its first start, what they would."""
    with suppress(OSError, UnicodeDecodeError):
        return _file(data_dir).read_text(encoding="utf-8")
    return children_path(own or os.defpath, "")


def with_own_programs(path: str) -> str:
    """Return a PATH for Treadle's own use: what was installed with it is found last."""
    return os.pathsep.join((path, str(_own_programs())))


def children_path(own: str, login: str) -> str:
    """Return the folders of the login shell's PATH, and those that only the worker's has.

    One of these comes in front of the one that it is in front of in the worker's PATH, so that what
    the user put first before starting Treadle stays first. The folder of Treadle's own environment
    is not among them: its `python` and `pytest` are nobody else's.
    """
    merged = list(dict.fromkeys(filter(None, login.split(os.pathsep))))
    place = len(merged)
    for folder in reversed([*dict.fromkeys(filter(None, own.split(os.pathsep)))]):
        if folder in merged:
            place = merged.index(folder)
        elif not _is_ours(folder):
            merged.insert(place, folder)
    return os.pathsep.join(merged)


async def login_path(
    spawner: Spawner, environment: Mapping[str, str], limit_seconds: float = LIMIT_SECONDS
) -> str:
    """Return the PATH that the user's login shell has, empty where it does not say it in time.

    It is asked as a terminal does, so what is set for interactive use counts, too. All that it
    starts ends with it.
    """
    shell = environment.get("SHELL") or _users_shell()
    if not shell.startswith("/"):
        return ""
    words = f"echo; echo {_MARK}; printenv PATH; echo {_MARK}"
    command = Command(
        (shell, "-l", "-i", "-c", words),
        Path(environment.get("HOME") or "/"),
        {"PATH": _PLAIN_PATH, "TERM": "dumb"},
        is_uncovered=True,
    )
    try:
        done = await spawner.run(
            command, limit_seconds=limit_seconds, output_limit_bytes=_OUTPUT_BYTES
        )
    except OSError:
        return ""
    _, _, after = done.output.text().partition(f"\n{_MARK}\n")
    printed, is_whole, _ = after.partition(f"\n{_MARK}")
    return ":".join(filter(os.path.isabs, printed.split(":"))) if is_whole else ""


def _users_shell() -> str:
    try:
        return pwd.getpwuid(os.getuid()).pw_shell
    except KeyError:
        return ""


def _own_programs() -> Path:
    return Path(sys.prefix) / "bin"


def _is_ours(folder: str) -> bool:
    """Tell whether a folder is of the environment made for Treadle; a machine's own Python is not."""
    is_apart = sys.prefix != sys.base_prefix
    return is_apart and os.path.realpath(folder) == os.path.realpath(_own_programs())


def _file(data_dir: Path) -> Path:
    return data_dir / "sandbox" / "path"
