"""What newer versions added to the journal's tables, added to a journal that was made before them."""

from sqlalchemy import Connection, func, inspect, text
from sqlalchemy.schema import CreateColumn

from adapters.journal.tables import HEADLINES, METADATA

_NUMBERS = (HEADLINES.c.done, HEADLINES.c.total, HEADLINES.c.insertions, HEADLINES.c.deletions)
_ADDED = (HEADLINES.c.is_archived, HEADLINES.c.words, *_NUMBERS)


def make_tables(connection: Connection) -> None:
    """Make the tables where they are not there yet, and the columns that an older one lacks."""
    METADATA.create_all(connection)
    known = {column["name"] for column in inspect(connection).get_columns(HEADLINES.name)}
    missing = {column.name: column for column in _ADDED if column.name not in known}
    for column in missing.values():
        made = CreateColumn(column).compile(dialect=connection.dialect)
        connection.execute(text(f"ALTER TABLE {HEADLINES.name} ADD COLUMN {made}"))
    if HEADLINES.c.words.name in missing:
        words = func.lower(HEADLINES.c.stream.concat(" ").concat(HEADLINES.c.title))
        connection.execute(HEADLINES.update().values(words=words))
    if missing:
        for index in HEADLINES.indexes:
            index.create(connection, checkfirst=True)
