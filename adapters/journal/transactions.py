"""The transactions of a journal's one writer: beside a file on a thread of its own, on a server by asyncio."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Protocol, TypeVar

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.journal.faults import journal_error, stop_if_unsynced

T = TypeVar("T")
Change = Callable[[Connection], T]
"""What is done in one transaction; it is not done again where that fails."""

WRITER_LOCK = 0x7472_6561_646C_65  # "treadle"; any number that no one else uses


class Transactions(Protocol):
    """Transactions, one after the other, each durable on return."""

    async def run(self, change: Change[T]) -> T:
        """Make a change in a transaction of its own.

        Raises:
            JournalError: It could not be written; then nothing of it was.
        """
        ...

    async def dispose(self) -> None:
        """Close the connection, after what is under way."""
        ...


class FileTransactions:
    """Transactions in a SQLite file: all statements of one cost two switches between threads.

    SQLite's transactions begin as the only writer, so positions are given in the order of commits.
    """

    def __init__(self, engine: Engine, file: Path) -> None:
        self._engine = engine
        self._file = file
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal")

    async def run(self, change: Change[T]) -> T:
        """Make a change; one whose caller is gone is finished all the same."""
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._run, change)

    def _run(self, change: Change[T]) -> T:
        try:
            with self._engine.begin() as connection:
                return change(connection)
        except (SQLAlchemyError, OSError) as error:
            stop_if_unsynced(error, self._file)
            raise journal_error("written", error, self._file) from error

    async def dispose(self) -> None:
        """Close the connection and end the thread."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._engine.dispose)
        self._thread.shutdown()


class ServerTransactions:
    """Transactions on a server, which other processes write to as well.

    A lock that all writers take gives positions in the order of commits, so a reader that has seen one has
    seen all before it.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def run(self, change: Change[T]) -> T:
        """Make a change once no other process writes."""
        try:
            async with self._engine.begin() as connection:
                await connection.execute(
                    text("SELECT pg_advisory_xact_lock(:key)"), {"key": WRITER_LOCK}
                )
                return await connection.run_sync(change)
        except (SQLAlchemyError, OSError) as error:
            raise journal_error("written", error, None) from error

    async def dispose(self) -> None:
        """Close the connection."""
        await self._engine.dispose()
