"""The token of metrics, and the SDK's own metrics behind it."""

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path

import httpx
from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from adapters.observing import ObserveError

LEAST_CHARACTERS = 20
_PATIENCE_SECONDS = 5.0


@dataclass(frozen=True)
class MetricsToken:
    """What scrapers send, and the loopback port of the SDK's metrics in this process."""

    token: str
    sdk_port: int


def read_metrics_token(file: Path | None, sdk_port: int) -> MetricsToken | None:
    """Read a token's file; None where there is none to be asked for.

    Raises:
        ObserveError: It cannot be read, or holds no token of 20 characters or more.
    """
    if file is None:
        return None
    try:
        token = file.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ObserveError(f"TREADLE_METRICS_TOKEN_FILE cannot be read: {error}") from error
    if len(token) < LEAST_CHARACTERS:
        raise ObserveError(
            f"the token in {file} is shorter than {LEAST_CHARACTERS} characters: make one with "
            "`openssl rand -hex 32`"
        )
    return MetricsToken(token, sdk_port)


class TokenAsked:
    """Lets nobody read metrics without the token; probes need none."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._wanted = f"Bearer {token}".encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "http" and scope["path"].startswith("/metrics"):
            given = Headers(scope=scope).get("authorization", "").encode()
            if not secrets.compare_digest(given, self._wanted):
                refused = PlainTextResponse(
                    "metrics need the token of TREADLE_METRICS_TOKEN_FILE\n",
                    HTTPStatus.UNAUTHORIZED,
                    headers={"WWW-Authenticate": "Bearer"},
                )
                await refused(scope, receive, send)
                return
        await self._app(scope, receive, send)


def sdk_metrics(port: int) -> Callable[[Request], Awaitable[Response]]:
    """Return the route that passes on what the SDK serves on loopback."""

    async def answer(_: Request) -> Response:
        try:
            async with httpx.AsyncClient(trust_env=False, timeout=_PATIENCE_SECONDS) as http:
                found = await http.get(f"http://127.0.0.1:{port}/metrics")
        except httpx.HTTPError:
            return PlainTextResponse("the SDK does not answer\n", HTTPStatus.SERVICE_UNAVAILABLE)
        kind = found.headers.get("content-type", "text/plain")
        return Response(found.content, found.status_code, headers={"Content-Type": kind})

    return answer
