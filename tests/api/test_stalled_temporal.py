"""A Temporal that is there and does not answer: stopped, or waiting for its database."""

import asyncio
import signal
import sqlite3
from collections.abc import AsyncIterator

import httpx
import psutil
import pytest
from temporalio.client import Client

from api.app import create_app
from settings import Settings
from tests.api.conftest import client_of
from tests.temporal_server import temporal_server_with

BOUND_SECONDS = 10
"""Far more than the two or four seconds that an answer may take, far less than a hanging call does."""


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(tmp_path_factory.mktemp("stalled") / "temporal.db")


@pytest.fixture(scope="module")
async def own_temporal(
    database: str, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Client]:
    """A server that nobody else uses, with its database in a file."""
    async with temporal_server_with(tmp_path_factory, "--db-filename", database) as made:
        yield made.client


@pytest.fixture
async def asked(own_temporal: Client, settings: Settings) -> AsyncIterator[httpx.AsyncClient]:
    app = create_app(settings, own_temporal)
    async with app.router.lifespan_context(app), client_of(app, settings) as opened:
        yield opened


async def temporal_as_shown(asked: httpx.AsyncClient) -> set[str]:
    """Return what both routes show of Temporal, which reading does without."""
    async with asyncio.timeout(BOUND_SECONDS):
        answers = [await asked.get(path) for path in ("/readyz", "/v1/health")]
    assert [answer.status_code for answer in answers] == [200, 200]
    return {answer.json()["temporal"] for answer in answers}


async def shown_up(asked: httpx.AsyncClient) -> None:
    """Wait until both routes show it up: a busy one may take longer than they wait."""
    async with asyncio.timeout(60):
        while await temporal_as_shown(asked) != {"up"}:
            pass


async def test_a_server_whose_process_is_stopped_is_shown_down(
    asked: httpx.AsyncClient, database: str
) -> None:
    await shown_up(asked)
    server = next(p for p in psutil.Process().children() if database in p.cmdline())
    server.send_signal(signal.SIGSTOP)
    try:
        assert await temporal_as_shown(asked) == {"down"}
    finally:
        server.send_signal(signal.SIGCONT)
    await shown_up(asked)


async def test_a_server_whose_database_is_locked_is_shown_down(
    asked: httpx.AsyncClient, own_temporal: Client, database: str
) -> None:
    await shown_up(asked)
    other = sqlite3.connect(database, isolation_level=None)
    other.execute("begin exclusive")
    try:
        assert await temporal_as_shown(asked) == {"down"}
        assert await own_temporal.service_client.check_health(), "its health check tells nothing"
    finally:
        other.execute("rollback")
        other.close()
    await shown_up(asked)
