"""The daily prune: started once a day, by whichever worker looks first, and only where something goes."""

from datetime import UTC, datetime, timedelta
from itertools import count

import pytest
from temporalio.service import RPCError

from adapters.daily_prune import DailyPrune
from adapters.journal import open_journal
from domain.core.event import Event, Headline
from domain.core.lifecycle.events import ThreadRenamed
from domain.retention.policy import PrunePolicy
from settings import Settings, SettingsError, load_settings

NOW = datetime(2030, 5, 17, 3, tzinfo=UTC)
POLICY = PrunePolicy(older="90d")
DAYS = count(step=2)


@pytest.fixture
async def journal(tmp_path):
    """A journal with one thread that ended long before."""
    async with open_journal(f"sqlite:///{tmp_path}/journal.db") as journal:
        at = NOW - timedelta(days=100)
        line = Headline(stream="thread-old", kind="thread", status="completed", title="old")
        body = ThreadRenamed(topic="x")
        await journal.append([Event(id="e", stream="thread-old", at=at, body=body)], [line])
        yield journal


@pytest.fixture
def day():
    """A day of its own for each test, and the one after it: the server knows those of others."""
    return NOW + timedelta(days=next(DAYS))


@pytest.fixture
def client(temporal_server):
    return temporal_server.client


async def started(client, day) -> bool:
    try:
        await client.get_workflow_handle(f"prune-{day:%Y%m%d}").describe()
    except RPCError:
        return False
    return True


async def test_it_is_started_once_a_day_by_whoever_looks_first(journal, client, day):
    workers = [DailyPrune(journal.retained, client, POLICY) for _ in range(3)]
    for _ in range(2):
        for worker in workers:
            await worker.look(day)
    assert await started(client, day)
    assert not await started(client, day + timedelta(days=1))
    await workers[0].look(day + timedelta(days=1))
    assert await started(client, day + timedelta(days=1))


async def test_nothing_is_started_where_nothing_goes_or_nobody_asked(journal, client, day):
    await DailyPrune(journal.retained, client, None).look(day)
    await DailyPrune(journal.retained, client, PrunePolicy(older="9999w")).look(day)
    assert not await started(client, day)
    await DailyPrune(journal.retained, client, None).keep()


def test_the_settings_say_what_goes(tmp_path, monkeypatch):
    monkeypatch.setenv("TREADLE_DATA_DIR", str(tmp_path))
    assert Settings(data_dir=tmp_path).daily_prune is None
    monkeypatch.setenv("TREADLE_PRUNE_OLDER", "90d")
    monkeypatch.setenv("TREADLE_PRUNE_KEEP_LAST", "20")
    monkeypatch.setenv("TREADLE_ARCHIVE", "s3://bucket/prefix")
    policy = PrunePolicy(older="90d", keep_last=20, archive="s3://bucket/prefix")
    assert load_settings().daily_prune == policy
    monkeypatch.setenv("TREADLE_PRUNE_OLDER", "soon")
    with pytest.raises(SettingsError, match="TREADLE_PRUNE_OLDER"):
        load_settings()
