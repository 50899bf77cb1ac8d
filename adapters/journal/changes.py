"""What has changed since a position, as far as lists and inboxes go by it."""

from collections.abc import Collection, Sequence

from sqlalchemy import or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.journal.lists import ASKING_TASKS, AT_WORK, OF_HEADLINE, with_question
from adapters.journal.rows import headline_of
from adapters.journal.tables import EVENTS, HEADLINES
from domain.core.event import Headline
from domain.core.ids import thread_of

_NOTHING_ASKED = ("completed", "cancelled", "stopped", "chat", "open")
"""A thread or flow run of these asks nothing itself unless its headline says so; one of its tasks or sessions may,
or its turn worry."""


async def attended(connection: AsyncConnection) -> list[Headline]:
    """Return the headlines of threads and flow runs that may wait for a person, archived ones not."""
    asking = [headline_of(row) for row in await connection.execute(ASKING_TASKS)]
    questions = {str(thread_of(line.stream)): line for line in asking}
    watched = {*questions, *map(thread_of, await connection.scalars(AT_WORK))}
    goes_on = HEADLINES.c.status.not_in(_NOTHING_ASKED) | (HEADLINES.c.waiting_for != "")
    found = select(*OF_HEADLINE).where(
        HEADLINES.c.kind.in_(("thread", "flow")),
        HEADLINES.c.is_archived.is_(False),
        or_(goes_on, HEADLINES.c.stream.in_(watched)) if watched else goes_on,
    )
    lines = [headline_of(row) for row in await connection.execute(found)]
    return [with_question(line, questions.get(line.stream)) for line in lines]


async def changed_tops(
    connection: AsyncConnection, after: int, upto: int, but: Collection[str]
) -> Sequence[str]:
    """Return the threads, flow runs and others in which something happened, but for some kinds."""
    found = select(EVENTS.c.stream.concat("")).distinct()
    found = found.where(EVENTS.c.position > after, EVENTS.c.position <= upto)
    streams = await connection.scalars(found.where(EVENTS.c.kind.not_in(but)))
    return [thread_of(name) for name in streams]
