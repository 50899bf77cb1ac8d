"""Deliveries of webhooks, in tables of the journal's database: what was taken, and how many were taken and refused.

Both are bounded: of each sender so many deliveries are kept, and a row for each outcome and each reason of refusals.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import (
    Column,
    Connection,
    Index,
    Integer,
    RowMapping,
    Table,
    Text,
    func,
    or_,
    select,
)

from adapters.journal.engines import Engines
from adapters.journal.tables import DIALECTS, METADATA
from domain.forges.received import (
    Delivery,
    DeliveryOutcome,
    Refusal,
    RefusedDeliveries,
    TakenDeliveries,
)

MOST = 10_000
"""How many deliveries of one sender are kept: at the rate that is allowed by default, a quarter of an hour of a flood."""

MOST_READ = 200

DELIVERIES = Table(
    "webhook_deliveries",
    METADATA,
    Column("sender", Text, primary_key=True),
    Column("delivery_id", Text, primary_key=True),
    Column("digest", Text, nullable=False),
    Column("event", Text, nullable=False),
    Column("outcome", Text, nullable=False),
    Column("about", Text, nullable=False),
    Column("at", Text, nullable=False),
    Index("ix_webhook_deliveries_digest", "sender", "digest"),
    Index("ix_webhook_deliveries_at", "sender", "at"),
)
"""The digest is of the body, where the signature covers no delivery id; empty where it does."""

COUNTS = Table(
    "webhook_refusals",
    METADATA,
    Column("sender", Text, primary_key=True),
    Column("reason", Text, primary_key=True),
    Column("count", Integer, nullable=False),
    Column("last_at", Text, nullable=False),
)
"""How many had which outcome, or were refused why, both in `reason`. Senders that nobody configured share the empty name."""


class WebhookDeliveries:
    """The deliveries, by the connections of an open journal; each change is durable on return."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    async def is_known(self, sender: str, delivery_id: str, digest: str) -> bool:
        """Tell whether a delivery was taken before, by its id or by its body."""
        same = DELIVERIES.c.delivery_id == delivery_id
        if digest:
            same = or_(same, DELIVERIES.c.digest == digest)
        query = select(DELIVERIES.c.delivery_id).where(DELIVERIES.c.sender == sender, same).limit(1)
        return await self._engines.lookups.run(lambda at: at.execute(query).first()) is not None

    async def add(self, delivery: Delivery, digest: str, keep: timedelta) -> None:
        """Remember a delivery, and forget those that are older than `keep` or too many."""

        def change(connection: Connection) -> None:
            insert = DIALECTS[connection.dialect.name].insert(DELIVERIES)
            row = {
                **delivery.model_dump(mode="json"),
                "digest": digest,
                "at": _written(delivery.at),
            }
            connection.execute(insert.on_conflict_do_nothing(), [row])
            _forget(connection, delivery.sender, delivery.at - keep)

        await self._engines.write.run(change)

    async def count(
        self, counts: Mapping[tuple[str, DeliveryOutcome | Refusal], int], at: datetime
    ) -> None:
        """Add to the numbers of deliveries that were taken and refused."""

        def change(connection: Connection) -> None:
            insert = DIALECTS[connection.dialect.name].insert(COUNTS)
            for (sender, reason), count in counts.items():
                row = {"sender": sender, "reason": reason.value, "count": count}
                added = insert.values(**row, last_at=_written(at))
                more = {"count": COUNTS.c.count + count, "last_at": _written(at)}
                connection.execute(
                    added.on_conflict_do_update(index_elements=["sender", "reason"], set_=more)
                )

        if counts:
            await self._engines.write.run(change)

    async def newest(self, limit: int = MOST_READ) -> tuple[Delivery, ...]:
        """Return the newest deliveries of all senders, newest first."""
        query = select(DELIVERIES).order_by(DELIVERIES.c.at.desc()).limit(min(limit, MOST_READ))
        rows = await self._engines.lookups.run(lambda at: at.execute(query).mappings().all())
        return tuple(Delivery.model_validate({**row}) for row in rows)

    async def refused(self) -> tuple[RefusedDeliveries, ...]:
        """Return how many were refused, by sender and reason."""
        rows = await self._counted(Refusal)
        return tuple(RefusedDeliveries.model_validate({**row}) for row in rows)

    async def taken(self) -> tuple[TakenDeliveries, ...]:
        """Return how many were taken, by sender and outcome."""
        rows = await self._counted(DeliveryOutcome)
        return tuple(
            TakenDeliveries.model_validate({**row, "outcome": row["reason"]}) for row in rows
        )

    async def _counted(self, which: type[DeliveryOutcome | Refusal]) -> Sequence[RowMapping]:
        query = select(COUNTS).where(COUNTS.c.reason.in_([*which]))
        query = query.order_by(COUNTS.c.sender, COUNTS.c.reason)
        return await self._engines.lookups.run(lambda at: at.execute(query).mappings().all())


def _forget(connection: Connection, sender: str, before: datetime) -> None:
    of = DELIVERIES.c.sender == sender
    connection.execute(DELIVERIES.delete().where(of, DELIVERIES.c.at < _written(before)))
    count = connection.scalar(select(func.count()).select_from(DELIVERIES).where(of)) or 0
    if count > MOST:
        oldest = select(DELIVERIES.c.at).where(of).order_by(DELIVERIES.c.at)
        cut = connection.scalar(oldest.offset(count - MOST).limit(1))
        connection.execute(DELIVERIES.delete().where(of, DELIVERIES.c.at < cut))


def _written(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")
