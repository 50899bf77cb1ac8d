"""The `Journal` port on SQLAlchemy: SQLite by default, PostgreSQL by URL."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Sequence
from contextlib import aclosing, asynccontextmanager, suppress
from datetime import datetime
from functools import partial
from typing import Any

from sqlalchemy import bindparam, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.journal import pages
from adapters.journal.arrivals import Arrivals
from adapters.journal.changes import Attended, attended, changed_tops, quiet_events
from adapters.journal.companions import Companions
from adapters.journal.engines import Engines
from adapters.journal.faults import journal_error
from adapters.journal.floor import whole_upto
from adapters.journal.growth_signal import GrowthSignal
from adapters.journal.headlines import read_headlines, read_open_headlines, read_streams
from adapters.journal.hosts import fence_of
from adapters.journal.last_lines import LastLines
from adapters.journal.lists import ASKING_TASKS, page_of_threads, thread_lines, threads_named
from adapters.journal.pages import Query, RawEvent, Rows, T, Wanted, raw_of, scan
from adapters.journal.reports import counted
from adapters.journal.rows import damage_in, event_of, headline_of, journaled_event_of
from adapters.journal.schema import prepare_schema
from adapters.journal.tables import EVENTS, TEXTS, within
from adapters.journal.writer import End, Writer
from domain.core.event import Event, Headline, JournaledEvent
from domain.core.ids import EventId, StreamId
from domain.learnings.noting import is_noted, noted, project_in
from domain.reading.listing import ThreadHeadline, ThreadQuery
from domain.reading.report.tally import Tally

_EVENT = select(EVENTS).where(EVENTS.c.id == bindparam("named"))
_TEXT = select(TEXTS.c.body).where(TEXTS.c.ref == bindparam("named"))


class SqlJournal(Companions):
    """The append-only stream of events in a database; any number of processes may open it."""

    def __init__(self, engines: Engines) -> None:
        super().__init__(engines)
        self._writer = Writer(engines.write)
        pause = asyncio.sleep if engines.notices is None else engines.notices.wait
        self._growth = GrowthSignal(self.position, pause)
        self._arrivals = Arrivals(engines.lookups)
        self._last_lines = LastLines()
        self._under_way: set[asyncio.Future[Any]] = set()

    async def prepare(self) -> None:
        """Make the tables where they are not there yet, and upgrade those of an older version."""
        await self._engines.write.run(partial(prepare_schema, file=self._engines.file))

    def end_following(self) -> None:
        """End all followers, now and from now on."""
        self._growth.end()

    def fence(self, host: str, generation: int) -> None:
        """Write as a host of a generation from now on: once it is declared lost, nothing is taken any more."""
        self._writer.fence = fence_of(host, generation)

    async def close(self) -> None:
        """End all followers and close all connections."""
        await self._growth.close()
        if self._under_way:
            await asyncio.wait(self._under_way)
        await self._engines.dispose()

    async def append(self, events: Sequence[Event], headlines: Sequence[Headline] = ()) -> None:
        """Append events in order; a known id is passed over. Durable on return, several calls at once."""
        events = [*events, *await self._learned(events)]
        if events or headlines:
            await self._writer.append(events, headlines)
            self._growth.notify()

    async def _learned(self, events: Sequence[Event]) -> list[Event]:
        """Return what events of threads bring to the learnings of their repositories: journaled with them, or not at all."""
        found = list[Event]()
        for event in filter(is_noted, events):
            project = project_in(event) or await self.people.projects.of(event.stream)
            found += noted(event, project) if project else []
        return found

    async def append_before(self, event: Event, end: str, *, after: int) -> None:
        """Append an event unless its stream has one of the kind `end` after a position."""
        await self._writer.append([event], (), End(event.stream, end, after))
        self._growth.notify()

    async def forget(self, stream: StreamId) -> None:
        """Remove a stream and all under it, with the texts that nothing else names."""
        await self._writer.forget(stream)

    async def event(self, event_id: EventId) -> Event | None:
        """Return one event by its id."""
        row = await self._engines.lookups.run(
            lambda at: at.execute(_EVENT, {"named": event_id}).first()
        )
        return None if row is None else event_of(row)

    async def has_damage(self, stream: StreamId, but: Collection[str]) -> bool:
        """Tell whether a stream, or one under it, has a damaged event but for some kinds; none is parsed."""
        of_stream = select(EVENTS).where(within(EVENTS.c.stream, stream), EVENTS.c.kind.not_in(but))
        return await self._engines.lookups.run(
            lambda at: any(map(damage_in, at.execute(of_stream)))
        )

    async def read(
        self,
        stream: StreamId | None = None,
        *,
        after: int = 0,
        limit: int = 500,
        below: bool = False,
    ) -> list[JournaledEvent]:
        """Return the next events after a position, in order.

        Of one stream, or with `below` of it and all streams under it (`stream/…`); None is all.
        """
        wanted, own = Wanted(None if stream is None else (stream,), below), self._writer.newest
        async with self._reading() as connection:
            rows = await pages.next_page(connection, wanted, after, limit, own)
        return [journaled_event_of(row) for row in rows]

    async def page(
        self, wanted: Wanted, *, after: int = 0, before: int | None = None, limit: int = 500
    ) -> list[RawEvent]:
        """Return the next events after a position as they go out, or the newest before another."""
        own = self._writer.newest
        newest = 0 if before is None else await self.position()
        async with self._reading() as connection:
            if before is None:
                rows = await pages.next_page(connection, wanted, after, limit, own)
            else:
                rows = await pages.page_before(connection, wanted, min(before, newest + 1), limit)
        return [raw_of(row) for row in rows]

    async def quiet(
        self, stream: StreamId, *, after: int, upto: int, but: Collection[str]
    ) -> AsyncIterator[list[JournaledEvent]]:
        """Yield the events of a stream and of those under it, but for some kinds, in batches."""
        async for rows in self._scan(Wanted((stream,), below=True, but=but), after, upto):
            yield [journaled_event_of(row) for row in rows]

    async def quiet_of(
        self, tops: Sequence[str], upto: int, but: Collection[str]
    ) -> dict[str, list[JournaledEvent]]:
        """Return the events of several streams and those below each, but for some kinds, at once."""
        return await self._engines.lookups.run(partial(quiet_events, tops=tops, upto=upto, but=but))

    async def raw(self, wanted: Wanted, *, after: int, upto: int) -> AsyncIterator[list[RawEvent]]:
        """Yield the events after a position and up to another, as they go out, in batches."""
        async for rows in self._scan(wanted, after, upto):
            yield [raw_of(row) for row in rows]

    def _scan(self, wanted: Wanted, after: int, upto: int) -> AsyncIterator[Rows]:
        upto = upto if self._arrivals.may_have(wanted, after, upto) else after
        return scan(self._unharmed, wanted, after, upto)

    async def position(self) -> int:
        """Return the newest position up to which nothing is still to come, 0 for an empty journal."""
        return await self._engines.lookups.run(whole_upto)

    async def follow(
        self, stream: StreamId | None = None, *, after: int = 0, below: bool = False
    ) -> AsyncIterator[JournaledEvent]:
        """Yield events after a position, then new ones as they come, without gap or repeat.

        Ends when the journal is closed.
        """
        wanted = Wanted(None if stream is None else (stream,), below)
        async with aclosing(self.growth()) as growth:
            async for upto in growth:
                async for rows in self._scan(wanted, after, upto):
                    for row in rows:
                        yield journaled_event_of(row)
                after = max(after, upto)

    async def growth(
        self, patience: Callable[[], float | None] = lambda: None
    ) -> AsyncGenerator[int]:
        """Yield the newest position, now and whenever it may have grown, until the journal is closed.

        Also after so many seconds in which it has not, as `patience` says each time.
        """
        with self._growth.listening():
            while not self._growth.is_ended:
                grown = self._growth.next_growth()
                yield await self._arrivals.newest()
                with suppress(TimeoutError):
                    await asyncio.wait_for(grown.wait(), patience())

    async def headlines(
        self, kind: str | None = None, *, below: StreamId | None = None
    ) -> list[Headline]:
        """Return the newest headline of each stream, the latest changed first.

        With `below` only those of a stream and of the streams under it.
        """
        async with self._reading() as connection:
            return await read_headlines(connection, kind, below)

    async def streams(self, top: StreamId) -> list[StreamId]:
        """Return a stream and those under it that have events, in order of their first ones."""
        async with self._reading() as connection:
            return await read_streams(connection, top)

    async def threads(self, query: ThreadQuery) -> list[ThreadHeadline]:
        """Return a page of the list of threads; one whose tasks ask something waits."""
        async with self._reading() as connection:
            found = await thread_lines(connection, partial(page_of_threads, query))
            return await self._last_lines.added_to(found, connection)

    async def lines_of(self, threads: Collection[str]) -> list[ThreadHeadline]:
        """Return some threads as the list has them."""

        async def found(connection: AsyncConnection) -> list[ThreadHeadline]:
            lines = await thread_lines(connection, lambda _: threads_named(threads))
            return await self._last_lines.added_to(lines, connection)

        return [*await self._unharmed(found)]

    async def attended(self) -> Sequence[Attended]:
        """Return the threads and flow runs that may wait for a person."""
        async with self._reading() as connection:
            return await attended(connection)

    async def changed_tops(self, after: int, upto: int, but: Collection[str]) -> set[str]:
        """Return the threads and flow runs in which something happened, but for some kinds."""
        found = partial(changed_tops, after=after, upto=upto, but=but)
        return {*await self._unharmed(found)}

    async def asking(self) -> list[Headline]:
        """Return the headlines of tasks and sessions whose agents ask something."""
        async with self._reading() as connection:
            return [headline_of(row) for row in await connection.execute(ASKING_TASKS)]

    async def counted(
        self, since: datetime | None = None, project: str = "", zone: str = "UTC"
    ) -> Tally:
        """Return what a report counts: of what ended since then, of a project or of all; months are of a time zone.

        Raises:
            UnknownProjectError: Nothing was ever done in that project.
        """
        async with self._reading() as connection:
            return await counted(connection, since, project, zone)

    async def open_headlines(self, named: Collection[str]) -> list[Headline]:
        """Return the headlines of threads and flow runs that have not ended, and of those named."""
        async with self._reading() as connection:
            return await read_open_headlines(connection, named)

    async def put_text(self, text: str) -> str:
        """Keep a long text; returns its reference, the SHA-256 of its UTF-8."""
        body = text.encode(errors="replace")
        reference = hashlib.sha256(body).hexdigest()
        await self._writer.put_text(reference, body)
        return reference

    async def text(self, reference: str) -> str | None:
        """Return a kept text; one that is not what its reference names is as good as gone."""
        body = await self._engines.lookups.run(lambda at: at.scalar(_TEXT, {"named": reference}))
        if not isinstance(body, bytes) or hashlib.sha256(body).hexdigest() != reference:
            return None
        return body.decode()

    async def _unharmed(self, query: Query[T]) -> Sequence[T]:
        """Do a query of a stream, whose reader may be gone at any time.

        It then ends by itself: a query that is cut off costs the connection.
        """
        reading = asyncio.ensure_future(self._read(query))
        self._under_way.add(reading)
        reading.add_done_callback(self._over)
        return await asyncio.shield(reading)

    def _over(self, reading: asyncio.Future[Any]) -> None:
        self._under_way.discard(reading)
        if not reading.cancelled():
            reading.exception()  # whoever still waits for it is told

    async def _read(self, query: Query[T]) -> Sequence[T]:
        async with self._reading() as connection:
            return await query(connection)

    @asynccontextmanager
    async def _reading(self) -> AsyncGenerator[AsyncConnection]:
        try:
            async with self._engines.read.connect() as connection:
                yield connection
        except (SQLAlchemyError, OSError) as error:
            raise journal_error("read", error, self._engines.file) from error
