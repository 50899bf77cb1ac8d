"""Events by position, read so that the cost is that of what is asked for, however long the journal is.

Positions near by are gone through, and other streams' events passed over. Further away the places of
the wanted streams come first, from the index on them alone: no body is sorted, or read for nothing.
"""

import json
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Sequence
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeVar

from sqlalchemy import ColumnElement, Row, or_, select, true
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.journal.floor import end_of_page
from adapters.journal.rows import damage_in
from adapters.journal.tables import EVENTS, within
from domain.reading.event_text import serialized_text, text_of

BATCH = 500
NEAR = 10_000
"""Positions that are gone through rather than looked up."""

T = TypeVar("T")
Rows = Sequence[Row[Any]]
Query = Callable[[AsyncConnection], Awaitable[Sequence[T]]]


class Reading(Protocol):
    """Does a query on a connection of its own."""

    async def __call__(self, query: Query[T], /) -> Sequence[T]:
        """Return what the query gives."""
        ...


_PLACE = EVENTS.c.position
_LOOKED_UP = _PLACE + 0
"""The position as no key: what is ordered by it is found by the index on streams."""

_PASSED_OVER = EVENTS.c.stream.concat("")
"""The stream as no index knows it: what is of it is found by going through positions."""


class Wanted(NamedTuple):
    """Which events: of some streams, or None for all; with `below` also of those under them.

    Events of the kinds in `but` are left out.
    """

    streams: tuple[str, ...] | None = None
    below: bool = False
    but: Collection[str] = ()

    def has(self, stream: str) -> bool:
        """Tell whether a stream is one of those."""
        if self.streams is None:
            return True
        if stream in self.streams:
            return True
        return self.below and any(stream.startswith(f"{each}/") for each in self.streams)

    def where(self, stream: ColumnElement[str]) -> ColumnElement[bool]:
        """Return the condition, on the column of the streams as it is given."""
        found = true()
        if self.streams is not None:
            parts = (within(stream, s) if self.below else stream == s for s in self.streams)
            found = or_(*parts)
        return found & EVENTS.c.kind.not_in(self.but) if self.but else found


Range = tuple[int, int | None]
"""After the first position, up to the second, or to the end."""


class RawEvent(NamedTuple):
    """An event as it goes out: its position, and the JSON of the whole `JournaledEvent`."""

    position: int
    text: str


async def scan(reading: Reading, wanted: Wanted, after: int, upto: int) -> AsyncGenerator[Rows]:
    """Yield the events after a position and up to another, in order, in batches.

    Nothing of the database is held while a batch is used.
    """
    if wanted.streams is None or upto - after <= NEAR:
        while after < upto:
            near = partial(_gone_through, wanted=wanted, positions=(after, upto), limit=BATCH)
            rows = await reading(near)
            if rows:
                yield rows
            after = rows[-1].position if len(rows) == BATCH else upto
        return
    places = await reading(partial(_places, wanted=wanted, positions=(after, upto)))
    for first in range(0, len(places), BATCH):
        rows = await reading(partial(_at, places=places[first : first + BATCH]))
        if rows:
            yield rows


async def next_page(
    connection: AsyncConnection, wanted: Wanted, after: int, limit: int, own: int = 0
) -> Rows:
    """Return the next events after a position, in order; `own` is the newest that this process has written."""
    end = await end_of_page(connection, own)
    near = after + NEAR
    upto = end if wanted.streams is None or (end is not None and end <= near) else near
    rows = await _gone_through(connection, wanted, (after, upto), limit)
    if upto == end or len(rows) == limit:
        return rows
    places = await _places(connection, wanted, (near, end), limit - len(rows))
    return [*rows, *await _at(connection, places)] if places else rows


async def page_before(connection: AsyncConnection, wanted: Wanted, before: int, limit: int) -> Rows:
    """Return the newest events before a position, in order."""
    upto = before - 1
    after = 0 if wanted.streams is None else max(0, upto - NEAR)
    rows = await _gone_through(connection, wanted, (after, upto), limit, is_newest=True)
    if not after or len(rows) == limit:
        return rows
    places = await _places(connection, wanted, (0, after), limit - len(rows), is_newest=True)
    return [*await _at(connection, places), *rows] if places else rows


def raw_of(row: Row[Any]) -> RawEvent:
    """Return the event of a row as it goes out, with its text; its body is sent as it was written."""
    if (damaged := damage_in(row)) is not None:
        described = damaged.model_copy(update={"text": text_of(damaged.event.body)})
        return RawEvent(row.position, described.model_dump_json())
    at = f"{row.at[:-6]}Z" if row.at.endswith("+00:00") else row.at
    name, stream = json.dumps(row.id), json.dumps(row.stream)
    event = f'{{"id":{name},"stream":{stream},"at":"{at}","body":{row.body}}}'
    text = serialized_text(row.kind, row.body, row.stream)
    described = "" if text is None else f',"text":{text}'
    return RawEvent(row.position, f'{{"position":{row.position},"event":{event}{described}}}')


def _in(place: ColumnElement[int], positions: Range) -> ColumnElement[bool]:
    after, upto = positions
    return place > after if upto is None else (place > after) & (place <= upto)


async def _gone_through(
    connection: AsyncConnection,
    wanted: Wanted,
    positions: Range,
    limit: int,
    *,
    is_newest: bool = False,
) -> Rows:
    order = _PLACE.desc() if is_newest else _PLACE.asc()
    found = select(EVENTS).where(_in(_PLACE, positions), wanted.where(_PASSED_OVER))
    rows = (await connection.execute(found.order_by(order).limit(limit))).all()
    return rows[::-1] if is_newest else rows


async def _places(
    connection: AsyncConnection,
    wanted: Wanted,
    positions: Range,
    limit: int | None = None,
    *,
    is_newest: bool = False,
) -> Sequence[int]:
    order = _LOOKED_UP.desc() if is_newest else _LOOKED_UP.asc()
    found = select(_PLACE).where(_in(_LOOKED_UP, positions), wanted.where(EVENTS.c.stream))
    return (await connection.scalars(found.order_by(order).limit(limit))).all()


async def _at(connection: AsyncConnection, places: Sequence[int]) -> Rows:
    found = select(EVENTS).where(_PLACE.in_(places)).order_by(_PLACE)
    return (await connection.execute(found)).all()
