"""The same over streamable HTTP: on this machine's loopback only, behind a bearer token."""

import hashlib
import hmac

import uvicorn
from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from cli.core.errors import CommandError
from domain.hosts.joining import is_loopback

DEFAULT = "127.0.0.1:8421"
PATH = "/mcp"
MAX_BODY = 1 << 20
MAX_SESSIONS = 1_000
"""Open at a time: clients that leave without a word keep theirs until they were idle for so long."""

IDLE_SECONDS = 3600.0
LAST_PORT = 65_535


class BearerGate:
    """ASGI middleware: only who sends the token gets an answer, whatever they ask."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._wanted = _digest(f"Bearer {token}".encode())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one request."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        given = [value for name, value in scope.get("headers", ()) if name == b"authorization"]
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
        elif len(given) == 1 and hmac.compare_digest(_digest(given[0]), self._wanted):
            await self._app(scope, receive, send)
        else:
            words = "send `Authorization: Bearer TOKEN` with the token of `treadle mcp`\n"
            refusal = PlainTextResponse(words, 401, {"WWW-Authenticate": "Bearer"})
            await refusal(scope, receive, send)


def place_of(address: str) -> tuple[str, int]:
    """Return the host and port of HOST:PORT, of `:PORT` or of a host alone.

    Raises:
        CommandError: It is none, or not of this machine: the token would be readable on the way.
    """
    default_host, _, default_port = DEFAULT.partition(":")
    host, _, port = address.rpartition(":") if ":" in address else (address, "", "")
    if address.isdigit():
        host, port = "", address
    host, port = host.strip("[]") or default_host, port or default_port
    if not port.isascii() or not port.isdigit() or not int(port) <= LAST_PORT:
        raise CommandError(f"{address[:80]!r} is not HOST:PORT, like {DEFAULT}")
    if not is_loopback(host):
        raise CommandError(
            f"{host[:80]!r} is not a loopback address, so the token would travel unencrypted: run "
            "`treadle mcp` on each machine, with TREADLE_URL for a server elsewhere"
        )
    return host, int(port)


def application(server: Server, token: str, host: str, port: int) -> ASGIApp:
    """Return the application: no other host name (DNS rebinding) and no web page reaches it."""
    names = {host, "127.0.0.1", "localhost", "[::1]"}
    security = TransportSecuritySettings(
        allowed_hosts=[f"[{name}]:{port}" if name == "::1" else f"{name}:{port}" for name in names],
        allowed_origins=[],
    )
    app = server.streamable_http_app(
        streamable_http_path=PATH,
        transport_security=security,
        max_request_body_size=MAX_BODY,
        session_idle_timeout=IDLE_SECONDS,
        max_sessions=MAX_SESSIONS,
    )
    return BearerGate(app, token)


def serve(app: ASGIApp, host: str, port: int) -> None:
    """Serve until it is stopped."""
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        lifespan="on",
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    uvicorn.Server(config).run()


def _digest(text: bytes) -> bytes:
    """Return a digest to compare, so that the duration reveals nothing about the token."""
    return hashlib.sha256(text).digest()
