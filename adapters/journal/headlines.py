"""How streams stand, in SQL: all, and the threads and flow runs that have not ended or are named."""

from collections.abc import Collection

from sqlalchemy import func, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.journal.lists import ASKING_TASKS, OF_HEADLINE, with_question
from adapters.journal.rows import headline_of
from adapters.journal.tables import EVENTS, HEADLINES, within
from domain.core.event import Headline
from domain.core.ids import StreamId, thread_of
from domain.queue.status import ENDS

_KINDS = ("thread", "flow")


async def read_headlines(
    connection: AsyncConnection, kind: str | None, below: StreamId | None
) -> list[Headline]:
    """Return the newest headline of each stream, the latest changed first; of a kind, below a stream."""
    query = select(HEADLINES)
    if kind is not None:
        query = query.where(HEADLINES.c.kind == kind)
    if below is not None:
        query = query.where(within(HEADLINES.c.stream, below))
    newest_first = query.order_by(HEADLINES.c.changed.desc(), HEADLINES.c.stream)
    return [headline_of(row) for row in await connection.execute(newest_first)]


async def read_streams(connection: AsyncConnection, top: StreamId) -> list[StreamId]:
    """Return a stream and those under it that have events, in order of their first ones."""
    query = select(EVENTS.c.stream).where(within(EVENTS.c.stream, top))
    by_first = query.group_by(EVENTS.c.stream).order_by(func.min(EVENTS.c.position))
    return [StreamId(name) for name in (await connection.scalars(by_first)).all()]


async def read_open_headlines(
    connection: AsyncConnection, named: Collection[str]
) -> list[Headline]:
    """Return the headlines of what has not ended and of what is named, with what is asked there."""
    goes_on = HEADLINES.c.status.not_in(ENDS)
    wanted = or_(goes_on, HEADLINES.c.stream.in_(named)) if named else goes_on
    found = select(*OF_HEADLINE).where(HEADLINES.c.kind.in_(_KINDS), wanted)
    asked = [headline_of(row) for row in await connection.execute(ASKING_TASKS)]
    questions = {thread_of(line.stream): line for line in asked}
    lines = [headline_of(row) for row in await connection.execute(found)]
    return [with_question(line, questions.get(thread_of(line.stream))) for line in lines]
