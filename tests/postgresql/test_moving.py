"""`treadle move-journal` between SQLite and PostgreSQL."""

import asyncio
import gzip
import signal
import sys

import pytest
from sqlalchemy import func, select, text

from adapters.journal import Pool, move_journal, moving, open_journal
from adapters.journal.engines import open_engines
from adapters.journal.schema import METADATA
from domain.core.errors import JournalError
from domain.core.words import terms_of
from domain.reading.search.finds import SearchQuery
from tests.adapters.journal_writer import notice
from tests.adapters.test_journal_schema import OF_0_1
from treadle.commands import app

pytestmark = pytest.mark.e2e


@pytest.fixture
def file(tmp_path):
    there = tmp_path / "data" / "journal.db"
    there.parent.mkdir(mode=0o700)
    there.write_bytes(gzip.decompress(OF_0_1.read_bytes()))
    return there


async def rows(url: str) -> dict[str, int]:
    engines = open_engines(url)
    async with engines.read.connect() as at:
        found = {
            table.name: await at.scalar(select(func.count()).select_from(table))
            for table in METADATA.sorted_tables
        }
        found["passage_words"] = await at.scalar(text("SELECT count(*) FROM passage_words"))
    await engines.dispose()
    return found


async def searched(journal, words: str) -> list[int]:
    query = SearchQuery(terms=terms_of(words), limit=100)
    return [find.position for find in (await journal.searches.find(query)).finds]


async def test_a_journal_goes_to_a_server_and_back_as_it_was(server_url, file, tmp_path):
    here, back = f"sqlite:///{file}", f"sqlite:///{tmp_path / 'back.db'}"
    async with open_journal(here) as journal:
        await journal.append([notice("gone", 1)])
        await journal.forget("thread-gone")  # its position is given to nobody else
        before, found = await journal.read(), await searched(journal, "flicker")

    told = []
    moved = await move_journal(here, server_url, told.append)
    assert told == moved
    assert await rows(server_url) == await rows(here)
    async with open_journal(server_url) as journal:
        assert await journal.read() == before
        assert await searched(journal, "flicker") == found != []
        await journal.append([notice("new", 1)])
        assert await journal.position() == 67
    await move_journal(server_url, back, told.append)

    async with open_journal(back) as journal:
        assert (await journal.read())[:-1] == before
        await journal.append([notice("new", 2)])
        assert await journal.position() == 68
    async with open_journal(here) as journal:
        assert await journal.read() == before


async def test_a_journal_is_moved_into_an_empty_one_only(server_url, file):
    async with open_journal(server_url) as journal:
        await journal.append([notice("there", 1)])

    with pytest.raises(JournalError, match="not empty"):
        await move_journal(f"sqlite:///{file}", server_url, print)
    with pytest.raises(JournalError, match="there already"):
        await move_journal(f"sqlite:///{file}", f"sqlite:///{file}", print)


KILLED_AT = """
import asyncio, os, signal, sys
from adapters.journal import move_journal

def die(moved):
    if moved.table == sys.argv[3]:
        os.kill(os.getpid(), signal.SIGKILL)

asyncio.run(move_journal(sys.argv[1], sys.argv[2], die))
"""


async def killed_at(table: str, source: str, target: str) -> None:
    """Move a journal in a process that is killed with -9 once a table was copied and compared."""
    moving_it = await asyncio.create_subprocess_exec(
        sys.executable, "-c", KILLED_AT, source, target, table
    )
    assert await moving_it.wait() == -signal.SIGKILL


async def test_a_move_that_was_killed_is_run_again_in_both_directions(server_url, file, tmp_path):
    here, back = f"sqlite:///{file}", f"sqlite:///{tmp_path / 'back.db'}"
    tables = [table.name for table in METADATA.sorted_tables]
    before = await rows_once_made(here)
    for table in (tables[0], "events", tables[-1]):
        await killed_at(table, here, server_url)
        assert not any((await rows(server_url)).values())
    await move_journal(here, server_url, print)
    assert await rows(server_url) == before

    for table in ("events", tables[-1]):
        await killed_at(table, server_url, back)
        assert not any((await rows(back)).values())
    await move_journal(server_url, back, print)
    assert await rows(back) == await rows(here) == before


async def rows_once_made(url: str) -> dict[str, int]:
    async with open_journal(url):
        pass
    return await rows(url)


async def test_pools_are_limits(server_url):
    async with open_journal(server_url, Pool(readers=2, writers=3)) as journal:
        await asyncio.gather(*(journal.append([notice(f"one-{n}", 1)]) for n in range(20)))
        await asyncio.gather(*(journal.read() for _ in range(20)))
        engines = open_engines(server_url)
        async with engines.read.connect() as at:
            mine = "pid != pg_backend_pid() AND datname = current_database()"
            count = await at.scalar(text(f"SELECT count(*) FROM pg_stat_activity WHERE {mine}"))  # noqa: S608
        await engines.dispose()
        assert 0 < count <= 2 + 3 + 1
        assert len(await journal.read()) == 20


async def test_a_journal_that_a_process_has_open_is_not_moved(server_url, tmp_path, monkeypatch):
    monkeypatch.setattr(moving, "_LOOKS", 2)
    async with open_journal(server_url) as journal:
        await journal.append([notice("there", 1)])
        with pytest.raises(JournalError, match="stop the engines of all hosts"):
            await move_journal(server_url, f"sqlite:///{tmp_path / 'other.db'}", print)


async def test_what_does_not_arrive_as_it_was_sent_is_not_kept(server_url, file):
    async with open_journal(server_url):
        pass
    engines = open_engines(server_url)
    async with engines.read.connect() as at:
        for statement in (
            "CREATE FUNCTION change() RETURNS trigger LANGUAGE plpgsql AS "
            "$$ BEGIN NEW.title := 'another'; RETURN NEW; END $$",
            "CREATE TRIGGER planted BEFORE INSERT ON headlines FOR EACH ROW EXECUTE FUNCTION change()",
        ):
            await at.execute(text(statement))
    await engines.dispose()

    with pytest.raises(JournalError, match="headlines did not arrive as it was sent"):
        await move_journal(f"sqlite:///{file}", server_url, print)

    assert not any((await rows(server_url)).values())


async def test_the_command_says_what_to_set(server_url, file, monkeypatch, capsys):
    monkeypatch.setenv("TREADLE_DATA_DIR", str(file.parent))
    status = await asyncio.to_thread(app, ["move-journal", server_url], standalone_mode=False)

    assert not status
    said = capsys.readouterr()
    assert "TREADLE_JOURNAL_URL" in said.out + said.err
