"""A worker says that it is alive beside its journal, and what it no longer says is noticed."""

import pytest

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
