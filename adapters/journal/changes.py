"""What has changed since a position, as far as lists and inboxes go by it."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import Connection, bindparam, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.journal.lists import AT_WORK
from adapters.journal.rows import journaled_event_of
from adapters.journal.tables import EVENTS, HEADLINES, IS_ASKING
from domain.core.event import JournaledEvent
from domain.core.ids import thread_of

_NOTHING_ASKED = ("completed", "cancelled", "stopped", "chat", "open")
"""A thread or flow run of these asks nothing itself unless its headline says so; one of its tasks or sessions may,
or its turn worry."""

_ASKING = select(HEADLINES.c.stream).where(IS_ASKING)
_STREAM = EVENTS.c.stream
_OF_TOP = select(EVENTS).where(
    (bindparam("top") == _STREAM)
    | ((bindparam("first") <= _STREAM) & (bindparam("end") > _STREAM)),
    EVENTS.c.position + 0 <= bindparam("upto"),  # by the index of streams, not by position
    EVENTS.c.kind.not_in(bindparam("but", expanding=True)),
)


class Attended(NamedTuple):
    """A thread or flow run that may wait for a person."""

    stream: str
    kind: str


async def attended(connection: AsyncConnection) -> Sequence[Attended]:
    """Return the threads and flow runs that may wait for a person, archived ones not."""
    asking = await connection.scalars(_ASKING)
    watched = {*map(thread_of, asking), *map(thread_of, await connection.scalars(AT_WORK))}
    goes_on = HEADLINES.c.status.not_in(_NOTHING_ASKED) | (HEADLINES.c.waiting_for != "")
    found = select(HEADLINES.c.stream, HEADLINES.c.kind).where(
        HEADLINES.c.kind.in_(("thread", "flow")),
        HEADLINES.c.is_archived.is_(False),
        or_(goes_on, HEADLINES.c.stream.in_(watched)) if watched else goes_on,
    )
    return [Attended(*row) for row in await connection.execute(found)]


def quiet_events(
    connection: Connection, tops: Sequence[str], upto: int, but: Collection[str]
) -> dict[str, list[JournaledEvent]]:
    """Return the events up to a position of several streams and those below each, but for some kinds."""
    found: dict[str, list[JournaledEvent]] = {}
    for top in tops:
        rows = connection.execute(_OF_TOP, {**_names(top), "upto": upto, "but": [*but]}).all()
        in_order = sorted(rows, key=lambda row: row.position)  # an order by would go through all
        found[top] = [journaled_event_of(row) for row in in_order]
    return found


def _names(top: str) -> dict[str, str]:
    return {"top": top, "first": f"{top}/", "end": f"{top}0"}


async def changed_tops(
    connection: AsyncConnection, after: int, upto: int, but: Collection[str]
) -> Sequence[str]:
    """Return the threads, flow runs and others in which something happened, but for some kinds."""
    found = select(EVENTS.c.stream.concat("")).distinct()
    found = found.where(EVENTS.c.position > after, EVENTS.c.position <= upto)
    streams = await connection.scalars(found.where(EVENTS.c.kind.not_in(but)))
    return [thread_of(name) for name in streams]
