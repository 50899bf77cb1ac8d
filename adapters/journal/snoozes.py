"""Snoozes of inbox items, each of one person, in a table of the journal's database."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import Column, Connection, Table, Text, select

from adapters.journal.engines import Engines
from adapters.journal.tables import DIALECTS, METADATA
from domain.reading.inbox.snoozes import Snooze

SNOOZES = Table(
    "snoozes",
    METADATA,
    Column("person", Text, primary_key=True),
    Column("item_id", Text, primary_key=True),
    Column("version", Text, nullable=False),
    Column("until", Text, nullable=False),
)
KEPT = timedelta(days=30)
"""How long one that is over is kept: news of the item came back with its end."""


class Snoozes:
    """The snoozes, by the connections of an open journal; each change is durable on return."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    async def of(self, *people: str) -> Sequence[Snooze]:
        """Return the snoozes of some people, those that are over as well; of nobody named, those of all."""
        query = select(SNOOZES)
        if people:
            query = query.where(SNOOZES.c.person.in_(people))
        rows = await self._engines.lookups.run(lambda at: at.execute(query).all())
        return [
            Snooze(
                person=row.person,
                item_id=row.item_id,
                version=row.version,
                until=datetime.fromisoformat(row.until),
            )
            for row in rows
        ]

    async def put(self, snooze: Snooze) -> None:
        """Add a snooze, in place of the person's earlier one of the item; those that are long over go."""
        values = {**snooze.model_dump(), "until": _text(snooze.until)}
        over = _text(datetime.now(UTC) - KEPT)

        def change(at: Connection) -> None:
            at.execute(SNOOZES.delete().where(SNOOZES.c.until < over))
            insert = DIALECTS[at.dialect.name].insert(SNOOZES).values(values)
            keys = ["person", "item_id"]
            at.execute(insert.on_conflict_do_update(index_elements=keys, set_=values))

        await self._engines.write.run(change)

    async def end(self, person: str, item_id: str) -> bool:
        """Remove a person's snooze of an item; False where there is none."""
        mine = (SNOOZES.c.person == person) & (SNOOZES.c.item_id == item_id)
        gone = SNOOZES.delete().where(mine)
        return await self._engines.write.run(lambda at: at.execute(gone).rowcount) > 0


def _text(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")
