"""The `Journal` port on SQLAlchemy: SQLite by default, PostgreSQL by URL."""

import hashlib
from collections.abc import AsyncGenerator, AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager
from datetime import datetime

from sqlalchemy import Select, func, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.journal.bell import Bell
from adapters.journal.engines import Engines, open_engines
from adapters.journal.faults import journal_error
from adapters.journal.lists import ASKING_TASKS, page_of_threads, with_question
from adapters.journal.reports import counted
from adapters.journal.rows import event_of, headline_of, journaled_event_of
from adapters.journal.standings import standing
from adapters.journal.tables import EVENTS, HEADLINES, TEXTS, within
from adapters.journal.writer import Writer
from domain.events import Event, Headline, JournaledEvent
from domain.ids import EventId, StreamId, thread_of
from domain.listing import ThreadQuery
from domain.report.tally import Tally

BATCH = 500


@asynccontextmanager
async def open_journal(url: str) -> AsyncGenerator["SqlJournal"]:
    """Open the journal at a SQLAlchemy URL, made at first use; close it at the end.

    Raises:
        JournalError: The database cannot be reached, or the URL is of none that is known.
    """
    engines = open_engines(url)
    journal = SqlJournal(engines)
    try:
        await journal.prepare()
        yield journal
    finally:
        await journal.close()


class SqlJournal:
    """The append-only stream of events in a database; any number of processes may open it."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self._writer = Writer(engines.write, engines.file)
        self._bell = Bell(self.position)

    async def prepare(self) -> None:
        """Make the tables where they are not there yet."""
        await self._writer.make_tables()

    def end_following(self) -> None:
        """End all followers, now and from now on."""
        self._bell.silence()

    async def close(self) -> None:
        """End all followers and close all connections."""
        await self._bell.close()
        await self._engines.dispose()

    async def append(self, events: Sequence[Event], headlines: Sequence[Headline] = ()) -> None:
        """Append events in order; one whose id is known is passed over. Durable on return.

        Calls that come while another is being committed share the next commit.
        """
        if events or headlines:
            await self._writer.append(events, headlines)
            self._bell.ring()

    async def forget(self, stream: StreamId) -> None:
        """Remove a stream and all under it, with the texts that nothing else names."""
        await self._writer.forget(stream)

    async def event(self, event_id: EventId) -> Event | None:
        """Return one event by its id."""
        async with self._reading() as connection:
            row = (await connection.execute(select(EVENTS).where(EVENTS.c.id == event_id))).first()
        return None if row is None else event_of(row)

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
        query = select(EVENTS).where(EVENTS.c.position > after)
        if stream is not None:
            of_stream = EVENTS.c.stream == stream
            query = query.where(within(EVENTS.c.stream, stream) if below else of_stream)
        return await self._read(query.order_by(EVENTS.c.position).limit(limit))

    async def position(self) -> int:
        """Return the newest position, 0 for an empty journal."""
        async with self._reading() as connection:
            return await connection.scalar(select(func.max(EVENTS.c.position))) or 0

    async def follow(
        self, stream: StreamId | None = None, *, after: int = 0, below: bool = False
    ) -> AsyncIterator[JournaledEvent]:
        """Yield events after a position, then new ones as they come, without gap or repeat.

        Ends when the journal is closed.
        """
        with self._bell.listening():
            while not self._bell.is_silent:
                ring = self._bell.next_ring()
                batch = await self.read(stream, after=after, limit=BATCH, below=below)
                for journaled in batch:
                    yield journaled
                    after = journaled.position
                if len(batch) < BATCH:
                    await ring.wait()

    async def headlines(
        self, kind: str | None = None, *, below: StreamId | None = None
    ) -> list[Headline]:
        """Return the newest headline of each stream, the latest changed first.

        With `below` only those of a stream and of the streams under it.
        """
        query = select(HEADLINES)
        if kind is not None:
            query = query.where(HEADLINES.c.kind == kind)
        if below is not None:
            query = query.where(within(HEADLINES.c.stream, below))
        newest_first = query.order_by(HEADLINES.c.changed.desc(), HEADLINES.c.stream)
        async with self._reading() as connection:
            return [headline_of(row) for row in await connection.execute(newest_first)]

    async def streams(self, top: StreamId) -> list[StreamId]:
        """Return a stream and those under it that have events, in order of their first ones."""
        query = select(EVENTS.c.stream).where(within(EVENTS.c.stream, top))
        by_first = query.group_by(EVENTS.c.stream).order_by(func.min(EVENTS.c.position))
        async with self._reading() as connection:
            return [StreamId(name) for name in (await connection.scalars(by_first)).all()]

    async def threads(self, query: ThreadQuery) -> list[Headline]:
        """Return a page of the list of threads; one whose tasks ask something waits."""
        async with self._reading() as connection:
            tasks = [headline_of(row) for row in await connection.execute(ASKING_TASKS)]
            questions = {thread_of(task.stream): task for task in reversed(tasks)}
            rows = await connection.execute(page_of_threads(query, questions))
        threads = [headline_of(row) for row in rows]
        return [
            with_question(thread, questions.get(thread_of(thread.stream))) for thread in threads
        ]

    async def asking(self) -> list[Headline]:
        """Return the headlines of tasks and sessions whose agents ask something."""
        async with self._reading() as connection:
            return [headline_of(row) for row in await connection.execute(ASKING_TASKS)]

    async def counted(self, since: datetime | None = None, project: str = "") -> Tally:
        """Return what a report counts: of what ended since then, of a project or of all.

        Raises:
            UnknownProjectError: Nothing was ever done in that project.
        """
        async with self._reading() as connection:
            return await counted(connection, since, project)

    async def standing(self, named: Collection[str]) -> list[Headline]:
        """Return the headlines of threads and flow runs that have not ended, and of those named."""
        async with self._reading() as connection:
            return await standing(connection, named)

    async def put_text(self, text: str) -> str:
        """Keep a long text; returns its reference, the SHA-256 of its UTF-8."""
        body = text.encode(errors="replace")
        reference = hashlib.sha256(body).hexdigest()
        await self._writer.put_text(reference, body)
        return reference

    async def text(self, reference: str) -> str | None:
        """Return a kept text."""
        async with self._reading() as connection:
            body = await connection.scalar(select(TEXTS.c.body).where(TEXTS.c.ref == reference))
        return None if body is None else bytes(body).decode()

    async def _read(self, query: Select[tuple[object, ...]]) -> list[JournaledEvent]:
        async with self._reading() as connection:
            return [journaled_event_of(row) for row in await connection.execute(query)]

    @asynccontextmanager
    async def _reading(self) -> AsyncGenerator[AsyncConnection]:
        try:
            async with self._engines.read.connect() as connection:
                yield connection
        except (SQLAlchemyError, OSError) as error:
            raise journal_error("read", error, self._engines.file) from error
