"""What newer versions added to the journal's tables, added to a journal that was made before them."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Column, Connection, func, inspect, text
from sqlalchemy.schema import CreateColumn

from adapters.journal.search_tables import make_search_tables
from adapters.journal.tables import EVENTS, HEADLINES, METADATA

_NUMBERS = (HEADLINES.c.done, HEADLINES.c.total, HEADLINES.c.insertions, HEADLINES.c.deletions)
_ADDED = (HEADLINES.c.is_archived, HEADLINES.c.words, *_NUMBERS)


def make_tables(connection: Connection) -> None:
    """Make the tables where they are not there yet, and the columns that an older one lacks."""
    METADATA.create_all(connection)
    _add_missing(connection, (EVENTS.c.checksum,))
    missing = _add_missing(connection, _ADDED)
    if HEADLINES.c.words.name in missing:
        words = func.lower(HEADLINES.c.stream.concat(" ").concat(HEADLINES.c.title))
        connection.execute(HEADLINES.update().values(words=words))
    if missing:
        for index in HEADLINES.indexes:
            index.create(connection, checkfirst=True)
    make_search_tables(connection)


def _add_missing(connection: Connection, columns: Sequence[Column[Any]]) -> set[str]:
    """Add the columns of one table that it lacks; returns their names."""
    table = columns[0].table.name
    known = {column["name"] for column in inspect(connection).get_columns(table)}
    missing = [column for column in columns if column.name not in known]
    for column in missing:
        made = CreateColumn(column).compile(dialect=connection.dialect)
        connection.execute(text(f"ALTER TABLE {table} ADD COLUMN {made}"))
    return {column.name for column in missing}
