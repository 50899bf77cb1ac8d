"""Leases of this host's ports: one table in the data folder, each number tried before it is given."""

import errno
import random
import socket
from pathlib import Path

from pydantic import ValidationError

from adapters.files.state_files import file_lock, write_atomic
from adapters.processes.listeners import Listeners
from domain.core.errors import WorkspaceError
from domain.core.wire import Wire

PORTS = range(20_000, 32_000)
"""Below the range that Linux hands out for outgoing connections (ip_local_port_range)."""

_NO_SUCH_FAMILY = {errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT}


class Lease(Wire):
    """One leased number."""

    owner: str
    port_id: str
    port: int


class _Table(Wire):
    leases: tuple[Lease, ...] = ()


def leases_in(file: Path) -> tuple[Lease, ...]:
    """Read a table of leases; one that is not there has none."""
    try:
        return _Table.model_validate_json(file.read_bytes()).leases
    except FileNotFoundError:
        return ()


class FilePortLeases:
    """The `PortLeases` port on a locked file, shared by all workers of a data folder."""

    def __init__(self, data_dir: Path) -> None:
        self._file = data_dir / "ports.json"
        self._lock = data_dir / "locks" / "ports.lock"
        self._listeners = Listeners(data_dir / "fences")

    async def lease(self, owner: str, port_id: str) -> int:
        """Return a port free on both address families, the same one when asked again.

        A lease survives restarts. One whose number a stranger listens on by now is for another
        number; the owner's own server may use it.

        Raises:
            WorkspaceError: No port is free.
        """
        async with file_lock(self._lock):
            leases = self._read()
            for known in leases:
                is_asked = (known.owner, known.port_id) == (owner, port_id)
                if is_asked and not await self._listeners.foreign(known.port, owner):
                    return known.port
            port = _free_port({known.port for known in leases}, f"{self._file}/{owner}/{port_id}")
            lease = Lease(owner=owner, port_id=port_id, port=port)
            self._write((*_without(leases, owner, port_id), lease))
            return port

    async def release(self, owner: str, port_id: str | None = None) -> None:
        """Give back a port of an owner, or all of them; what is not held is fine."""
        async with file_lock(self._lock):
            leases = self._read()
            kept = _without(leases, owner, port_id)
            if kept != leases:
                self._write(kept)

    async def owners(self) -> set[str]:
        """Return who holds ports."""
        async with file_lock(self._lock):
            return {known.owner for known in self._read()}

    def _read(self) -> tuple[Lease, ...]:
        try:
            return leases_in(self._file)
        except ValidationError as error:
            raise WorkspaceError(
                f"the table of leased ports, {self._file}, is not readable: "
                "stop all workers and remove it"
            ) from error

    def _write(self, leases: tuple[Lease, ...]) -> None:
        table = _Table(leases=leases).model_dump_json()
        write_atomic(self._file, table, is_durable=True)  # running tasks know their numbers


def _without(leases: tuple[Lease, ...], owner: str, port_id: str | None) -> tuple[Lease, ...]:
    return tuple(
        lease
        for lease in leases
        if lease.owner != owner or (port_id is not None and lease.port_id != port_id)
    )


def is_free(port: int) -> bool:
    """Tell whether a server could listen on a port now, on 127.0.0.1 and on ::1."""
    return all(
        _can_bind(family, address, port)
        for family, address in ((socket.AF_INET, "127.0.0.1"), (socket.AF_INET6, "::1"))
    )


def _free_port(taken: set[int], name: str) -> int:
    """Return a number by chance, so that two data folders on one host seldom try the same one.

    The chance is the name's, which the folder is a part of: a port that was given back and is asked
    for again has its old number, which its owner's running programs may know.
    """
    candidates = random.Random(name).sample(PORTS, len(PORTS))  # noqa: S311 - no secret
    for port in candidates:
        if port not in taken and is_free(port):
            return port
    raise WorkspaceError(f"no free port from {PORTS.start} to {PORTS.stop - 1}: end some servers")


def _can_bind(family: socket.AddressFamily, address: str, port: int) -> bool:
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            # a port in TIME_WAIT is free for a server, one that listens is not
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((address, port))
    except OSError as error:
        # a host without IPv6 cannot have the port in use there
        return family == socket.AF_INET6 and error.errno in _NO_SUCH_FAMILY
    return True
