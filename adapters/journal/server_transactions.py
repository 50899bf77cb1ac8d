"""The transactions of a journal on a server: appends of different streams at the same time, others alone."""

import zlib
from collections.abc import Callable, Collection

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.journal.faults import journal_error
from adapters.journal.floor import SAY_WHERE
from adapters.journal.transactions import Change, T

WRITER_LOCK = 0x7472_6561_646C_65
"""Shared by who appends, taken alone by who does more; version 0.1 takes it alone for all."""

STREAMS = 0x7472
"""The first half of the locks of streams; the other is a stream's checksum."""

_ALONE = text(f"SELECT pg_advisory_xact_lock({WRITER_LOCK})")
_BY_STREAM = text(
    f"SELECT pg_advisory_xact_lock_shared({WRITER_LOCK}), "  # noqa: S608 (numbers of ours)
    f"(SELECT count(pg_advisory_xact_lock({STREAMS}, key)) FROM unnest(CAST(:keys AS int[])) AS key), "
    f"{SAY_WHERE}"
)
"""In the order of their keys, so that no two wait for each other."""


class _LostMeanwhileError(SQLAlchemyError):
    """A connection was lost while nobody used it, as by a restart of the server."""


class ServerTransactions:
    """Transactions on a server, which other processes write to as well.

    Each stream has one writer at a time, so its positions are in the order of commits. Those of all streams are
    not: readers go by the floor (adapters/journal/floor.py).
    """

    def __init__(self, engine: AsyncEngine, lanes: int, tell: Callable[[], None]) -> None:
        self._engine = engine
        self._tell = tell
        self.lanes = lanes

    async def run(self, change: Change[T]) -> T:
        """Make a change once no other process writes."""
        return await self._run(change, None)

    async def append(self, change: Change[T], streams: Collection[str]) -> T:
        """Make a change of some streams once no other process writes to one of them."""
        return await self._run(change, sorted({_key(stream) for stream in streams}))

    async def _run(self, change: Change[T], keys: list[int] | None) -> T:
        try:
            try:
                return await self._attempt(change, keys)
            except _LostMeanwhileError:
                return await self._attempt(change, keys)  # nothing was done yet
        except (SQLAlchemyError, OSError) as error:
            raise journal_error("written", error, None) from error
        finally:
            self._tell()  # also where nothing came of it: followers waited for that

    async def _attempt(self, change: Change[T], keys: list[int] | None) -> T:
        async with self._engine.begin() as connection:
            try:
                if keys is None:
                    await connection.execute(_ALONE)
                else:
                    await connection.execute(_BY_STREAM, {"keys": keys})
            except DBAPIError as error:
                if error.connection_invalidated:
                    raise _LostMeanwhileError(str(error.orig)) from error
                raise
            return await connection.run_sync(change)

    async def dispose(self) -> None:
        """Close the connections."""
        await self._engine.dispose()


def _key(stream: str) -> int:
    """Return a stream's lock: a signed number of 32 bits; two streams with the same one take turns."""
    return zlib.crc32(stream.encode()) - 2**31
