"""Who has a named pipe open: the processes started for a workspace, as the kernel knows them."""

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from adapters.processes.run_ledger import MARKER

_CHUNK_BYTES = 65_536
_MAX_CHUNKS = 64


def is_deserted(pipe: Path) -> bool:
    """Tell whether no process has a pipe open for writing: reading then finds its end at once."""
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        for _ in range(_MAX_CHUNKS):  # somebody may have written into it
            if not os.read(reader, _CHUNK_BYTES):
                return True
    except BlockingIOError:
        return False
    finally:
        os.close(reader)
    return False


@contextmanager
def present(pipe: Path, run_prefix: str) -> Generator[dict[int, int]]:
    """Find every process that has a pipe open or inherited a run id; gives handles (pidfds) by pid.

    A handle never means a later process that got the pid. The run id finds what closed the pipe
    where there is no namespace that would end it. A process that only reads is another taker, which
    looks whether the pipe is deserted.
    """
    about = pipe.stat()
    marker = f"{MARKER}={run_prefix}-".encode()
    handles: dict[int, int] = {}
    try:
        for name in os.listdir("/proc"):  # noqa: PTH208 - half the cost of Path.iterdir
            if name.isdecimal() and int(name) != os.getpid() and _is_present(name, about, marker):
                with suppress(ProcessLookupError):
                    handles[int(name)] = os.pidfd_open(int(name))
        yield handles
    finally:
        for handle in handles.values():
            os.close(handle)


def is_started_for(pid: int, pipe: os.stat_result, run_prefix: str) -> bool:
    """Tell whether a process has a workspace's pipe open, or inherited a run id of it."""
    return _is_present(str(pid), pipe, f"{MARKER}={run_prefix}-".encode())


def _is_present(pid: str, about: os.stat_result, marker: bytes) -> bool:
    folder = f"/proc/{pid}"
    try:
        with open(f"{folder}/environ", "rb") as environment:  # noqa: PTH123 - hundreds a scan
            if any(entry.startswith(marker) for entry in environment.read().split(b"\0")):
                return True
        return any(_is_open(f"{folder}/fd/{fd}", about) for fd in os.listdir(f"{folder}/fd"))  # noqa: PTH208 - as above
    except OSError:
        return False  # gone, or another user's


def _is_open(link: str, about: os.stat_result) -> bool:
    """Tell whether a descriptor is the pipe, open for writing: its link's mode says so.

    Other file systems, and the kernel's unnamed pipes, have pipes of the same inode number.
    """
    try:
        found = os.stat(link)  # noqa: PTH116 - hundreds a scan
        return os.path.samestat(found, about) and bool(os.lstat(link).st_mode & stat.S_IWUSR)
    except OSError:
        return False
