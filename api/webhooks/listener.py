"""The webhooks' listener: open while the application is, where the settings want it."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator
from datetime import timedelta
from functools import partial

import uvicorn
from fastapi import FastAPI
from temporalio.client import Client

from adapters.listening import listen_on
from adapters.quiet_server import QuietServer
from adapters.temporal import Watchers
from api.core.connections import LimitedProtocol
from api.core.listeners import PortTakenError
from api.core.rates import Limits
from api.webhooks.counts import Counts
from api.webhooks.door import READ_SECONDS, Door
from api.webhooks.secrets import WebhookSecretError, check_senders, secrets_of
from api.webhooks.starting import TemplateStarts
from api.webhooks.taking import Taking
from api.webhooks.waking import Waking
from settings import Settings, SettingsError
from settings.serve import networks

BACKLOG = 64
HEADER_LIMIT_BYTES = 16 * 1024
LIMITS = Limits(connections=256, read_seconds=READ_SECONDS)


def refuse_secretless(settings: Settings) -> None:
    """Refuse to start where a sender could never prove that it is one.

    Raises:
        SettingsError: A sender has no usable secret.
    """
    try:
        check_senders(settings.webhooks)
    except WebhookSecretError as error:
        raise SettingsError(str(error)) from error


@contextlib.asynccontextmanager
async def opened(app: FastAPI, client: Client) -> AsyncGenerator[None]:
    """Take webhooks until the block ends, where the settings of an app have a listener for them.

    Raises:
        PortTakenError: The port is in use.
        SettingsError: A sender has no secret.
    """
    settings: Settings = app.state.settings
    table, reach = settings.webhooks, app.state.reach
    if not table.is_on or (reach.is_team and not settings.serve.takes_webhooks):
        yield
        return
    refuse_secretless(settings)
    waking = Waking(Watchers(client))
    counts = Counts(app.state.journal)
    remembered = timedelta(hours=table.remember_hours)
    taking = Taking(app.state.journal, waking, TemplateStarts(app).start, remembered)
    proxies = networks(settings.serve.trusted_proxies)
    door = Door(table, secrets_of, taking.take, counts, proxies)
    async with waking.going(), counts.writing(), _serving(door, *table.address):
        yield


@contextlib.asynccontextmanager
async def _serving(door: Door, host: str, port: int) -> AsyncGenerator[None]:
    config = uvicorn.Config(
        door,
        http=partial(LimitedProtocol, limits=LIMITS),  # pyright: ignore[reportArgumentType] (called like the class)
        ws="none",
        lifespan="off",
        proxy_headers=False,  # the door reads them itself
        access_log=False,
        log_config=None,
        log_level="warning",
        server_header=False,
        h11_max_incomplete_event_size=HEADER_LIMIT_BYTES,
        timeout_graceful_shutdown=2,
    )
    server = QuietServer(config)
    try:
        listening = listen_on(host, port, BACKLOG)
    except OSError as error:
        raise PortTakenError(
            f"port_taken: webhooks cannot listen at {host}:{port} ({error.strerror}): "
            "choose another TREADLE_WEBHOOKS_LISTEN"
        ) from error
    with listening:
        serving = asyncio.create_task(server.serve(sockets=[listening]))
        try:
            yield
        finally:
            server.should_exit = True
            await asyncio.wait({serving})
