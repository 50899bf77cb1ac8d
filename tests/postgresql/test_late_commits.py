"""Followers of a journal with many writers pass over no event, in whatever order transactions are committed."""

import asyncio
import contextlib

import pytest
from sqlalchemy import Connection, bindparam, func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.journal import open_journal
from adapters.journal.engines import open_engines
from adapters.journal.rows import event_row
from adapters.journal.server_transactions import _BY_STREAM, _key
from adapters.journal.tables import EVENTS
from domain.core.event import JournaledEvent
from tests.adapters.journal_writer import notice
from tests.adapters.test_journal import start_writer, take

pytestmark = pytest.mark.e2e

WRITERS = 4
EACH = 60
FOLLOWERS = 3
DEADLINE = 160

LATE = (
    "CREATE FUNCTION be_late() RETURNS trigger LANGUAGE plpgsql AS "
    "$$ BEGIN PERFORM pg_sleep(random() * 0.03); RETURN NULL; END $$",
    "CREATE TRIGGER late AFTER INSERT ON events FOR EACH STATEMENT EXECUTE FUNCTION be_late()",
)
"""Between being given a position and its commit, each transaction takes up to 30 ms."""

NEWEST = select(func.max(EVENTS.c.position))
AFTER = select(EVENTS.c.position).where(EVENTS.c.position > bindparam("after"))


async def begin(connection: AsyncConnection, stream: str, number: int) -> int:
    """Write an event as an append does, but do not commit it; returns its position."""
    await connection.execute(_BY_STREAM, {"keys": [_key(f"thread-{stream}")]})
    insert = EVENTS.insert().values(event_row(notice(stream, number))).returning(EVENTS.c.position)
    return await connection.scalar(insert)


async def test_what_is_committed_late_is_waited_for(server_url):
    engines = open_engines(server_url)
    async with open_journal(server_url) as journal, open_journal(server_url) as other:
        await journal.append([notice("first", 0)])
        async with engines.read.connect() as looking, engines.write._engine.begin() as late:
            place = await begin(late, "late", 1)
            await other.append([notice("quick", 1)])

            assert await looking.scalar(NEWEST) == place + 1  # where who reads naively goes on
            assert await journal.position() == place - 1
            assert [j.event.id for j in await journal.read()] == ["first:0"]
            async with contextlib.aclosing(journal.follow(after=1)) as events:
                following = asyncio.ensure_future(take(events, 2))
                await late.commit()
                seen = await following
        assert [j.event.id for j in seen] == ["late:1", "quick:1"]
        assert await journal.position() == place + 1
    await engines.dispose()


async def test_what_is_rolled_back_is_not_waited_for(server_url):
    engines = open_engines(server_url)
    async with open_journal(server_url) as journal:
        async with engines.write._engine.connect() as late:
            place = await begin(late, "late", 1)
            await journal.append([notice("quick", 1)])
            assert await journal.position() == 0
            await late.rollback()
        assert await journal.position() == place + 1
    await engines.dispose()


async def test_a_process_reads_what_it_has_written_itself(server_url):
    engines = open_engines(server_url)
    async with open_journal(server_url) as journal, engines.write._engine.connect() as late:
        await begin(late, "late", 1)
        await journal.append([notice("own", 1)])
        reading = asyncio.ensure_future(journal.read())
        await late.commit()
        assert [j.event.id for j in await reading] == ["late:1", "own:1"]
    await engines.dispose()


async def test_two_writers_of_one_stream_take_turns_and_of_two_do_not(server_url):
    engines = open_engines(server_url)
    async with open_journal(server_url) as journal:
        async with engines.write._engine.connect() as late:
            await begin(late, "a", 1)
            await journal.append([notice("b", 1)])
            same = asyncio.ensure_future(journal.append([notice("a", 2)]))
            _, pending = await asyncio.wait([same], timeout=0.2)
            assert pending
            await late.commit()
        await same
        assert [j.event.id for j in await journal.read("thread-a")] == ["a:1", "a:2"]
    await engines.dispose()


async def read_naively(url: str, count: int, ended: asyncio.Event) -> set[int]:
    """Go on from the newest position that is there, as a reader without a floor would."""
    engines = open_engines(url)
    seen, after = set[int](), 0
    async with engines.read.connect() as connection:
        while len(seen) < count:
            is_last = ended.is_set()
            rows = (await connection.scalars(AFTER, {"after": after})).all()
            seen.update(rows)
            after = max([after, *rows])
            await asyncio.sleep(0.002)
            if is_last:
                break
    await engines.dispose()
    return seen


async def take_all(journal, total: int) -> list[JournaledEvent]:
    async with contextlib.aclosing(journal.follow()) as events:
        return [await anext(events) for _ in range(total)]


async def test_followers_see_each_event_of_many_late_writers_once_in_order(server_url):
    total = WRITERS * EACH
    engines = open_engines(server_url)

    def make_late(connection: Connection) -> None:
        for statement in LATE:
            connection.execute(text(statement))

    async with open_journal(server_url) as journal, asyncio.timeout(DEADLINE):
        await engines.write.run(make_late)
        await engines.dispose()
        ended = asyncio.Event()
        naive = asyncio.ensure_future(read_naively(server_url, total, ended))
        followers = [asyncio.ensure_future(take_all(journal, total)) for _ in range(FOLLOWERS)]
        writers = [await start_writer(server_url, f"w{n}", EACH) for n in range(WRITERS)]
        ends = await asyncio.gather(*(writer.communicate() for writer in writers))
        seen = await asyncio.gather(*followers)
        ended.set()
        stored = await journal.read(limit=total + 1)

    assert all(len(said.split()) == EACH for said, _ in ends)
    assert len(stored) == total
    assert seen == [stored] * FOLLOWERS
    assert len(await naive) < total, "the writers were not late enough to tell anything"
