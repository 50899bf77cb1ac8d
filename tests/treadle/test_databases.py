"""An engine does not start on a broken or a lost database, and says which and what to do."""

import asyncio
import os
import re
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

import pytest

from adapters.journal import open_journal
from domain.core.event import Headline
from domain.core.ids import StreamId
from settings import Settings
from tests.free_ports import free_ports
from treadle.children import spawn
from treadle.cluster import connected
from treadle.databases import check_databases
from treadle.engine import EngineError, temporal_binary, temporal_command

DEADLINE = 60


@pytest.fixture(scope="module")
async def whole(tmp_path_factory) -> Path:
    """A folder with the databases of an engine that was killed: a server's own, and a journal."""
    folder = tmp_path_factory.mktemp("whole")
    settings = Settings(data_dir=folder, temporal_port=free_ports(1)[0], is_temporal_ui_on=False)
    server = await spawn(temporal_command(settings, temporal_binary()), folder / "log")
    async with asyncio.timeout(DEADLINE):
        while await connected(settings) is None:  # noqa: ASYNC110  (another process)
            await asyncio.sleep(0.1)
    server.kill()
    await server.wait()
    async with open_journal(settings.journal) as journal:
        await journal.append([], [Headline(stream=StreamId("thread-a"), kind="thread")])
    return folder


@pytest.fixture
def settings(whole, tmp_path):
    folder = tmp_path / "data"
    shutil.copytree(whole, folder)
    return Settings(data_dir=folder)


def overwrite(at: int, garbage: bytes):
    def breaks(file: Path) -> None:
        with file.open("r+b") as stream:
            stream.seek(at)
            stream.write(garbage)

    return breaks


def rot(file: Path) -> None:
    """Overwrite pages in the middle of a file, with nothing in its log that would cover them."""
    with suppress(FileNotFoundError):
        file.with_name(f"{file.name}-wal").unlink()
    size = file.stat().st_size
    overwrite(size // 2 // 4096 * 4096, b"\xa5" * 16384)(file)


BROKEN = {
    "zeroed header": (overwrite(0, bytes(100)), "no SQLite database"),
    "garbage": (lambda file: file.write_bytes(os.urandom(20_000)), "no SQLite database"),
    "truncated": (lambda file: os.truncate(file, file.stat().st_size // 3), "damaged"),
    "bit rot": (rot, "damaged"),
    "empty": (lambda file: os.truncate(file, 0), "empty"),
    "a directory": (lambda file: (file.unlink(), file.mkdir()), "Is a directory"),
    "another database": (lambda file: shutil.copy(file.with_name("other"), file), "another kind"),
}


def checkpointed(file: Path) -> None:
    """Move a log into its database, as an engine does in time."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def test_whole_databases_are_fine_but_for_a_thread_that_temporal_does_not_know(settings):
    assert [re.findall("thread-a", words) for words in check_databases(settings)] == [["thread-a"]]


@pytest.mark.parametrize("kind", BROKEN)
@pytest.mark.parametrize("name", ["temporal", "journal"])
def test_a_broken_database_is_named_with_what_to_do_and_left_alone(settings, name, kind):
    file = settings.data_dir / f"{name}.db"
    other = {"temporal": "journal", "journal": "temporal"}[name]
    checkpointed(file)
    checkpointed(settings.data_dir / f"{other}.db")
    shutil.copy(settings.data_dir / f"{other}.db", settings.data_dir / "other")
    breaks, reason = BROKEN[kind]
    breaks(file)
    before = file.read_bytes() if file.is_file() else None

    with pytest.raises(EngineError, match=f"(?s){file}.*{reason}.*treadle restore") as refused:
        check_databases(settings)

    assert "away" in str(refused.value)
    assert (file.read_bytes() if file.is_file() else None) == before


def test_a_temporal_database_that_is_gone_is_not_replaced_by_an_empty_one(settings):
    for file in settings.data_dir.glob("temporal.db*"):
        file.unlink()

    with pytest.raises(
        EngineError, match=r"(?s)temporal\.db is missing.*1 thread.*treadle restore"
    ):
        check_databases(settings)
    assert check_databases(settings, is_loss_accepted=True) == []


def test_payload_keys_that_are_gone_are_not_replaced_where_threads_need_them(settings):
    assert check_databases(settings) != []  # no thread in Temporal yet: nothing is sealed

    with closing(sqlite3.connect(settings.data_dir / "temporal.db")) as database, database:
        columns = [row[1] for row in database.execute("PRAGMA table_info(current_executions)")]
        row = ["thread-a" if name == "workflow_id" else 0 for name in columns]
        marks = ", ".join("?" * len(row))
        database.execute(f"INSERT INTO current_executions VALUES ({marks})", row)  # noqa: S608
    with pytest.raises(EngineError, match=r"payload\.keys is missing.*1 thread.*treadle restore"):
        check_databases(settings)
    assert check_databases(settings, is_loss_accepted=True) == []


def test_an_engine_that_never_ran_has_nothing_to_lose(tmp_path):
    assert check_databases(Settings(data_dir=tmp_path)) == []


@pytest.mark.parametrize("url", ["nonsense", "mysql://x/y", "sqlite://", "postgresql://h:port/x"])
def test_a_bad_journal_url_is_reported_by_its_variable(tmp_path, url):
    with pytest.raises(EngineError, match="TREADLE_JOURNAL_URL: the journal"):
        check_databases(Settings(data_dir=tmp_path, journal_url=url))


def test_a_place_that_cannot_hold_the_journal_is_reported(tmp_path):
    settings = Settings(data_dir=tmp_path, journal_url="sqlite:////dev/null/journal.db")
    with pytest.raises(EngineError, match="the journal cannot be opened"):
        check_databases(settings)
