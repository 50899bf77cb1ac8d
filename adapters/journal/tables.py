"""The journal's three tables, and the metadata that its other modules add theirs to.

Names of streams are compared byte by byte on both databases, so that a range finds all streams
below another.
"""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    false,
    or_,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite

METADATA = MetaData()
DIALECTS = {"postgresql": postgresql, "sqlite": sqlite}

POSITION = BigInteger().with_variant(Integer, "sqlite")  # SQLite counts up INTEGER keys only
NAME = Text().with_variant(postgresql.TEXT(collation="C"), "postgresql")

EVENTS = Table(
    "events",
    METADATA,
    Column("position", POSITION, primary_key=True, autoincrement=True),
    Column("id", NAME, nullable=False, unique=True),
    Column("stream", NAME, nullable=False),
    Column("at", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("body", Text, nullable=False),
    Column("checksum", POSITION),
    Index("events_of_stream", "stream", "position"),
    sqlite_autoincrement=True,  # a position is never given twice
)
"""`at` is ISO 8601, `body` the JSON of the event's body; text so that any tool can read them.

`checksum` tells damage (adapters/journal/rows.py); events of older versions have none.
"""

IS_THREAD = text("kind = 'thread'")
IS_ASKING = text("kind IN ('task', 'session') AND waiting_for <> ''")
IS_WORKING = text(
    "(kind = 'session' AND status = 'working') OR (kind = 'task' AND waiting_for = '' "
    "AND status IN ('planning', 'reviewing', 'working', 'verifying'))"
)
"""Without parameters: a database sees by the words alone that a partial index fits."""

HEADLINES = Table(
    "headlines",
    METADATA,
    Column("stream", NAME, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("project", Text, nullable=False),
    Column("status", Text, nullable=False),
    Column("waiting_for", Text, nullable=False),
    Column("changed", POSITION, nullable=False, index=True),
    Column("changed_at", Text),
    Column("is_archived", Boolean, nullable=False, server_default=false()),
    Column("words", Text, nullable=False, server_default=""),
    Column("done", Integer, nullable=False, server_default="0"),
    Column("total", Integer, nullable=False, server_default="0"),
    Column("insertions", Integer, nullable=False, server_default="0"),
    Column("deletions", Integer, nullable=False, server_default="0"),
    Column("agent", Text, nullable=False, server_default=""),
    Column("branch_status", Text, nullable=False, server_default=""),
    Index(
        "threads_listed",
        "is_archived",
        "changed",
        sqlite_where=IS_THREAD,
        postgresql_where=IS_THREAD,
    ),
    Index("asking_tasks", "stream", sqlite_where=IS_ASKING, postgresql_where=IS_ASKING),
    Index("working", "stream", sqlite_where=IS_WORKING, postgresql_where=IS_WORKING),
)
"""`changed` is the position of the newest event that a headline was written with; `words` is what it
is found by, as `domain.listing.comparable` writes them.
"""

TEXTS = Table(
    "texts",
    METADATA,
    Column("ref", Text, primary_key=True),
    Column("body", LargeBinary, nullable=False),
)
"""`body` is UTF-8 as bytes: PostgreSQL takes no NUL in a text, the output of a program may."""


def within(column: ColumnElement[str], stream: str) -> ColumnElement[bool]:
    """Return the condition for a stream and all streams below it."""
    # "0" follows "/" in ASCII: the range holds every name that begins with "stream/".
    return or_(column == stream, (column >= f"{stream}/") & (column < f"{stream}0"))
