"""The schema of version 0.1; also adds what earlier journals lack, which had no revisions.

Revision ID: 01_0001
"""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects import postgresql
from sqlalchemy.schema import CreateColumn

revision = "01_0001"
down_revision = None

_METADATA = sa.MetaData()
_POSITION = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_NAME = sa.Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")
_IS_THREAD = sa.text("kind = 'thread'")
_IS_ASKING = sa.text("kind IN ('task', 'session') AND waiting_for <> ''")
_IS_WORKING = sa.text(
    "(kind = 'session' AND status = 'working') OR (kind = 'task' AND waiting_for = '' "
    "AND status IN ('planning', 'reviewing', 'working', 'verifying'))"
)

_EVENTS = sa.Table(
    "events",
    _METADATA,
    sa.Column("position", _POSITION, primary_key=True, autoincrement=True),
    sa.Column("id", _NAME, nullable=False, unique=True),
    sa.Column("stream", _NAME, nullable=False),
    sa.Column("at", sa.Text, nullable=False),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("body", sa.Text, nullable=False),
    sa.Column("checksum", _POSITION),
    sa.Index("events_of_stream", "stream", "position"),
    sqlite_autoincrement=True,
)
_HEADLINES = sa.Table(
    "headlines",
    _METADATA,
    sa.Column("stream", _NAME, primary_key=True),
    sa.Column("kind", sa.Text, nullable=False),
    sa.Column("title", sa.Text, nullable=False),
    sa.Column("project", sa.Text, nullable=False),
    sa.Column("status", sa.Text, nullable=False),
    sa.Column("waiting_for", sa.Text, nullable=False),
    sa.Column("changed", _POSITION, nullable=False, index=True),
    sa.Column("changed_at", sa.Text),
    sa.Column("is_archived", sa.Boolean, nullable=False, server_default=sa.false()),
    sa.Column("words", sa.Text, nullable=False, server_default=""),
    sa.Column("done", sa.Integer, nullable=False, server_default="0"),
    sa.Column("total", sa.Integer, nullable=False, server_default="0"),
    sa.Column("insertions", sa.Integer, nullable=False, server_default="0"),
    sa.Column("deletions", sa.Integer, nullable=False, server_default="0"),
    sa.Index(
        "threads_listed",
        "is_archived",
        "changed",
        sqlite_where=_IS_THREAD,
        postgresql_where=_IS_THREAD,
    ),
    sa.Index("asking_tasks", "stream", sqlite_where=_IS_ASKING, postgresql_where=_IS_ASKING),
    sa.Index("working", "stream", sqlite_where=_IS_WORKING, postgresql_where=_IS_WORKING),
)
_TEXTS = sa.Table(
    "texts",
    _METADATA,
    sa.Column("ref", sa.Text, primary_key=True),
    sa.Column("body", sa.LargeBinary, nullable=False),
)
_PASSAGES = sa.Table(
    "passages",
    _METADATA,
    sa.Column("position", _POSITION, primary_key=True, autoincrement=False),
    sa.Column("upto", _POSITION, nullable=False),
    sa.Column("stream", _NAME, nullable=False),
    sa.Column("top", _NAME, nullable=False),
    sa.Column("speaker", sa.Text, nullable=False),
    sa.Column("by", sa.Text, nullable=False),
    sa.Column("joined", sa.Text, nullable=False),
    sa.Column("text", sa.Text, nullable=False),
    sa.Index("passages_of_stream", "stream", "upto"),
)
_UNINDEXED = sa.Table(
    "unindexed",
    _METADATA,
    sa.Column("after", _POSITION, primary_key=True, autoincrement=False),
    sa.Column("upto", _POSITION, nullable=False),
)
_META = sa.Table(
    "meta",
    _METADATA,
    sa.Column("name", sa.Text, primary_key=True),
    sa.Column("value", sa.Text, nullable=False),
)
_ANSWERS = sa.Table(
    "command_answers",
    _METADATA,
    sa.Column("key", sa.Text, primary_key=True),
    sa.Column("fingerprint", sa.Text, nullable=False),
    sa.Column("status", sa.Integer, nullable=False),
    sa.Column("body", sa.Text),
)
_WORKERS = sa.Table(
    "workers",
    _METADATA,
    sa.Column("host", sa.Text, primary_key=True),
    sa.Column("seen", sa.DateTime(timezone=True), nullable=False),
)
_WORDS = {
    "sqlite": (
        "CREATE VIRTUAL TABLE IF NOT EXISTS passage_words USING "
        "fts5(words, tokenize = 'unicode61 remove_diacritics 0')",
    ),
    "postgresql": (
        "CREATE TABLE IF NOT EXISTS passage_words (position bigint PRIMARY KEY, words tsvector)",
        "CREATE INDEX IF NOT EXISTS words_found ON passage_words USING gin (words)",
    ),
}


def upgrade() -> None:
    """Make the tables where they are not there yet, and the columns that an older one lacks."""
    connection = op.get_bind()
    is_new_search = not sa.inspect(connection).has_table(_PASSAGES.name)
    _METADATA.create_all(connection)
    missing = [c for table in (_EVENTS, _HEADLINES) for c in _add_missing(connection, table)]
    if _HEADLINES.c.words in missing:
        words = sa.func.lower(_HEADLINES.c.stream.concat(" ").concat(_HEADLINES.c.title))
        connection.execute(_HEADLINES.update().values(words=words))
    if missing:
        for index in _HEADLINES.indexes:
            index.create(connection, checkfirst=True)
    for statement in _WORDS[connection.dialect.name]:
        connection.execute(sa.text(statement))
    newest = connection.scalar(sa.select(sa.func.max(_EVENTS.c.position)))
    if is_new_search and newest:
        connection.execute(_UNINDEXED.insert().values(after=0, upto=newest))


def _add_missing(connection: sa.Connection, table: sa.Table) -> list[sa.Column[object]]:
    known = {column["name"] for column in sa.inspect(connection).get_columns(table.name)}
    missing = [column for column in table.columns if column.name not in known]
    for column in missing:
        made = CreateColumn(column).compile(dialect=connection.dialect)
        connection.execute(sa.text(f"ALTER TABLE {table.name} ADD COLUMN {made}"))
    return missing
