import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url

from adapters.journal.schema import make_schema
from adapters.journal_file import JOURNAL_FORMAT, journal_file, prepare_file
from domain.core.errors import JournalError

SCHEMA = "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name"


def described(file: Path) -> list[tuple[str, str]]:
    with closing(sqlite3.connect(file)) as connection:
        return [(name, " ".join(sql.split())) for name, sql in connection.execute(SCHEMA)]


def test_a_new_file_has_the_tables_that_the_journal_reads_and_writes(tmp_path: Path):
    made, wanted = tmp_path / "made.db", tmp_path / "wanted.db"
    prepare_file(made)
    engine = create_engine(f"sqlite:///{wanted}")
    with engine.begin() as connection:
        make_schema(connection)
    engine.dispose()
    assert described(made) == described(wanted)
    assert JOURNAL_FORMAT.tables < {name for name, _ in described(made)}


@pytest.mark.parametrize(
    "url",
    [
        "sqlite:////data/journal.db",
        "sqlite:///a b%20c+d%3F.db",
        "sqlite+aiosqlite:////j.db?timeout=1",
    ],
)
def test_the_file_of_a_url_is_the_one_that_sqlalchemy_opens(url: str):
    assert journal_file(url) == Path(make_url(url).database or "")


def test_a_journal_on_a_server_has_no_file():
    assert journal_file("postgresql://localhost/treadle") is None


@pytest.mark.parametrize("url", ["sqlite://", "sqlite:///", "sqlite:///:memory:", "sqlite:///?a=b"])
def test_a_url_without_a_file_is_refused(url: str):
    with pytest.raises(JournalError, match="names no file"):
        journal_file(url)
