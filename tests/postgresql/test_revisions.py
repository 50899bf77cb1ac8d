"""The journal's newer revisions: each adds its tables or columns to a journal in use, on both databases."""

from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, MetaData, text

from adapters.journal import SqlJournal, open_journal, schema
from domain.forges.received import Delivery, DeliveryOutcome, Refusal
from domain.news.due import delivery_of
from domain.news.push import PushSubscription
from domain.reading.inbox.snoozes import Snooze
from tests.adapters.journal_writer import notice
from tests.adapters.test_journal_schema import (  # pyright: ignore[reportUnknownVariableType]
    described,
    differences,
    drop_everything,
    in_writing,
    set_revision,
)
from tests.postgresql.server import PostgresServer, new_database

NOW = datetime(2030, 5, 17, 12, tzinfo=UTC)
ADDED = {
    "02_0011": ("news_deliveries", "news_follower"),
    "02_0012": ("snoozes",),
    "02_0013": ("push_subscriptions",),
    "02_0014": ("webhook_deliveries", "webhook_refusals"),
    "02_0015": ("charges", "money_limits"),
}
"""The tables of each revision that only adds some."""
COLUMNS = {"02_0016": ("headlines", ("agent", "branch_status"))}
"""The columns of each revision that only adds some."""

BEFORE = ("02_0010", *sorted(ADDED))


@pytest.fixture(params=["sqlite", "postgresql"])
async def url(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncGenerator[str]:
    """The URL of an empty database."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'data' / 'journal.db'}"
        return
    server: PostgresServer = request.getfixturevalue("server")
    async with new_database(server.url) as there:
        yield there


def upgrade(revision: str, connection: Connection) -> None:
    config = Config()
    config.set_main_option("script_location", str(schema.REVISIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, revision)


def made_by(revision: str, connection: Connection) -> set[tuple[object, ...]]:
    """Return what a new database has that is made by the revisions up to one."""
    drop_everything(connection)
    upgrade(revision, connection)
    return described(connection)


def take_back(revision: str, connection: Connection) -> set[tuple[object, ...]]:
    """Make a journal what it was at a revision: without the tables and columns that came later."""
    present = MetaData()
    later = [name for each, names in ADDED.items() if each > revision for name in names]
    present.reflect(connection, only=later)
    present.drop_all(connection)
    for each, (table, names) in COLUMNS.items():
        for name in names if each > revision else ():
            connection.exec_driver_sql(f"ALTER TABLE {table} DROP COLUMN {name}")
    set_revision(revision, connection)
    return described(connection)


async def use(journal: SqlJournal) -> None:
    """Write to each of the new tables, and read it back."""
    made = delivery_of("hook", "thread-a@", NOW)
    await journal.news.add([made])
    assert await journal.news.of("hook") == {"thread-a@": made}
    assert await journal.news.lead("one", NOW, 90)
    snooze = Snooze(person="ada", item_id="i", version="v1", until=NOW)
    await journal.people.snoozes.put(snooze)
    assert await journal.people.snoozes.of("ada") == [snooze]
    address = {"endpoint": "https://push.example/1", "p256dh": "p", "auth": "a"}
    browser = PushSubscription(
        subscription_id="s", person="ada", browser="b", made_at=NOW, **address
    )
    await journal.people.pushes.put(browser)
    assert [each.endpoint for each in await journal.people.pushes.every()] == [browser.endpoint]
    hooks = journal.webhook_deliveries
    delivery = Delivery(sender="hub", delivery_id="1", outcome=DeliveryOutcome.LOOKED, at=NOW)
    await hooks.add(delivery, "", timedelta(hours=1))
    await hooks.count({("hub", DeliveryOutcome.LOOKED): 1, ("hub", Refusal.TOO_LARGE): 2}, NOW)
    assert await hooks.is_known("hub", "1", "")
    assert [one.count for one in (*await hooks.taken(), *await hooks.refused())] == [1, 2]


@pytest.mark.parametrize("before", BEFORE)
async def test_a_journal_in_use_gets_the_tables_that_it_lacks(url: str, before: str):
    async with open_journal(url) as journal:
        await journal.append([notice("a", 1), notice("a", 2)])
    whole = await in_writing(url, described)
    older = await in_writing(url, partial(take_back, before))
    assert await in_writing(url, schema.revision_of) == before

    async with open_journal(url) as journal:
        assert [each.event.stream for each in await journal.read()] == ["thread-a", "thread-a"]
        await use(journal)
        await journal.append([notice("a", 3)])
        assert await journal.position() == 3
    assert await in_writing(url, schema.revision_of) == schema.newest_revision()
    assert await in_writing(url, described) == whole
    assert await in_writing(url, differences) == []
    assert await in_writing(url, partial(made_by, before)) == older, "it was not what it was then"


@pytest.mark.parametrize("revision", ADDED)
async def test_a_revision_adds_its_own_tables_and_changes_no_other(url: str, revision: str):
    before = BEFORE[sorted(ADDED).index(revision)]
    async with open_journal(url):
        pass
    old = await in_writing(url, partial(made_by, before))
    new = await in_writing(url, partial(made_by, revision))

    assert old < new
    tables = {str(each[0]) for each in new - old if "INDEX" not in each}
    assert {name.removesuffix("_pkey") for name in tables} == set(ADDED[revision])


async def test_a_revision_that_ran_without_its_number_runs_again(url: str):
    """On SQLite, a process that is killed in between leaves the tables and not the number."""
    async with open_journal(url) as journal:
        await use(journal)
    await in_writing(url, partial(set_revision, "02_0010"))

    async with open_journal(url) as journal:
        assert await journal.webhook_deliveries.is_known("hub", "1", "")
        assert len(await journal.people.snoozes.of("ada")) == 1
    assert await in_writing(url, schema.revision_of) == schema.newest_revision()


async def test_an_older_process_beside_a_newer_one_leaves_the_new_tables_alone(url: str):
    """The tables of a version stay, and so what is in them, whoever opens the journal."""
    async with open_journal(url) as journal:
        await use(journal)
    newer = f"02_{int(schema.newest_revision().partition('_')[2]) + 1:04}"
    await in_writing(url, partial(set_revision, newer))
    await in_writing(url, lambda at: at.execute(text("CREATE TABLE later (name TEXT)")))

    async with open_journal(url) as journal:
        assert await journal.webhook_deliveries.is_known("hub", "1", "")
    assert await in_writing(url, schema.revision_of) == newer
