"""The record of news: what was sent by which channel, and which worker sends them."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Column, Connection, Index, Integer, Row, Table, Text, select

from adapters.journal.engines import Engines
from adapters.journal.tables import DIALECTS, METADATA, POSITION
from domain.news.delivery import Delivery

DELIVERIES = Table(
    "news_deliveries",
    METADATA,
    Column("delivery_id", Text, primary_key=True),
    Column("channel", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("item_id", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("state", Text, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("doubts", Integer, nullable=False),
    Column("made_at", Text, nullable=False),
    Column("due_at", Text, nullable=False),
    Column("tried_at", Text),
    Column("holder", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Index("ix_news_deliveries_key", "channel", "key", unique=True),
)
FOLLOWER = Table(
    "news_follower",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("until", Text, nullable=False),
    Column("position", POSITION, nullable=False),
)
"""One row: the worker that sends news, until when it does unless it says so again, and what it has seen."""

_NAME = "news"


class NewsLog:
    """The record, by the connections of an open journal; each change is durable on return."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    async def lead(self, holder: str, now: datetime, seconds: float) -> bool:
        """Become, or stay, the one who sends news; False while another one does."""
        values = {"holder": holder, "until": _text(now + timedelta(seconds=seconds))}

        def change(at: Connection) -> bool:
            insert = DIALECTS[at.dialect.name].insert(FOLLOWER)
            first = insert.values(name=_NAME, position=0, **values)
            if at.execute(first.on_conflict_do_nothing()).rowcount > 0:
                return True
            is_free = (FOLLOWER.c.holder == holder) | (FOLLOWER.c.until < _text(now))
            return at.execute(FOLLOWER.update().where(is_free).values(values)).rowcount > 0

        return await self._engines.write.run(change)

    async def leave(self, holder: str) -> None:
        """Let another worker send news at once."""
        mine = FOLLOWER.update().where(FOLLOWER.c.holder == holder)
        await self._engines.write.run(lambda at: at.execute(mine.values(until="")).rowcount)

    async def note_seen(self, holder: str, position: int) -> None:
        """Note up to where the journal was looked through."""
        mine = FOLLOWER.update().where(FOLLOWER.c.holder == holder)
        await self._engines.write.run(
            lambda at: at.execute(mine.values(position=position)).rowcount
        )

    async def add(self, deliveries: Sequence[Delivery]) -> None:
        """Add what is new; of a channel and a key there is one."""
        rows = [_row(each) for each in deliveries]

        def change(at: Connection) -> None:
            insert = DIALECTS[at.dialect.name].insert(DELIVERIES)
            at.execute(insert.on_conflict_do_nothing(), rows)

        if rows:
            await self._engines.write.run(change)

    async def gather(
        self, summary: Delivery, before: Sequence[Delivery], after: Sequence[Delivery]
    ) -> None:
        """Add a summary and settle those whose place it takes, in one transaction."""

        def change(at: Connection) -> None:
            at.execute(DIALECTS[at.dialect.name].insert(DELIVERIES).values(_row(summary)))
            for old, new in zip(before, after, strict=True):
                at.execute(_of(old).values(_change(new)))

        await self._engines.write.run(change)

    async def claim(self, delivery: Delivery, claimed: Delivery, until: datetime) -> bool:
        """Note that one is being sent, where its holder sends news `until` then at least; False if it is not to be."""
        leads = select(FOLLOWER.c.name).where(
            FOLLOWER.c.holder == claimed.holder, FOLLOWER.c.until > _text(until)
        )
        change = _of(delivery).where(leads.exists()).values(_change(claimed))
        return await self._engines.write.run(lambda at: at.execute(change).rowcount) > 0

    async def note(self, before: Delivery, after: Delivery) -> bool:
        """Note what became of one; False where it is not any more as it was `before`."""
        change = _of(before).values(_change(after))
        return await self._engines.write.run(lambda at: at.execute(change).rowcount) > 0

    async def forget_channel(self, channel: str) -> None:
        """Remove the record of a channel that is no more."""
        gone = DELIVERIES.delete().where(DELIVERIES.c.channel == channel)
        await self._engines.write.run(lambda at: at.execute(gone).rowcount)

    async def forget(self, deliveries: Sequence[Delivery]) -> None:
        """Remove records."""
        names = [each.delivery_id for each in deliveries]
        gone = DELIVERIES.delete().where(DELIVERIES.c.delivery_id.in_(names))
        if names:
            await self._engines.write.run(lambda at: at.execute(gone).rowcount)

    async def of(self, channel: str) -> dict[str, Delivery]:
        """Return the record of a channel, by key."""
        query = select(DELIVERIES).where(DELIVERIES.c.channel == channel)
        query = query.order_by(DELIVERIES.c.made_at)
        rows = await self._engines.lookups.run(lambda at: at.execute(query).all())
        return {row.key: _delivery(row) for row in rows}

    async def one(self, delivery_id: str) -> Delivery | None:
        """Return one record."""
        query = select(DELIVERIES).where(DELIVERIES.c.delivery_id == delivery_id)
        row = await self._engines.lookups.run(lambda at: at.execute(query).first())
        return None if row is None else _delivery(row)


def _of(delivery: Delivery) -> Any:
    row = DELIVERIES.c
    return DELIVERIES.update().where(
        row.delivery_id == delivery.delivery_id,
        row.state == delivery.state,
        row.attempts == delivery.attempts,
        row.holder == delivery.holder,
    )


def _row(delivery: Delivery) -> dict[str, Any]:
    times = ("made_at", "due_at", "tried_at")
    row = delivery.model_dump(mode="python")
    return {name: _text(value) if name in times else value for name, value in row.items()}


def _change(delivery: Delivery) -> dict[str, Any]:
    """Return what changes of a record; its channel may have got another name meanwhile, as a browser's does."""
    return {name: value for name, value in _row(delivery).items() if name != "channel"}


def _text(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat(timespec="microseconds")


def _delivery(row: Row[Any]) -> Delivery:
    return Delivery.model_validate(dict(zip(DELIVERIES.c.keys(), row, strict=True)))
