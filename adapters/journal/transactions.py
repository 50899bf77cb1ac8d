"""The transactions of a journal's writers; in a file there is one, on a thread of its own."""

import asyncio
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from adapters.journal.faults import journal_error, stop_if_unsynced

T = TypeVar("T")
Change = Callable[[Connection], T]
"""What is done in one transaction; it is not done again where that fails."""


class Transactions(Protocol):
    """Transactions, each durable on return."""

    lanes: int
    """How many appends this process makes at once, of different streams."""

    async def run(self, change: Change[T]) -> T:
        """Make a change in a transaction of its own.

        Raises:
            JournalError: It could not be written; then nothing of it was.
        """
        ...

    async def append(self, change: Change[T], streams: Collection[str]) -> T:
        """Make a change that only appends to some streams, beside those of other streams.

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

    lanes = 1

    def __init__(self, engine: Engine, file: Path) -> None:
        self._engine = engine
        self._file = file
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="journal")

    async def run(self, change: Change[T]) -> T:
        """Make a change; one whose caller is gone is finished all the same."""
        run = partial(self._run, change)
        here = copy_context()  # a trace goes on in the thread
        return await asyncio.get_running_loop().run_in_executor(self._thread, here.run, run)

    async def append(self, change: Change[T], streams: Collection[str]) -> T:  # noqa: ARG002
        """Make a change; all of a file are made one after the other."""
        return await self.run(change)

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
