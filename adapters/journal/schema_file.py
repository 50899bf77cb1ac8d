"""The SQL of a new SQLite journal, as `make schema` writes it to `adapters/journal_file.sql`."""

from sqlalchemy.dialects import sqlite
from sqlalchemy.schema import CreateIndex, CreateTable

from adapters.journal.schema import MAKE_VERSION, METADATA, newest_revision
from adapters.journal.search_tables import WORDS
from adapters.journal_file import SCHEMA


def schema_of_file() -> str:
    """Return the statements that make the tables as the newest revision has them."""
    dialect = sqlite.dialect()
    made: list[str] = []
    for table in METADATA.sorted_tables:
        made.append(str(CreateTable(table).compile(dialect=dialect)))
        indexes = sorted(table.indexes, key=lambda index: str(index.name))
        made += [str(CreateIndex(index).compile(dialect=dialect)) for index in indexes]
    version = f"INSERT INTO alembic_version (version_num) VALUES ('{newest_revision()}')"  # noqa: S608
    made += [*WORDS["sqlite"], MAKE_VERSION, version]
    lines = "\n\n".join(f"{statement.strip()};" for statement in made).expandtabs(4)
    return "".join(f"{line.rstrip()}\n" for line in lines.splitlines())


if __name__ == "__main__":
    SCHEMA.write_text(schema_of_file())
