"""What a check of a receipt reads: files that may be anything, and the tree of a commit."""

import errno
import os
import stat
import subprocess
from pathlib import Path

from cli.core.console import USAGE
from cli.core.errors import CommandError
from settings import environment

_SAFE = ("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null")
_INHERITED = ("PATH", "HOME", "XDG_CONFIG_HOME")
_ENVIRONMENT = {
    "GIT_NO_REPLACE_OBJECTS": "1",  # a commit is what its id says, whatever refs/replace has
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_GRAFT_FILE": os.devnull,
    "LC_ALL": "C.UTF-8",
}
_LIMIT_SECONDS = 30.0
_LAST_WORDS = 300


class UnusableFileError(CommandError):
    """A file or folder that was named cannot be used."""

    code = USAGE


def read_bounded(file: Path, most: int) -> bytes:
    """Return the content of a plain file, one byte more than `most` of it where it is longer.

    Raises:
        UnusableFileError: It cannot be read, or is a link, a folder or a device.
    """
    try:
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno == errno.ELOOP:
            raise UnusableFileError(f"{file} is a symbolic link: name the file itself") from error
        why = error.strerror if isinstance(error, OSError) else str(error)
        raise UnusableFileError(f"{file} cannot be read: {why}") from error
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise UnusableFileError(f"{file} is no plain file")
    with os.fdopen(descriptor, "rb") as opened:
        return opened.read(most + 1)


def tree_at(folder: Path, revision: str) -> tuple[str, str]:
    """Return the commit that a revision of a repository is, and its tree.

    Raises:
        UnusableFileError: It is no repository, or has no such commit.
    """
    commit = _resolved(folder, f"{revision}^{{commit}}", revision)
    return commit, _resolved(folder, f"{commit}^{{tree}}", revision)


def _resolved(folder: Path, wanted: str, revision: str) -> str:
    words = ("rev-parse", "--verify", "--end-of-options", wanted)
    try:
        done = subprocess.run(  # noqa: S603  (asked of git, behind --end-of-options)
            ["git", *_SAFE, *words],  # noqa: S607
            cwd=folder,
            env={**environment(_INHERITED), **_ENVIRONMENT},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_LIMIT_SECONDS,
            check=False,
        )
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise UnusableFileError(f"git cannot look at {folder}: {error}") from error
    if done.returncode != 0:
        last = done.stderr.decode(errors="replace").strip()[-_LAST_WORDS:]
        raise UnusableFileError(f"{folder} has no commit {revision!r}: {last}")
    return done.stdout.decode().strip()
