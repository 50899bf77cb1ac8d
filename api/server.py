"""The API's process: uvicorn on loopback, with a clean end on TERM and Ctrl-C."""

import asyncio
import logging
import resource
import socket
import ssl
import sys
from collections.abc import Generator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import uvicorn
from fastapi import FastAPI

from adapters.container import ContainerError, check_address, is_container
from adapters.data_version import DataVersionError, check_data_version
from adapters.files.blocked_paths import PlaceTakenError, clear_places, refuse_folders
from adapters.files.key_ring import KeyRingError
from adapters.logs import keep_log_clean
from adapters.observing import ObserveError, require_observe
from api.app import create_app
from api.core.connections import LimitedProtocol
from api.core.cut_requests import CutRequests
from api.core.key_check import check_keys
from api.core.listeners import PortTakenError, bound
from api.core.redaction import make_redactor
from api.webhooks.listener import refuse_secretless
from domain.core.errors import JournalError
from settings import Settings, SettingsError, load_settings

_LOG = logging.getLogger(__name__)
GRACE_SECONDS = 5
KEEP_ALIVE_SECONDS = 75
"""Longer than clients keep idle connections (httpx: 5 s, a proxy of nginx: 60 s), which must not find them
closed when they send the next request."""

OPEN_FILES = 4_096
HEADER_LIMIT_BYTES = 16 * 1024
SOCKET_PATH_BYTES = 107
"""The longest address of a unix socket."""


class Server(uvicorn.Server):
    """A server that ends its streams when it stops, instead of waiting for them."""

    def __init__(
        self, app: FastAPI, tls_cert: Path | None = None, tls_key: Path | None = None
    ) -> None:
        self._app = app
        config = uvicorn.Config(
            CutRequests(app),
            http=partial(LimitedProtocol, limits=app.state.limits),  # pyright: ignore[reportArgumentType] (called like the class)
            ws="none",
            ssl_certfile=tls_cert,
            ssl_keyfile=tls_key,
            proxy_headers=False,  # the gate reads them (api/core/reach.py)
            access_log=False,  # it would hold query strings
            log_config=None,  # its own handlers would write what is not redacted
            log_level="warning",
            server_header=False,
            h11_max_incomplete_event_size=HEADER_LIMIT_BYTES,
            timeout_graceful_shutdown=GRACE_SECONDS,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
        )
        super().__init__(config)

    def renew_certificate(self) -> bool:
        """Load the certificate again, for new connections; one that is not whole yet is not taken."""
        config = self.config
        if config.ssl is None or config.ssl_certfile is None:
            return False
        try:
            config.ssl.load_cert_chain(config.ssl_certfile, config.ssl_keyfile)
        except (OSError, ssl.SSLError) as error:
            _LOG.warning("the new certificate cannot be loaded yet: %s", error)
            return False
        _LOG.info("the certificate was loaded again")
        return True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, let the other requests finish, close."""
        self._app.state.journal.end_following()
        await super().shutdown(sockets)


def allow_open_files() -> None:
    """Let the process open a file for each connection, and its own beside: many systems begin at 1,024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = OPEN_FILES if hard == resource.RLIM_INFINITY else min(hard, OPEN_FILES)
    if soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


@contextmanager
def private_socket(path: Path) -> Generator[list[socket.socket]]:
    """Listen on a unix socket of mode 0600 as well, unless its path is too long.

    Only the process that has the API's port gets here, so an existing socket is of a dead process.
    """
    if len(str(path).encode()) > SOCKET_PATH_BYTES:
        yield []
        return
    path.unlink(missing_ok=True)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
        listener.bind(str(path))  # nobody can connect before listen
        path.chmod(0o600)
        listener.listen(128)
        try:
            yield [listener]
        finally:
            path.unlink(missing_ok=True)


async def serve(settings: Settings) -> None:
    """Serve the API until the process is told to stop.

    Raises:
        PortTakenError: The port is in use.
        SettingsError: A sender of webhooks has no secret.
        JournalError: The journal cannot be opened, or has other keys than this host's.
        PlaceTakenError: A folder has the name of a file that threads need.
        DataVersionError: The data folder is of a Treadle that is too new.
        ContainerError: It would be served to other machines.
    """
    check_address(settings.api_host, in_container=is_container())
    refuse_secretless(settings)
    with bound(settings.api_port, settings.api_host) as listener:
        for moved in clear_places(settings.data_dir):
            _LOG.warning("%s", moved)
        refuse_folders(settings.data_dir)
        check_data_version(settings.data_dir)
        keep_log_clean(make_redactor(settings), settings.log_format, settings.log_level)
        app = create_app(settings)  # makes the data folder
        await check_keys(settings)
        with private_socket(settings.api_socket) as private:
            await Server(app).serve(sockets=[listener, *private])


def main() -> None:
    """Serve the API; an error ends it with one line."""
    allow_open_files()
    try:
        settings = load_settings()
        require_observe(settings.needs_observe)
        asyncio.run(serve(settings))
    except KeyboardInterrupt:
        pass
    except (PortTakenError, ContainerError, SettingsError, KeyRingError) as error:
        sys.exit(f"treadle api: {error}")
    except (JournalError, PlaceTakenError, ObserveError, DataVersionError) as error:
        sys.exit(f"treadle api: {error}")
