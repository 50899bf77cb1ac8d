"""The revisions of the journal's schema, on both databases."""

import asyncio
import gzip
import re
import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

from adapters.journal import open_journal, schema
from adapters.journal.engines import open_engines
from adapters.journal.schema_copy import copy_of
from adapters.journal.schema_file import schema_of_file
from adapters.journal_file import SCHEMA, journal_file
from domain.core.errors import JournalError
from domain.core.words import terms_of
from domain.reading.search.finds import SearchQuery
from tests.adapters.journal_writer import notice

OF_0_1 = Path(__file__).parent / "journals" / "0.1.db.gz"
"""A journal that version 0.1 wrote: 65 events."""


async def in_writing(url: str, change):
    engines = open_engines(url)
    try:
        return await engines.write.run(change)
    finally:
        await engines.dispose()


def drop_everything(connection: Connection) -> None:
    schema.METADATA.drop_all(connection)
    connection.execute(text("DROP TABLE IF EXISTS passage_words"))
    connection.execute(text("DROP TABLE IF EXISTS alembic_version"))


def is_ours(name: str | None, kind: str, _parents: object) -> bool:
    """Leave out the words of searches, which are of another kind on each database."""
    return not (kind == "table" and name is not None and name.startswith("passage_words"))


def differences(connection: Connection) -> list[object]:
    options = {"include_name": is_ours, "compare_type": True}
    context = MigrationContext.configure(connection, opts=options)
    return compare_metadata(context, schema.METADATA)


def set_revision(revision: str, connection: Connection) -> None:
    connection.execute(text("UPDATE alembic_version SET version_num = :it"), {"it": revision})


def described(connection: Connection) -> set[tuple[object, ...]]:
    """Return what a database has, as its own catalogue says it."""
    if connection.dialect.name == "sqlite":
        found = connection.execute(text("SELECT name, sql FROM sqlite_master WHERE sql <> ''"))
        # a column that was added stands last in the text of a table
        return {(name, *sorted(re.findall(r"[\w']+", sql))) for name, sql in found}
    columns = text(
        "SELECT table_name, column_name, data_type, is_nullable, column_default, collation_name "
        "FROM information_schema.columns WHERE table_schema = 'public'"
    )
    indexes = text("SELECT tablename, indexdef FROM pg_indexes WHERE schemaname = 'public'")
    return {*map(tuple, connection.execute(columns)), *map(tuple, connection.execute(indexes))}


def test_the_revisions_are_one_line_and_their_files_are_named_after_them():
    config = Config()
    config.set_main_option("script_location", str(schema.REVISIONS))
    scripts = ScriptDirectory.from_config(config)

    assert scripts.get_heads() == [schema.newest_revision()]
    line = [script.revision for script in scripts.walk_revisions()]
    assert line == sorted(line, reverse=True)
    for script in scripts.walk_revisions():
        stem = f"r{script.revision}_"
        assert Path(script.path).name.startswith(stem), f"{script.path}: name it {stem}…"


def test_the_sql_of_a_new_file_is_that_of_the_tables():
    assert SCHEMA.read_text() == schema_of_file(), "run `make schema`"


async def test_the_revisions_make_what_the_tables_say(url):
    async with open_journal(url):
        made = await in_writing(url, described)
    file = journal_file(url)

    def upgrade(connection: Connection) -> set[tuple[object, ...]]:
        drop_everything(connection)
        schema._upgrade(connection)
        return described(connection)

    assert await in_writing(url, upgrade) == made
    assert await in_writing(url, differences) == []
    await in_writing(url, partial(schema.prepare_schema, file=file))  # changes nothing
    assert await in_writing(url, schema.revision_of) == schema.newest_revision()


async def test_a_difference_between_tables_and_database_is_found(url):
    async with open_journal(url):
        pass
    await in_writing(url, lambda at: at.execute(text("ALTER TABLE texts ADD COLUMN planted TEXT")))

    (found,) = await in_writing(url, differences)

    assert "planted" in str(found)


async def test_a_journal_of_0_1_is_upgraded_after_a_copy(tmp_path):
    file = tmp_path / "journal.db"
    file.write_bytes(gzip.decompress(OF_0_1.read_bytes()))

    async with open_journal(f"sqlite:///{file}") as journal:
        assert len(await journal.read()) == 65
        query = SearchQuery(terms=terms_of("flicker"), limit=100)
        assert len((await journal.searches.find(query)).finds) == 40
        await journal.append([notice("new", 1)])
        assert await journal.position() == 66
    assert await in_writing(f"sqlite:///{file}", differences) == []

    copy = copy_of(file, schema.newest_revision())
    assert copy.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(copy)) as old:
        assert old.execute("SELECT count(*) FROM events").fetchone() == (65,)
        assert not old.execute(
            "SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'"
        ).fetchall()


async def test_a_journal_that_cannot_be_copied_stays_as_it_was(tmp_path):
    file = tmp_path / "journal.db"
    file.write_bytes(gzip.decompress(OF_0_1.read_bytes()))
    (tmp_path / f".{copy_of(file, schema.newest_revision()).name}").mkdir()  # in the way

    with pytest.raises(JournalError, match="cannot be copied first"):
        async with open_journal(f"sqlite:///{file}"):
            pass

    assert await in_writing(f"sqlite:///{file}", schema.revision_of) is None


async def test_several_processes_upgrade_a_journal_once(url):
    async with open_journal(url) as journal:
        await journal.append([notice("a", 1)])
    await in_writing(url, lambda at: at.execute(text("DROP TABLE alembic_version")))

    async def start() -> int:
        async with open_journal(url) as journal:
            return await journal.position()

    assert await asyncio.gather(*(start() for _ in range(4))) == [1] * 4
    assert await in_writing(url, schema.revision_of) == schema.newest_revision()


def generation(more: int) -> str:
    first, number = schema.newest_revision().split("_")
    return f"{int(first) + more:02}_{number}"


async def test_a_journal_of_the_next_version_is_used_as_it_is(url):
    async with open_journal(url) as journal:
        await journal.append([notice("a", 1)])
    await in_writing(url, partial(set_revision, generation(1)))

    async with open_journal(url) as journal:
        await journal.append([notice("a", 2)])
        assert await journal.position() == 2
    assert await in_writing(url, schema.revision_of) == generation(1)


async def test_a_journal_two_versions_newer_is_refused(url):
    async with open_journal(url):
        pass
    await in_writing(url, partial(set_revision, generation(2)))

    with pytest.raises(JournalError, match="more than one version newer"):
        async with open_journal(url):
            pass
