"""The journal's writer: a transaction is shared by all who wait for it; each stream has its place in a queue."""

import asyncio
import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, partial
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, Table, bindparam, func, select, text
from sqlalchemy.sql.dml import Insert

from adapters.journal.audit import add_entries
from adapters.journal.charges import forget_names
from adapters.journal.indexing import Said, index_passages, remove_passages
from adapters.journal.lists import words_of
from adapters.journal.mentions import add_mentions, mentions_in, remove_mentions
from adapters.journal.rows import event_row
from adapters.journal.tables import DIALECTS, EVENTS, HEADLINES, TEXTS, within
from adapters.journal.transactions import Change, Transactions
from domain.core.event import Event, Headline
from domain.people.audit import AuditEntry, decision_in
from domain.reading.search.passages import Passage, passage_of

MAX_TOGETHER = 100
"""Appends of one transaction; each of their streams has a lock on a server."""

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

_OF_EVENT = {
    "id": "text",
    "stream": "text",
    "at": "text",
    "kind": "text",
    "body": "text",
    "checksum": "bigint",
}
_INSERT_TOGETHER = text(
    f"INSERT INTO events ({', '.join(_OF_EVENT)}) SELECT {', '.join(_OF_EVENT)} FROM unnest("  # noqa: S608
    + ", ".join(f"CAST(:{name} AS {kind}[])" for name, kind in _OF_EVENT.items())
    + f") WITH ORDINALITY AS new ({', '.join(_OF_EVENT)}, place) ORDER BY place "
    "ON CONFLICT (id) DO NOTHING RETURNING position, id, stream"
)
"""One statement however many events there are, and one answer; its columns are ours."""

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
    decisions: dict[str, AuditEntry]
    mentions: list[dict[str, Any]]
    is_durable: bool = False

    @property
    def streams(self) -> set[str]:
        """The streams that are written to."""
        return {row["stream"] for row in self.events} | {line.stream for line, _ in self.headlines}


class _Lane:
    """Who waits for the same turn."""

    def __init__(self) -> None:
        self.turn = asyncio.Lock()
        self.waiting: list[_Append] = []

    def next_ones(self) -> list[_Append]:
        """Return those that are written together next."""
        return [append for append in self.waiting if not append.is_durable][:MAX_TOGETHER]


class Writer:
    """Writes to the journal's tables, each call durable on return."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions
        self._lanes = [_Lane() for _ in range(transactions.lanes)]
        self.newest = 0
        """The newest position that was written here."""
        self.fence: Change[None] = _is_open
        """Looked at in each transaction; it raises once this process may write no more."""

    async def append(
        self, events: Sequence[Event], headlines: Sequence[Headline], unless: End | None = None
    ) -> None:
        """Append events and set headlines, unless a stream has ended.

        Whoever gets the turn commits for all who wait in its lane; a stream is always in the same one. One who
        is cancelled or fails leaves the others to the next in turn; writing the same events again changes nothing.
        """
        newest = {event.stream: event for event in events}
        mine = _Append(
            [event_row(event) for event in events],
            [(h, newest.get(h.stream)) for h in headlines],
            {event.id: found for event in events if (found := passage_of(event.body))},
            unless,
            {event.id: found for event in events if (found := decision_in(event))},
            [row for event in events for row in mentions_in(event)],
        )
        lane = self._lane_of(mine)
        lane.waiting.append(mine)
        try:
            async with lane.turn:
                while not mine.is_durable:
                    await self._write(lane.next_ones())
        finally:
            lane.waiting.remove(mine)

    def _lane_of(self, append: _Append) -> _Lane:
        first = append.events[0]["stream"] if append.events else append.headlines[0][0].stream
        return self._lanes[zlib.crc32(first.encode()) % len(self._lanes)]

    async def _write(self, together: Sequence[_Append]) -> None:
        streams = {stream for append in together for stream in append.streams}
        newest = await self._transactions.append(partial(_write, together, self.fence), streams)
        self.newest = max(self.newest, newest)
        for append in together:
            append.is_durable = True

    async def put_text(self, reference: str, body: bytes) -> None:
        """Keep a text under its reference."""
        row = {"ref": reference, "body": body}

        def write(connection: Connection) -> None:
            self.fence(connection)
            _insert_new(connection, TEXTS, [row], "ref")

        await self._transactions.append(write, ())

    async def forget(self, stream: str) -> None:
        """Remove a stream and all under it, and those of their texts that no other event names."""
        await self._transactions.run(partial(_forget, stream))


def _is_open(connection: Connection) -> None:
    """Let everybody write, as a journal does that knows no hosts."""


def _write(appends: Sequence[_Append], fence: Change[None], connection: Connection) -> int:
    """Write what waits; returns the newest position that came of it, 0 where no event was new."""
    fence(connection)
    newest = 0
    rows = [row for append in appends for row in append.events if append.unless is None]
    if rows:
        newest = _insert_events(connection, rows, appends)
    headlines = [headline for append in appends for headline in append.headlines]
    if headlines:
        _set_headlines(connection, headlines)
    for append in appends:
        if append.unless and connection.scalar(_ENDED, append.unless._asdict()) is None:
            newest = max(newest, _insert_events(connection, append.events, [append]))
    return newest


def _forget(stream: str, connection: Connection) -> None:
    named = _texts_named(connection, within(EVENTS.c.stream, stream))
    remove_passages(connection, stream)
    remove_mentions(connection, stream)
    forget_names(connection, stream)
    connection.execute(EVENTS.delete().where(within(EVENTS.c.stream, stream)))
    connection.execute(HEADLINES.delete().where(within(HEADLINES.c.stream, stream)))
    left = named - _texts_named(connection, EVENTS.c.body.contains(_NAMES_TEXT))
    for reference in left:
        connection.execute(TEXTS.delete().where(TEXTS.c.ref == reference))


def _insert_events(
    connection: Connection, rows: list[dict[str, Any]], appends: Iterable[_Append]
) -> int:
    """Insert events, and let those that are new be found; returns the position of the newest one."""
    new = _new_events(connection, rows)
    passages = {name: found for append in appends for name, found in append.passages.items()}
    new_ids = {row.id for row in new}
    decided = (found for append in appends for found in append.decisions.items())
    add_entries(connection, [entry for event_id, entry in decided if event_id in new_ids])
    named = (row for append in appends for row in append.mentions)
    add_mentions(connection, [row for row in named if row["event_id"] in new_ids])
    if passages:
        said = (
            Said(r.stream, r.position, r.position, passages[r.id]) for r in new if r.id in passages
        )
        index_passages(connection, said)
    return new[-1].position if new else 0


def _new_events(connection: Connection, rows: list[dict[str, Any]]) -> Sequence[Row[Any, Any, Any]]:
    """Insert those events that are not there yet; returns them with their positions, in order."""
    if connection.dialect.name == "postgresql":
        columns = {name: [row[name] for row in rows] for name in _OF_EVENT}
        return sorted(
            connection.execute(_INSERT_TOGETHER, columns).all(), key=lambda row: row.position
        )
    newest = connection.scalar(_NEWEST) or 0
    _insert_new(connection, EVENTS, rows, "id")
    return connection.execute(_WRITTEN_AFTER, {"newest": newest}).all()


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
