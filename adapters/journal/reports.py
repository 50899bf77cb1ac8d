"""What a report counts, read from the journal stream by stream: no more than a page is in memory."""

from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from datetime import UTC, datetime
from functools import partial
from typing import Any

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.journal.lists import is_of_project
from adapters.journal.rows import event_of
from adapters.journal.tables import EVENTS, HEADLINES
from domain.core.errors import NotFoundError
from domain.core.ids import thread_of
from domain.queue.inputs import QUEUE
from domain.reading.report.projection import KINDS, StreamFold, is_counted
from domain.reading.report.tally import Tally

STREAMS_AT_ONCE = 200
PAGE = 500
_NAMED = 20


class UnknownProjectError(NotFoundError):
    """No thread and no flow run is of that repository."""

    type = "unknown_project"


async def counted(
    connection: AsyncConnection, since: datetime | None, project: str, zone: str
) -> Tally:
    """Return what the journal's events count to, of all projects where none is named; months are of a time zone.

    Raises:
        UnknownProjectError: Nothing was ever done in that project.
    """
    # on PostgreSQL rows are fetched page by page in a transaction only; there it is of one moment, too
    await connection.execution_options(isolation_level="SERIALIZABLE")
    tops = {QUEUE, *await _tops_of(connection, project)} if project else None
    streams = await _streams(connection, since, tops)
    projects = await _projects(connection)
    total = Tally()
    for first in range(0, len(streams), STREAMS_AT_ONCE):
        some = streams[first : first + STREAMS_AT_ONCE]
        begin = partial(StreamFold, since, project, zone)
        async for stream, tally in folded(connection, some, begin):
            tally.assign(projects.get(thread_of(stream), ""))
            total.include(tally)
    return total


async def _tops_of(connection: AsyncConnection, project: str) -> set[str]:
    """Return the threads and flow runs of a project."""
    top = HEADLINES.c.kind.in_(("thread", "flow"))
    found = select(HEADLINES.c.stream).where(top, is_of_project(project))
    tops = set((await connection.scalars(found)).all())
    if not tops:
        every = select(HEADLINES.c.project).where(top).distinct().order_by(HEADLINES.c.project)
        known = (await connection.scalars(every.limit(_NAMED))).all()
        there = f"there is: {', '.join(known)}" if known else "there is none yet"
        raise UnknownProjectError(f"nothing was done in a project {project!r}; {there}")
    return tops


async def _projects(connection: AsyncConnection) -> dict[str, str]:
    """Return the repository of each thread and flow run."""
    top = HEADLINES.c.kind.in_(("thread", "flow"))
    rows = await connection.execute(select(HEADLINES.c.stream, HEADLINES.c.project).where(top))
    return {row.stream: row.project for row in rows}


async def _streams(
    connection: AsyncConnection, since: datetime | None, tops: Collection[str] | None
) -> list[str]:
    """Return the streams in which something happened since then, in their order in the index."""
    names = (await connection.scalars(streams_since(since))).all()
    return sorted(n for n in names if is_counted(n) and (tops is None or thread_of(n) in tops))


def streams_since(since: datetime | None) -> Select[str]:
    """Return the select of the streams: each of whose newest event is looked at, and no other event."""
    if since is None:
        return select(EVENTS.c.stream).distinct()
    newest = select(func.max(EVENTS.c.position)).group_by(EVENTS.c.stream)
    is_late = EVENTS.c.at >= since.astimezone(UTC).isoformat()
    return select(EVENTS.c.stream).where(EVENTS.c.position.in_(newest), is_late)


async def folded(
    connection: AsyncConnection, streams: Sequence[str], begin: Callable[[], StreamFold]
) -> AsyncGenerator[tuple[str, Tally]]:
    """Fold some streams one after the other, each in the order of its events; tell which each was."""
    stream, fold = "", begin()
    async with connection.stream(_events(streams)) as rows:
        async for page in rows.partitions(PAGE):
            for row in page:
                if row.stream != stream:
                    yield stream, fold.end()
                    stream, fold = row.stream, begin()
                event = event_of(row)
                fold.add(event.body, event.at)
    yield stream, fold.end()


def _events(streams: Sequence[str]) -> Select[Any]:
    """Return the select of what counts in some streams, in the order of the index on them."""
    wanted: ColumnElement[bool] = EVENTS.c.stream.in_(streams) & EVENTS.c.kind.in_(sorted(KINDS))
    return select(EVENTS).where(wanted).order_by(EVENTS.c.stream, EVENTS.c.position)
