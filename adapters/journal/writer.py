"""The journal's writer: one transaction at a time, shared by all who wait for it."""

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Table, bindparam, func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from adapters.journal.engines import become_writer
from adapters.journal.faults import journal_error, stop_if_unsynced
from adapters.journal.indexing import Said, index_passages, remove_passages
from adapters.journal.lists import words_of
from adapters.journal.rows import event_row
from adapters.journal.tables import EVENTS, HEADLINES, TEXTS, within
from adapters.journal.upgrades import make_tables
from domain.core.event import Event, Headline
from domain.reading.search.passages import Passage, passage_of

T = TypeVar("T")

_NAMES_TEXT = '_ref":"'
_REFERENCE = re.compile(rf'{_NAMES_TEXT}([0-9a-f]{{64}})"')
_CHANGED = func.coalesce(
    select(EVENTS.c.position).where(EVENTS.c.id == bindparam("event_id")).scalar_subquery(),
    select(func.max(EVENTS.c.position)).scalar_subquery(),
    0,
)
"""The position of a headline's event; without one the newest of all."""


@dataclass(eq=False)
class _Append:
    """One call that waits for its commit."""

    events: list[dict[str, Any]]
    headlines: list[tuple[Headline, Event | None]]
    passages: dict[str, Passage]
    is_durable: bool = False


class Writer:
    """Writes to the journal's tables, each call durable on return."""

    def __init__(self, engine: AsyncEngine, file: Path | None) -> None:
        self._engine = engine
        self._file = file
        self._turn = asyncio.Lock()
        self._waiting: list[_Append] = []

    async def make_tables(self) -> None:
        """Make the tables where they are not there yet."""
        async with self._writing() as connection:
            await connection.run_sync(make_tables)

    async def append(self, events: Sequence[Event], headlines: Sequence[Headline]) -> None:
        """Append events and set headlines.

        Whoever gets the turn commits for all who wait. One who is cancelled or fails leaves the
        others to the next in turn; writing the same events again changes nothing.
        """
        newest = {event.stream: event for event in events}
        mine = _Append(
            [event_row(event) for event in events],
            [(h, newest.get(h.stream)) for h in headlines],
            {event.id: found for event in events if (found := passage_of(event.body))},
        )
        self._waiting.append(mine)
        try:
            async with self._turn:
                if not mine.is_durable:
                    await self._commit(self._waiting.copy())
        finally:
            self._waiting.remove(mine)

    async def put_text(self, reference: str, body: bytes) -> None:
        """Keep a text under its reference."""
        async with self._turn, self._writing() as connection:
            await _insert_new(connection, TEXTS, [{"ref": reference, "body": body}], "ref")

    async def write(self, change: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Make a change in a transaction of its own."""
        async with self._turn, self._writing() as connection:
            return await change(connection)

    async def forget(self, stream: str) -> None:
        """Remove a stream and all under it, and those of their texts that no other event names."""
        async with self._turn, self._writing() as connection:
            named = await _texts_named(connection, within(EVENTS.c.stream, stream))
            await remove_passages(connection, stream)
            await connection.execute(EVENTS.delete().where(within(EVENTS.c.stream, stream)))
            await connection.execute(HEADLINES.delete().where(within(HEADLINES.c.stream, stream)))
            left = named - await _texts_named(connection, EVENTS.c.body.contains(_NAMES_TEXT))
            for reference in left:
                await connection.execute(TEXTS.delete().where(TEXTS.c.ref == reference))

    async def _commit(self, appends: Sequence[_Append]) -> None:
        async with self._writing() as connection:
            rows = [row for append in appends for row in append.events]
            if rows:
                await _insert_events(connection, rows, appends)
            headlines = [headline for append in appends for headline in append.headlines]
            if headlines:
                await _set_headlines(connection, headlines)
        for append in appends:
            append.is_durable = True

    @asynccontextmanager
    async def _writing(self) -> AsyncGenerator[AsyncConnection]:
        try:
            async with self._engine.begin() as connection:
                await become_writer(connection)
                yield connection
        except (SQLAlchemyError, OSError) as error:
            stop_if_unsynced(error, self._file)
            raise journal_error("written", error, self._file) from error


async def _insert_events(
    connection: AsyncConnection, rows: list[dict[str, Any]], appends: Iterable[_Append]
) -> None:
    """Insert events, and let those that are new be found."""
    place = EVENTS.c.position
    newest = await connection.scalar(select(func.max(place))) or 0
    await _insert_new(connection, EVENTS, rows, "id")
    passages = {name: found for append in appends for name, found in append.passages.items()}
    if passages:
        columns = select(place, EVENTS.c.id, EVENTS.c.stream).where(place > newest)
        new = (await connection.execute(columns.order_by(place))).all()
        said = (
            Said(r.stream, r.position, r.position, passages[r.id]) for r in new if r.id in passages
        )
        await index_passages(connection, said)


async def _texts_named(connection: AsyncConnection, where: ColumnElement[bool]) -> set[str]:
    """Return the references of all texts that these events name."""
    found = await connection.stream_scalars(select(EVENTS.c.body).where(where))
    return {reference async for body in found for reference in _REFERENCE.findall(body)}


def _insert(connection: AsyncConnection, table: Table) -> sqlite.Insert | postgresql.Insert:
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    return dialect.insert(table)


async def _insert_new(
    connection: AsyncConnection, table: Table, rows: list[dict[str, Any]], key: str
) -> None:
    statement = _insert(connection, table).on_conflict_do_nothing(index_elements=[key])
    await connection.execute(statement, rows)


async def _set_headlines(
    connection: AsyncConnection, headlines: Sequence[tuple[Headline, Event | None]]
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
    insert = _insert(connection, HEADLINES).values(changed=_CHANGED)
    new = {c.name: insert.excluded[c.name] for c in HEADLINES.columns if not c.primary_key}
    known_at = func.coalesce(insert.excluded.changed_at, HEADLINES.c.changed_at)
    statement = insert.on_conflict_do_update(
        index_elements=["stream"],
        set_={**new, "changed_at": known_at},
        where=HEADLINES.c.changed <= insert.excluded.changed,
    )
    await connection.execute(statement, rows)
