"""The port of a process's metrics: `/metrics`, and the probes of a process without a port of its own."""

import asyncio
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from http import HTTPStatus
from ipaddress import ip_address

import uvicorn
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from adapters.listening import listen_on
from adapters.metrics.registry import Meters
from adapters.metrics.token import MetricsToken, TokenAsked, sdk_metrics
from adapters.observing import ObserveError
from adapters.quiet_server import QuietServer

REFRESH_SECONDS = 5.0
"""Scrapers give up after ten; what was not read anew by then is shown as it was."""

BACKLOG = 16
_LOOPBACK_NAMES = ["127.0.0.1", "localhost", "[::1]"]


@dataclass(frozen=True)
class MetricsPage:
    """What a process shows: its meters, read anew by `refresh`, and whether it is ready."""

    meters: Meters
    refresh: Callable[[], Awaitable[None]]
    is_ready: Callable[[], bool]


class _Page:
    """The routes; one refresh at a time, however many scrape."""

    def __init__(self, page: MetricsPage) -> None:
        self._page = page
        self._refreshing: asyncio.Future[None] | None = None

    async def metrics(self, request: Request) -> Response:
        if self._refreshing is None or self._refreshing.done():
            self._refreshing = asyncio.ensure_future(self._page.refresh())
        await asyncio.wait({self._refreshing}, timeout=REFRESH_SECONDS)
        if self._refreshing.done():
            self._refreshing.result()
        body, content_type = self._page.meters.expose(request.headers.get("accept", ""))
        return Response(body, headers={"Content-Type": content_type})

    async def livez(self, _: Request) -> Response:
        return JSONResponse({"status": "alive"})

    async def readyz(self, _: Request) -> Response:
        if self._page.is_ready():
            return JSONResponse({"status": "ready"})
        return JSONResponse({"status": "unready"}, HTTPStatus.SERVICE_UNAVAILABLE)


@asynccontextmanager
async def serving_metrics(
    page: MetricsPage, host: str, port: int, asked: MetricsToken | None = None
) -> AsyncGenerator[None]:
    """Serve a process's metrics until the block ends.

    On loopback only requests by its names are answered, so that no web page reads them by a name of its own.
    Where a token is asked for, `/metrics/temporal` has what the SDK serves on loopback.

    Raises:
        ObserveError: The port is in use.
    """
    shown = _Page(page)
    routes = [
        Route("/metrics", shown.metrics),
        Route("/livez", shown.livez),
        Route("/readyz", shown.readyz),
    ]
    names = _LOOPBACK_NAMES if ip_address(host).is_loopback else ["*"]
    gates = [Middleware(TrustedHostMiddleware, allowed_hosts=names)]
    if asked is not None:
        routes.append(Route("/metrics/temporal", sdk_metrics(asked.sdk_port)))
        gates.append(Middleware(TokenAsked, token=asked.token))
    app = Starlette(routes=routes, middleware=gates)
    config = uvicorn.Config(
        app, log_config=None, access_log=False, log_level="warning", timeout_graceful_shutdown=1
    )
    server = QuietServer(config)
    with _bound(host, port) as listener:
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield
        finally:
            server.should_exit = True
            await asyncio.wait({serving})


def _bound(host: str, port: int) -> socket.socket:
    try:
        return listen_on(host, port, BACKLOG)
    except OSError as error:
        raise ObserveError(
            f"metrics cannot be served at {host}:{port} ({error.strerror}): "
            "choose another TREADLE_METRICS_PORT, of which the next three are used as well"
        ) from error
