"""Up to which position a journal on a server is whole: nothing below it is still to be committed.

Positions are given before a transaction is committed, and several are under way at once. So who reads on from the
newest position that is there may pass over an event that is committed later (docs/adr/0059).

A writer says where it is before it is given positions: by a shared advisory lock on the last position
that was given to anyone. A reader's floor is the lowest of those locks, and the newest position that was
there before it looked at them. PostgreSQL shows a transaction's rows before it releases its locks, so what is
not there, and below the floor, never comes.
"""

import asyncio
import time

from sqlalchemy import Connection, TextClause, func, select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.journal.tables import EVENTS

MARK = 0x5472
"""The upper 16 bits of a floor's lock, the others are a position."""

PATIENCE_SECONDS = 2.0
_BETWEEN_LOOKS = 0.005

SAY_WHERE = (  # numbers of ours
    f"pg_advisory_xact_lock_shared({MARK << 48} | "  # noqa: S608
    "(SELECT last_value - CASE WHEN is_called THEN 0 "
    "ELSE 1 END FROM events_position_seq))"
)
"""What a writer does before it is given a position."""

_NEWEST = select(func.max(EVENTS.c.position))
_WHOLE_UPTO: TextClause = text(
    "SELECT least((SELECT max(position) FROM events), ("  # noqa: S608 (numbers of ours)
    "SELECT min(((classid::bigint & 65535) << 32) | objid::bigint) FROM pg_locks "
    "WHERE locktype = 'advisory' AND objsubid = 1 AND granted "
    f"AND classid::bigint >> 16 = {MARK} "
    "AND database = (SELECT oid FROM pg_database WHERE datname = current_database())))"
)
"""In one statement: its view of the events is from before it looks at the locks."""


def whole_upto(connection: Connection) -> int:
    """Return the newest position up to which nothing is still to come; 0 for an empty journal."""
    is_server = connection.dialect.name == "postgresql"
    return connection.scalar(_WHOLE_UPTO if is_server else _NEWEST) or 0


async def end_of_page(connection: AsyncConnection, own: int) -> int | None:
    """Return up to where a page may go; None where all that is there is whole.

    What this process has written itself is waited for, up to the position `own`: only transactions
    that began before can hide it, and none takes long.
    """
    if connection.dialect.name != "postgresql":
        return None
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        upto = await connection.scalar(_WHOLE_UPTO) or 0
        if upto >= own or time.monotonic() > deadline:
            return upto
        await asyncio.sleep(_BETWEEN_LOOKS)
