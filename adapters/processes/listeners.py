"""Who listens on a port of this host: a workspace's own processes, or somebody else's."""

import asyncio
import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import psutil

from adapters.processes.fences import fence_folder, run_prefix
from adapters.processes.presence import is_started_for

_LISTENING = "0A"
_SOCKET = "socket:["
_LOOPBACK_OR_ANY = {
    "0100007F",
    "00000000",
    "00000000000000000000000000000000",
    "00000000000000000000000001000000",
    "0000000000000000FFFF00000100007F",
}
"""127.0.0.1, 0.0.0.0, ::, ::1 and ::ffff:127.0.0.1 as /proc/net/tcp and tcp6 write them."""


class Listeners:
    """Tells a workspace's servers from others, by the kernel's tables and the fences' pipes."""

    def __init__(self, fences_folder: Path) -> None:
        self._fences = fences_folder

    async def foreign(self, port: int, workspace_id: str) -> str:
        """Return who listens on a port and is not of a workspace; empty where nobody does.

        In words for a person: a process's name and id, or that it is hidden from us.
        """
        return await asyncio.to_thread(self._foreign, port, workspace_id)

    def _foreign(self, port: int, workspace_id: str) -> str:
        sockets = _listening(port)
        if not sockets:
            return ""
        fence = fence_folder(self._fences, workspace_id)
        holders = _holders(sockets)
        strangers = [pid for pid in holders if not _is_of(pid, fence)]
        if strangers:
            return ", ".join(sorted(_describe(pid) for pid in strangers))
        return "" if holders else "a process of another user"


def listening_ports() -> frozenset[int]:
    """Return the ports of this host that somebody listens on."""
    return frozenset(port for _, port, _ in _listening_sockets())


def _listening(port: int) -> set[str]:
    """Return the inodes of the sockets that listen on a port of loopback or of all addresses."""
    return {
        inode
        for address, number, inode in _listening_sockets()
        if number == port and address in _LOOPBACK_OR_ANY
    }


def _listening_sockets() -> Iterator[tuple[str, int, str]]:
    """Yield address, port and inode of every socket that listens."""
    for table in ("tcp", "tcp6"):
        try:
            lines = Path("/proc/net", table).read_text().splitlines()[1:]
        except OSError:
            continue  # a host without IPv6
        for fields in map(str.split, lines):
            address, _, number = fields[1].partition(":")
            if fields[3] == _LISTENING:
                yield address, int(number, 16), fields[9]


def _holders(inodes: Iterable[str]) -> list[int]:
    """Return the processes that have one of these sockets open."""
    wanted = {f"{_SOCKET}{inode}]" for inode in inodes}
    found: list[int] = []
    for name in os.listdir("/proc"):  # noqa: PTH208 - half the cost of Path.iterdir on every scan
        if not name.isdecimal():
            continue
        try:
            links = os.listdir(f"/proc/{name}/fd")  # noqa: PTH208 - as above
            if any(_link(f"/proc/{name}/fd/{fd}") in wanted for fd in links):
                found.append(int(name))
        except OSError:
            continue  # gone, or another user's
    return found


def _link(path: str) -> str:
    try:
        return os.readlink(path)  # noqa: PTH115 - hundreds a scan
    except OSError:
        return ""


def _is_of(pid: int, fence: Path) -> bool:
    """Tell whether a process, or one above it, was started for a workspace."""
    try:
        about = (fence / "present").stat()
    except OSError:
        return False
    while pid > 1 and pid != os.getpid():
        if is_started_for(pid, about, run_prefix(fence)):
            return True
        try:
            pid = psutil.Process(pid).ppid()
        except psutil.Error:
            return False
    return False


def _describe(pid: int) -> str:
    try:
        return f"{psutil.Process(pid).name()} (process {pid})"
    except psutil.Error:
        return f"process {pid}"
