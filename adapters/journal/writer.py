"""The journal's writer: one transaction at a time, shared by all who wait for it."""

import asyncio
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Table, bindparam, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.sql.dml import Insert

from adapters.journal.indexing import Said, index_passages, remove_passages
from adapters.journal.lists import words_of
from adapters.journal.rows import event_row
from adapters.journal.tables import EVENTS, HEADLINES, TEXTS, within
from adapters.journal.transactions import Transactions
from adapters.journal.upgrades import make_tables
from domain.core.event import Event, Headline
from domain.reading.search.passages import Passage, passage_of

DIALECTS = {"postgresql": postgresql, "sqlite": sqlite}
_NAMES_TEXT = '_ref":"'
_REFERENCE = re.compile(rf'{_NAMES_TEXT}([0-9a-f]{{64}})"')
_CHANGED = func.coalesce(
    select(EVENTS.c.position).where(EVENTS.c.id == bindparam("event_id")).scalar_subquery(),
    select(func.max(EVENTS.c.position)).scalar_subquery(),
    0,
)
"""The position of a headline's event; without one the newest of all."""

_PLACE = EVENTS.c.position
_NEWEST = select(func.max(_PLACE))
_WRITTEN_AFTER = (
    select(_PLACE, EVENTS.c.id, EVENTS.c.stream)
    .where(bindparam("newest") < _PLACE)
    .order_by(_PLACE)
)


_ENDED = (
    select(_PLACE)
    .where(EVENTS.c.stream == bindparam("stream"), EVENTS.c.kind == bindparam("kind"))
    .where(bindparam("after") < _PLACE)
    .limit(1)
)


class End(NamedTuple):
    """What ends a stream: an event of a kind after a position."""

    stream: str
    kind: str
    after: int


@dataclass(eq=False)
class _Append:
    """One call that waits for its commit."""

    events: list[dict[str, Any]]
    headlines: list[tuple[Headline, Event | None]]
    passages: dict[str, Passage]
    unless: End | None
    is_durable: bool = False


class Writer:
    """Writes to the journal's tables, each call durable on return."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._turn = asyncio.Lock()
        self._waiting: list[_Append] = []

    async def make_tables(self) -> None:
        """Make the tables where they are not there yet."""
        await self._transactions.run(make_tables)

    async def append(
        self, events: Sequence[Event], headlines: Sequence[Headline], unless: End | None = None
    ) -> None:
        """Append events and set headlines, unless a stream has ended.

        Whoever gets the turn commits for all who wait. One who is cancelled or fails leaves the
        others to the next in turn; writing the same events again changes nothing.
        """
        newest = {event.stream: event for event in events}
        mine = _Append(
            [event_row(event) for event in events],
            [(h, newest.get(h.stream)) for h in headlines],
            {event.id: found for event in events if (found := passage_of(event.body))},
            unless,
        )
        self._waiting.append(mine)
        try:
            async with self._turn:
                if not mine.is_durable:
                    all_who_wait = self._waiting.copy()
                    await self._transactions.run(partial(_write, all_who_wait))
                    for append in all_who_wait:
                        append.is_durable = True
        finally:
            self._waiting.remove(mine)

    async def put_text(self, reference: str, body: bytes) -> None:
        """Keep a text under its reference."""
        row = {"ref": reference, "body": body}
        await self._transactions.run(lambda at: _insert_new(at, TEXTS, [row], "ref"))

    async def forget(self, stream: str) -> None:
        """Remove a stream and all under it, and those of their texts that no other event names."""
        await self._transactions.run(partial(_forget, stream))


def _write(appends: Sequence[_Append], connection: Connection) -> None:
    rows = [row for append in appends for row in append.events if append.unless is None]
    if rows:
        _insert_events(connection, rows, appends)
    headlines = [headline for append in appends for headline in append.headlines]
    if headlines:
        _set_headlines(connection, headlines)
    for append in appends:
        if append.unless and connection.scalar(_ENDED, append.unless._asdict()) is None:
            _insert_events(connection, append.events, [append])


def _forget(stream: str, connection: Connection) -> None:
    named = _texts_named(connection, within(EVENTS.c.stream, stream))
    remove_passages(connection, stream)
    connection.execute(EVENTS.delete().where(within(EVENTS.c.stream, stream)))
    connection.execute(HEADLINES.delete().where(within(HEADLINES.c.stream, stream)))
    left = named - _texts_named(connection, EVENTS.c.body.contains(_NAMES_TEXT))
    for reference in left:
        connection.execute(TEXTS.delete().where(TEXTS.c.ref == reference))


def _insert_events(
    connection: Connection, rows: list[dict[str, Any]], appends: Iterable[_Append]
) -> None:
    """Insert events, and let those that are new be found."""
    newest = connection.scalar(_NEWEST) or 0
    _insert_new(connection, EVENTS, rows, "id")
    passages = {name: found for append in appends for name, found in append.passages.items()}
    if passages:
        new = connection.execute(_WRITTEN_AFTER, {"newest": newest}).all()
        said = (
            Said(r.stream, r.position, r.position, passages[r.id]) for r in new if r.id in passages
        )
        index_passages(connection, said)


def _texts_named(connection: Connection, where: ColumnElement[bool]) -> set[str]:
    """Return the references of all texts that these events name."""
    bodies = select(EVENTS.c.body).where(where).execution_options(yield_per=1_000)
    found = connection.scalars(bodies)
    return {reference for body in found for reference in _REFERENCE.findall(body)}


def _insert_new(connection: Connection, table: Table, rows: list[dict[str, Any]], key: str) -> None:
    connection.execute(_insertion(connection.dialect.name, table, key), rows)


@cache
def _insertion(dialect: str, table: Table, key: str) -> Insert:
    """Return the statement that inserts rows whose key is new; one that is made once is compiled once."""
    return DIALECTS[dialect].insert(table).on_conflict_do_nothing(index_elements=[key])


@cache
def _headline_change(dialect: str) -> Insert:
    """Return the statement that sets a headline that is not older than the one that is there."""
    insert = DIALECTS[dialect].insert(HEADLINES).values(changed=_CHANGED)
    new = {c.name: insert.excluded[c.name] for c in HEADLINES.columns if not c.primary_key}
    known_at = func.coalesce(insert.excluded.changed_at, HEADLINES.c.changed_at)
    return insert.on_conflict_do_update(
        index_elements=["stream"],
        set_={**new, "changed_at": known_at},
        where=HEADLINES.c.changed <= insert.excluded.changed,
    )


def _set_headlines(
    connection: Connection, headlines: Sequence[tuple[Headline, Event | None]]
) -> None:
    """Set headlines, but never an older one over a newer one.

    A headline is as new as the newest event of its stream that came with it: when an append is
    repeated later, that event has an old position, and what was written since stays.
    """
    rows = [
        {
            **headline.model_dump(exclude={"changed", "changed_at", "goal"}),
            "words": words_of(headline),
            "changed_at": event.at.isoformat() if event else None,
            "event_id": event.id if event else None,
        }
        for headline, event in headlines
    ]
    connection.execute(_headline_change(connection.dialect.name), rows)
