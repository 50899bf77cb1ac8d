"""The doctor names damaged events by stream and position."""

import asyncio
import json
import sqlite3
from contextlib import closing

import pytest
from typer.testing import CliRunner

from adapters.journal import open_journal
from domain.core.ids import StreamId
from tests.adapters.journal_writer import notice
from treadle.commands import app
from treadle.damage import damage_findings


@pytest.fixture
def file(settings):
    """The file of a journal with three events, closed."""

    async def write() -> None:
        async with open_journal(settings.journal) as journal:
            await journal.append([notice("a", n, StreamId("thread-a/task-1")) for n in range(3)])

    asyncio.run(write())
    return settings.data_dir / "journal.db"


def test_a_whole_journal_is_well(settings, file):
    (found,) = damage_findings(settings)
    assert found.is_well
    assert found.found == "3 events"


def test_damaged_events_are_named(settings, file):
    with closing(sqlite3.connect(file)) as journal, journal:
        journal.execute("UPDATE events SET body = replace(body, '\"1\"', '\"7\"')")
    (found,) = damage_findings(settings)
    assert not found.is_well
    assert "position 2 of thread-a/task-1 (agent notice)" in found.fix
    assert "treadle journal repair" in found.fix


def test_no_journal_is_no_finding(settings):
    assert damage_findings(settings) == []


def test_where_nothing_is_damaged_no_engine_is_needed(settings, file, monkeypatch):
    monkeypatch.setenv("TREADLE_DATA_DIR", str(settings.data_dir))
    done = CliRunner().invoke(app, ["journal", "repair", "--json"])
    assert done.exit_code == 0
    assert json.loads(done.stdout) == {"rebuilt": [], "lost": []}
