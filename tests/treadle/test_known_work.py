"""What a journal knows of repositories, also a damaged one: a backup and a restore go by it."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from treadle.saved_repositories import known_work

ROWS = {
    "thread-a": ("thread_opened", {"facts": {"root": "/app"}, "branch": "treadle/a"}),
    "thread-b": ("thread_opened", {"facts": {"root": "/app"}, "branch": "treadle/b"}),
    "flow-c": ("flow_started", {"repository": "/other", "branch": "treadle/c"}),
}
DAMAGES = {
    "a cut body": "substr(body, 1, 20)",
    "no UTF-8": "CAST(x'7bff' AS TEXT)",
    "bytes": "x'00ff'",
    "another body": '\'{"kind":"no_such"}\'',
    "no object": "'7'",
    "a root of another kind": '\'{"facts":{"root":7},"branch":"b"}\'',
}


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    file = tmp_path / "journal.db"
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("CREATE TABLE events (stream TEXT, kind TEXT, body TEXT)")
        rows = [(stream, kind, json.dumps(body)) for stream, (kind, body) in ROWS.items()]
        connection.executemany("INSERT INTO events VALUES (?, ?, ?)", rows)
    return file


def test_repositories_are_known_by_their_threads_and_runs(journal: Path):
    found = known_work(journal)
    assert found["/app"].branches == {"treadle/a", "treadle/b"}
    assert found["/app"].streams == {"thread-a", "thread-b"}
    assert found["/other"].streams == {"flow-c"}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_event_hides_no_other(journal: Path, damage: str):
    with closing(sqlite3.connect(journal)) as connection, connection:
        connection.execute(
            f"UPDATE events SET body = {DAMAGES[damage]} WHERE stream = 'thread-a'"  # noqa: S608
        )
    found = known_work(journal)
    assert found["/app"].streams == {"thread-b"}
    assert found["/other"].streams == {"flow-c"}
