"""The browsers that people have subscribed to news, in a table of the journal's database."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Column, Connection, Row, Table, Text, func, select

from adapters.journal.engines import Engines
from adapters.journal.news import DELIVERIES
from adapters.journal.tables import DIALECTS, METADATA
from domain.news.push import MOST, PushError, PushRules, PushSubscription, channel_of

SUBSCRIPTIONS = Table(
    "push_subscriptions",
    METADATA,
    Column("subscription_id", Text, primary_key=True),
    Column("person", Text, nullable=False),
    Column("browser", Text, nullable=False),
    Column("endpoint", Text, nullable=False),
    Column("p256dh", Text, nullable=False),
    Column("auth", Text, nullable=False),
    Column("made_at", Text, nullable=False),
    Column("rules", Text, nullable=False),
)


class PushSubscriptions:
    """The subscriptions, by the connections of an open journal; each change is durable on return."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    async def every(self) -> Sequence[PushSubscription]:
        """Return those of all people."""
        return await self._read(select(SUBSCRIPTIONS))

    async def of(self, person: str) -> Sequence[PushSubscription]:
        """Return those of a person, oldest first."""
        return await self._read(select(SUBSCRIPTIONS).where(SUBSCRIPTIONS.c.person == person))

    async def put(self, subscription: PushSubscription, replaced: str = "") -> None:
        """Add a browser, or change what is known of it; a browser is of the person who subscribed it last.

        Its push service may have given it a new address: the subscription of the same person that is `replaced` ends,
        and what it was told is not told again.

        Raises:
            PushError: The person has as many as there may be.
        """
        values = {
            **subscription.model_dump(exclude={"rules"}),
            "made_at": subscription.made_at.astimezone(UTC).isoformat(timespec="microseconds"),
            "rules": subscription.rules.model_dump_json(),
        }
        row = SUBSCRIPTIONS.c
        others = select(func.count()).where(
            row.person == subscription.person,
            row.subscription_id != subscription.subscription_id,
        )
        ended = _ended(replaced, subscription)

        def change(at: Connection) -> None:
            if replaced and at.execute(ended).rowcount:
                _take_record(at, replaced, subscription.subscription_id)
            if at.execute(others).scalar_one() >= MOST:
                raise PushError(f"you have subscribed {MOST} browsers: remove one of them")
            insert = DIALECTS[at.dialect.name].insert(SUBSCRIPTIONS).values(values)
            kept = {name: value for name, value in values.items() if name != "made_at"}
            at.execute(insert.on_conflict_do_update(index_elements=["subscription_id"], set_=kept))

        await self._engines.write.run(change)

    async def end(self, subscription_id: str, person: str | None = None) -> bool:
        """Remove a subscription, of a person where one is named; False where there is none."""
        gone = SUBSCRIPTIONS.delete().where(SUBSCRIPTIONS.c.subscription_id == subscription_id)
        if person is not None:
            gone = gone.where(SUBSCRIPTIONS.c.person == person)
        return await self._engines.write.run(lambda at: at.execute(gone).rowcount) > 0

    async def _read(self, query: Any) -> Sequence[PushSubscription]:
        query = query.order_by(SUBSCRIPTIONS.c.made_at, SUBSCRIPTIONS.c.subscription_id)
        rows = await self._engines.lookups.run(lambda at: at.execute(query).all())
        return [_subscription(row) for row in rows]


def _ended(replaced: str, by: PushSubscription) -> Any:
    row = SUBSCRIPTIONS.c
    return SUBSCRIPTIONS.delete().where(
        row.subscription_id == replaced,
        row.subscription_id != by.subscription_id,
        row.person == by.person,
    )


def _take_record(at: Connection, replaced: str, by: str) -> None:
    """Have a browser go on with the record of what it was told under its address before."""
    row = DELIVERIES.c
    at.execute(DELIVERIES.delete().where(row.channel == channel_of(by)))
    moved = DELIVERIES.update().where(row.channel == channel_of(replaced))
    at.execute(moved.values(channel=channel_of(by)))


def _subscription(row: Row[Any]) -> PushSubscription:
    values = dict(zip(SUBSCRIPTIONS.c.keys(), row, strict=True))
    rules = PushRules.model_validate_json(values.pop("rules"))
    made_at = datetime.fromisoformat(values.pop("made_at"))
    return PushSubscription(**values, rules=rules, made_at=made_at)
