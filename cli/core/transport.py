"""Connecting to the engine: by its socket, which only its owner can use, otherwise by its port.

Anybody may listen on a free port and would receive the token; so the port is used only if its listener
belongs to the token's owner.
"""

import json
import os
from pathlib import Path

import httpx

from address import EngineFiles

HEADERS = {"X-Treadle": "1", "User-Agent": "treadle-cli"}
"""What every request of the command line brings."""

ROOT = 0

LISTENING = "0A"
"""A socket's state in /proc/net/tcp."""


class ForeignPortError(httpx.ConnectError):
    """Another user's process listens on the API's port."""


class EngineTransport(httpx.BaseTransport):
    """Sends each request to the engine of the data folder."""

    def __init__(self, settings: EngineFiles) -> None:
        self._settings = settings
        self._by_socket = httpx.HTTPTransport(uds=str(settings.api_socket), verify=False)
        self._by_port = httpx.HTTPTransport(verify=False)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request.

        Raises:
            ForeignPortError: The port belongs to another user; nothing was sent.
        """
        if self._settings.api_socket.exists():
            return self._by_socket.handle_request(request)
        self._refuse_foreign_port()
        return self._by_port.handle_request(request)

    def close(self) -> None:
        """Close all connections."""
        self._by_socket.close()
        self._by_port.close()

    def _refuse_foreign_port(self) -> None:
        # root reads the token anyway, and holds the socket of a unit of systemd
        port, owners = self._settings.api_port, {os.getuid(), ROOT}
        if self._settings.token_file.exists():
            owners.add(self._settings.token_file.stat().st_uid)
        strangers = listeners(port) - owners
        if strangers:
            raise ForeignPortError(
                f"port {port} belongs to a process of uid {min(strangers)}, so your token was not "
                "sent: choose another port with TREADLE_API_PORT"
            )


def listeners(port: int) -> set[int]:
    """Return the user ids of the processes that listen on a local TCP port."""
    found: set[int] = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            lines = Path(table).read_text().splitlines()[1:]
        except OSError:
            continue
        for fields in map(str.split, lines):
            if fields[3] == LISTENING and int(fields[1].rpartition(":")[2], 16) == port:
                found.add(int(fields[7]))
    return found


def is_engine_alive(settings: EngineFiles) -> bool:
    """Tell whether an engine of this data folder is running, so that waiting may help."""
    try:
        state = json.loads((settings.data_dir / "engine.json").read_bytes())
        return Path("/proc", str(state["pid"])).exists()
    except (OSError, ValueError, KeyError, TypeError):
        return False
