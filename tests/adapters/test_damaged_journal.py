"""A damaged event is told as such, and nothing else is lost by it."""

import json
import sqlite3
from contextlib import closing

import pytest

from adapters.journal import Wanted, look_at_file, open_journal
from adapters.redacted_ports import RedactedJournal
from adapters.redaction import Redactor
from domain.core.damage_events import EventDamaged, EventRebuilt
from domain.core.errors import JournalError
from domain.core.event import JournaledEvent
from domain.core.ids import StreamId
from tests.adapters.journal_writer import notice

STREAM = StreamId("thread-a")
BAD_TIME = "UPDATE events SET at = 'yesterday' WHERE position = 2"
DAMAGES = {
    "a cut body": "UPDATE events SET body = substr(body, 1, 20) WHERE position = 2",
    "an unknown kind": """UPDATE events SET body = '{"kind":"no_such"}' WHERE position = 2""",
    "no UTF-8": "UPDATE events SET body = CAST(x'7bff' AS TEXT) WHERE position = 2",
    "bytes": "UPDATE events SET body = x'00ff' WHERE position = 2",
    "a time": BAD_TIME,
    "other words": "UPDATE events SET body = replace(body, '\"1\"', '\"7\"') WHERE position = 2",
}
OLD = "UPDATE events SET checksum = NULL"


def execute(file, *statements):
    """Change a journal that nobody has open."""
    with closing(sqlite3.connect(file)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


@pytest.fixture
async def file(tmp_path):
    """The file of a journal with three events, closed."""
    path = tmp_path / "journal.db"
    async with open_journal(f"sqlite:///{path}") as journal:
        await journal.append([notice("a", n) for n in range(3)])
    return path


AGES = {"with checksums": [], "of an older version": [OLD]}
KNOWN = [(d, a) for d in DAMAGES for a in AGES if (d, a) != ("other words", "of an older version")]
"""Other words of the same form are told by a checksum only."""


@pytest.mark.parametrize(("damage", "age"), KNOWN)
async def test_a_damaged_event_is_reported_and_the_others_are_read(file, damage, age):
    execute(file, DAMAGES[damage], *AGES[age])

    async with open_journal(f"sqlite:///{file}") as journal:
        read = await journal.read(STREAM)
        raw = await journal.page(Wanted((STREAM,)))
        streamed = [e async for batch in journal.raw(Wanted(), after=0, upto=3) for e in batch]
        one = await journal.event("a:1")

    assert [entry.position for entry in read] == [1, 2, 3]
    assert [type(entry.event.body) is EventDamaged for entry in read] == [False, True, False]
    assert read[1].event.id == "a:1"
    sent = [JournaledEvent.model_validate_json(each.text) for each in raw]
    assert "position 2 (agent notice)" in sent[1].text.summary
    assert [(entry.position, entry.event) for entry in sent] == [
        (entry.position, entry.event) for entry in read
    ]
    assert streamed == raw
    assert one == read[1].event


@pytest.mark.parametrize("age", AGES)
async def test_whole_events_go_out_as_they_were_written(file, age):
    execute(file, *AGES[age])
    async with open_journal(f"sqlite:///{file}") as journal:
        read = await journal.read(STREAM)
        raw = await journal.page(Wanted((STREAM,)))
    assert not [entry for entry in read if isinstance(entry.event.body, EventDamaged)]
    assert [json.loads(each.text)["event"]["body"]["message"] for each in raw] == ["0", "1", "2"]


async def test_a_journal_from_before_checksums_gets_them_for_what_is_new(file):
    execute(file, "DROP TABLE alembic_version", "ALTER TABLE events DROP COLUMN checksum")
    async with open_journal(f"sqlite:///{file}") as journal:
        await journal.append([notice("a", 3)])
        assert len(await journal.read(STREAM)) == 4
    with closing(sqlite3.connect(file)) as connection:
        sums = [row[0] is None for row in connection.execute("SELECT checksum FROM events")]
    assert sums == [True, True, True, False]


@pytest.mark.parametrize("lacks", [[], ["ALTER TABLE events DROP COLUMN checksum"]])
async def test_damage_is_found_from_outside(file, lacks):
    execute(file, DAMAGES["a cut body"], *lacks)
    looked = look_at_file(file, seconds=60)
    assert (looked.events, looked.is_all) == (3, True)
    assert [(d.position, d.event.stream) for d in looked.damaged] == [(2, STREAM)]
    assert look_at_file(file, seconds=-1) == (0, (), False)


async def test_an_event_is_put_back_and_that_is_reported(file):
    execute(file, BAD_TIME)
    async with open_journal(f"sqlite:///{file}") as journal:
        (damaged,) = (await journal.repairs.look()).damaged
        whole = notice("a", 1)

        await journal.repairs.rebuild(damaged.position, whole)

        assert not (await journal.repairs.look()).damaged
        read = await journal.read(STREAM)
    assert [entry.position for entry in read] == [1, 2, 3, 4]
    assert read[1].event == whole
    assert read[3].event.body == EventRebuilt(position=2)


async def test_work_does_not_take_a_damaged_event_for_one_that_never_was(file):
    execute(file, BAD_TIME)
    async with open_journal(f"sqlite:///{file}") as opened:
        journal = RedactedJournal(opened, Redactor({}))
        assert await journal.event("a:0") is not None
        with pytest.raises(JournalError, match="treadle journal repair"):
            await journal.event("a:1")


async def test_a_report_goes_on(file):
    execute(file, "UPDATE events SET kind = 'task_updated', body = '{' WHERE position = 2")
    async with open_journal(f"sqlite:///{file}") as journal:
        before = await journal.counted()
        await journal.append([notice("a", 3)])
        assert (await journal.read(STREAM))[-1].event.id == "a:3"
        assert await journal.counted() == before


async def test_a_text_that_its_reference_does_not_name_is_gone(file):
    async with open_journal(f"sqlite:///{file}") as journal:
        kept, changed = await journal.put_text("as it was"), await journal.put_text("a diff")
    execute(file, "UPDATE texts SET body = x'ff' WHERE body = CAST('a diff' AS BLOB)")
    async with open_journal(f"sqlite:///{file}") as journal:
        assert await journal.text(kept) == "as it was"
        assert await journal.text(changed) is None
