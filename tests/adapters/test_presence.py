"""A worker says that it is alive beside its journal, and what it no longer says is noticed."""

import os
import time
from pathlib import Path

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from adapters.journal import open_journal, presence


@pytest.fixture
async def workers(url, monkeypatch):
    monkeypatch.setattr(presence, "BEAT_SECONDS", 0.01)
    async with open_journal(url) as journal:
        yield journal.presence


async def test_nothing_is_known_before_a_worker_was_there(workers):
    assert await workers.is_alive() is None


async def test_a_worker_is_there_until_it_ends(workers):
    async with workers.beating("one"):
        assert await workers.is_alive()

    assert await workers.is_alive() is False


async def test_a_worker_that_falls_silent_is_dead(workers, monkeypatch):
    await workers.beat("one")
    assert await workers.is_alive()

    monkeypatch.setattr(presence, "ALIVE_SECONDS", 0.0)

    assert await workers.is_alive() is False


async def test_one_that_lives_is_enough(workers):
    await workers.beat("one")
    await workers.beat("two")
    await workers.end("one")

    assert await workers.is_alive()


async def date_ahead(url, host):
    """Say that a worker was alive in an hour, as where the clock was set back since."""
    found = make_url(url)
    if found.drivername == "sqlite":
        ahead = time.time() + 3600
        os.utime(Path(f"{found.database}.worker-{host}"), (ahead, ahead))
        return
    engine = create_async_engine(found.set(drivername="postgresql+asyncpg"))
    async with engine.begin() as connection:
        later = text("UPDATE workers SET seen = now() + interval '1 hour' WHERE host = :host")
        await connection.execute(later, {"host": host})
    await engine.dispose()


async def test_one_of_the_future_is_not_alive_and_hides_no_other(workers, url):
    await workers.beat("gone")
    await date_ahead(url, "gone")
    assert await workers.is_alive() is False

    await workers.beat("one")

    assert await workers.is_alive()
