"""Damaged events of a journal: which there are, and putting one back as it was."""

import sqlite3
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

from sqlalchemy import Connection, Row, select
from sqlalchemy.exc import SQLAlchemyError

from adapters.journal.engines import Engines, text_of
from adapters.journal.faults import journal_error
from adapters.journal.indexing import Said, index_rebuilt
from adapters.journal.rows import StoredEvent, damage_in, event_row
from adapters.journal.tables import EVENTS
from adapters.sqlite_files import reading
from domain.core.damage_events import EventRebuilt
from domain.core.event import Event, JournaledEvent
from domain.core.ids import EventId
from domain.reading.search.passages import passage_of

_BATCH = 500
_BETWEEN_LOOKS = 500
"""Events between two looks at the clock."""


class DamageReport(NamedTuple):
    """What was looked at, and the stand-ins of what is damaged in it."""

    events: int
    damaged: tuple[JournaledEvent, ...]
    is_all: bool = True


class Repairs:
    """The damaged events of an open journal, by its own connections."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    async def look(self) -> DamageReport:
        """Look at every event."""
        count, damaged = 0, list[JournaledEvent]()
        async for rows in self._batches():
            count += len(rows)
            damaged += filter(None, map(damage_in, rows))
        return DamageReport(count, tuple(damaged))

    async def rebuild(self, position: int, event: Event) -> None:
        """Put an event back at its position, and journal in its stream that this was done."""
        notice = Event(
            id=EventId(f"{event.id}:rebuilt:{uuid4().hex[:8]}"),
            stream=event.stream,
            at=datetime.now(UTC),
            body=EventRebuilt(position=position),
        )
        one = EVENTS.update().where(EVENTS.c.position == position)

        def put_back(connection: Connection) -> None:
            connection.execute(one.values(event_row(event)))
            connection.execute(EVENTS.insert().values(event_row(notice)))
            if passage := passage_of(event.body):
                index_rebuilt(connection, Said(event.stream, position, position, passage))

        await self._engines.write.run(put_back)

    async def _batches(self) -> AsyncIterator[Sequence[Row[tuple[object, ...]]]]:
        after = 0
        while True:
            found = select(EVENTS).where(EVENTS.c.position > after)
            try:
                async with self._engines.read.connect() as connection:
                    query = found.order_by(EVENTS.c.position).limit(_BATCH)
                    rows = (await connection.execute(query)).all()
            except (SQLAlchemyError, OSError) as error:
                raise journal_error("read", error, self._engines.file) from error
            if not rows:
                return
            yield rows
            after = rows[-1].position


def look_at_file(file: Path, seconds: float) -> DamageReport:
    """Look at the events of a journal's file for so many seconds, from the oldest on; writes nothing.

    Raises:
        sqlite3.Error: The file cannot be read.
    """
    deadline = time.monotonic() + seconds
    count, damaged = 0, list[JournaledEvent]()
    with reading(file) as connection:
        for row in _stored(connection):
            if count % _BETWEEN_LOOKS == 0 and time.monotonic() > deadline:
                return DamageReport(count, tuple(damaged), is_all=False)
            count += 1
            found = damage_in(row)
            damaged += [found] if found else []
    return DamageReport(count, tuple(damaged))


def _stored(connection: sqlite3.Connection) -> Iterator[StoredEvent]:
    connection.text_factory = text_of
    known = {row[1] for row in connection.execute("PRAGMA table_info(events)")}
    checksum = "checksum" if "checksum" in known else "NULL"
    columns = f"position, id, stream, at, kind, body, {checksum}"
    for row in connection.execute(f"SELECT {columns} FROM events ORDER BY position"):  # noqa: S608
        yield StoredEvent(*row)
