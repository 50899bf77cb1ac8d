"""Reads of one row, which the worker makes for every turn and step: beside a file on threads, on a server by asyncio."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.journal.faults import journal_error

T = TypeVar("T")
Lookup = Callable[[Connection], T]
THREADS = 2


class Lookups(Protocol):
    """Short reads, several at a time, which no writer holds up."""

    async def run(self, lookup: Lookup[T]) -> T:
        """Return what is found.

        Raises:
            JournalError: It could not be read.
        """
        ...

    async def dispose(self) -> None:
        """Close the connections, after what is under way."""
        ...


class FileLookups:
    """Reads of a SQLite file: each costs two switches between threads, a third of a read by asyncio."""

    def __init__(self, engine: Engine, file: Path) -> None:
        self._engine = engine
        self._file = file
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="journal-lookup")

    async def run(self, lookup: Lookup[T]) -> T:
        """Return what is found."""
        run = partial(self._run, lookup)
        here = copy_context()  # a trace goes on in the thread
        return await asyncio.get_running_loop().run_in_executor(self._threads, here.run, run)

    def _run(self, lookup: Lookup[T]) -> T:
        try:
            with self._engine.connect() as connection:
                return lookup(connection)
        except (SQLAlchemyError, OSError) as error:
            raise journal_error("read", error, self._file) from error

    async def dispose(self) -> None:
        """Close the connections and end the threads."""
        await asyncio.get_running_loop().run_in_executor(self._threads, self._engine.dispose)
        self._threads.shutdown()


class ServerLookups:
    """Reads on a server, by the connections of all other reads."""

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine

    async def run(self, lookup: Lookup[T]) -> T:
        """Return what is found."""
        try:
            async with self._engine.connect() as connection:
                return await connection.run_sync(lookup)
        except (SQLAlchemyError, OSError) as error:
            raise journal_error("read", error, None) from error

    async def dispose(self) -> None:
        """Do nothing: the connections are others'."""
