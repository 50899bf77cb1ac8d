"""Mentions of people in threads, in a table of the journal's database; what one has seen is one's own."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Column, Connection, Index, Table, Text, select

from adapters.journal.engines import Engines
from adapters.journal.tables import DIALECTS, METADATA
from domain.core.event import Event
from domain.core.ids import thread_of
from domain.reading.inbox.mentions import Mention, named_by

MENTIONS = Table(
    "mentions",
    METADATA,
    Column("event_id", Text, primary_key=True),
    Column("person", Text, primary_key=True),
    Column("top", Text, nullable=False, index=True),
    Column("by", Text, nullable=False),
    Column("at", Text, nullable=False),
    Column("seen_at", Text),
    Index("ix_mentions_unseen", "person", "seen_at"),
)
"""Names are kept as they were written; of those that are nobody's, nobody reads a row."""

MAX_READ = 500


def mentions_in(event: Event) -> list[dict[str, Any]]:
    """Return the rows of those whom an event may mention; none but for messages in threads."""
    top = thread_of(event.stream)
    if not top.startswith("thread-"):
        return []
    by, at = getattr(event.body, "by", ""), event.at.isoformat(timespec="milliseconds")
    about = {"event_id": event.id, "top": top, "by": by, "at": at, "seen_at": None}
    return [{**about, "person": person} for person in named_by(event.body)]


def add_mentions(connection: Connection, rows: Sequence[dict[str, Any]]) -> None:
    """Add rows; those that are there stay as they are."""
    if rows:
        insert = DIALECTS[connection.dialect.name].insert(MENTIONS)
        connection.execute(insert.on_conflict_do_nothing(), [*rows])


def remove_mentions(connection: Connection, top: str) -> None:
    """Remove the mentions in a thread."""
    connection.execute(MENTIONS.delete().where(MENTIONS.c.top == top))


class Mentions:
    """The mentions, by the connections of an open journal; each change is durable on return."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    async def unseen_of(self, person: str) -> tuple[Mention, ...]:
        """Return the newest mentions of a person that they have not seen yet."""
        mine = (MENTIONS.c.person == person) & MENTIONS.c.seen_at.is_(None)
        query = select(MENTIONS).where(mine).order_by(MENTIONS.c.at.desc()).limit(MAX_READ)
        rows = await self._engines.lookups.run(lambda at: at.execute(query).all())
        return tuple(
            Mention(event_id=r.event_id, person=r.person, top=r.top, by=r.by, at=r.at) for r in rows
        )

    async def see(self, person: str, top: str) -> bool:
        """Note that a person has seen all their mentions in a thread; False where there was none."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        mine = (MENTIONS.c.person == person) & (MENTIONS.c.top == top)
        change = MENTIONS.update().where(mine, MENTIONS.c.seen_at.is_(None)).values(seen_at=now)
        return await self._engines.write.run(lambda at: at.execute(change).rowcount) > 0
