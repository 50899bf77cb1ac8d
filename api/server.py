"""The API's process: uvicorn on loopback, ended cleanly on TERM and Ctrl-C."""

import asyncio
import socket
import sys

import uvicorn
from fastapi import FastAPI

from api.app import create_app
from settings import Settings, SettingsError, load_settings

HOST = "127.0.0.1"
GRACE_SECONDS = 5
HEADER_LIMIT_BYTES = 16 * 1024
CONNECTION_LIMIT = 256


class PortTakenError(Exception):
    """Something else listens on the API's port (`port_taken`)."""


class Server(uvicorn.Server):
    """A server whose streams end when it stops; else it would wait for them."""

    def __init__(self, app: FastAPI) -> None:
        self._app = app
        config = uvicorn.Config(
            app,
            access_log=False,  # it would hold query strings
            log_level="warning",
            server_header=False,
            h11_max_incomplete_event_size=HEADER_LIMIT_BYTES,
            limit_concurrency=CONNECTION_LIMIT,
            timeout_graceful_shutdown=GRACE_SECONDS,
        )
        super().__init__(config)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, let the other requests finish, close."""
        self._app.state.journal.end_following()
        await super().shutdown(sockets)


def bound(port: int) -> socket.socket:
    """Take the API's port; 0 takes any.

    Raises:
        PortTakenError: It is taken; the message says how to choose another.
    """
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen(128)
    except OSError as error:
        listener.close()
        raise PortTakenError(
            f"port_taken: {HOST}:{port}: {error.strerror}; "
            "stop what uses it or choose another by TREADLE_API_PORT"
        ) from error
    return listener


async def serve(settings: Settings) -> None:
    """Serve the API until the process is told to stop.

    Raises:
        PortTakenError: The port is taken.
    """
    with bound(settings.api_port) as listener:
        app = create_app(settings)
        await Server(app).serve(sockets=[listener])


def main() -> None:
    """Serve the API; an error ends it with one line."""
    try:
        asyncio.run(serve(load_settings()))
    except KeyboardInterrupt:
        pass
    except (PortTakenError, SettingsError) as error:
        sys.exit(f"treadle api: {error}")
