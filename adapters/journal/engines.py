"""How the journal's database is opened: SQLite's pragmas, its one writer, pools on a server, readers beside them."""

from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import sqlalchemy
from sqlalchemy import URL, NullPool, event
from sqlalchemy.engine import Connection
from sqlalchemy.ext import asyncio as in_asyncio
from sqlalchemy.ext.asyncio import AsyncEngine

from adapters.journal.address import journal_address
from adapters.journal.lookups import THREADS, FileLookups, Lookups, ServerLookups
from adapters.journal.notices import Notices
from adapters.journal.server_transactions import ServerTransactions
from adapters.journal.transactions import FileTransactions, Transactions
from adapters.journal_file import journal_file, prepare_file
from adapters.sqlite_files import identity
from domain.core.errors import JournalError

BUSY_MS = 30_000
READERS = 4
POOL_SECONDS = 30
APPLICATION = "treadle"
"""The name of writers in pg_stat_activity, by which `treadle move-journal` sees them."""

WRITING = {"idle_in_transaction_session_timeout": "10s", "application_name": APPLICATION}
"""A writer that hangs in a transaction holds up all followers until the server ends it."""


class Pool(NamedTuple):
    """How many connections a process has to a server at most, besides the one for notices."""

    readers: int = 8
    writers: int = 1


POOL = Pool()


class Engines(NamedTuple):
    """One database several times: reads never wait for the writer."""

    write: Transactions
    read: AsyncEngine
    lookups: Lookups
    file: Path | None
    """The database's file; None on a server."""

    notices: Notices | None = None
    """What the processes on a server tell each other; None with a file."""

    async def dispose(self) -> None:
        """Close every connection."""
        await self.write.dispose()
        if self.notices is not None:
            await self.notices.dispose()
        await self.lookups.dispose()
        await self.read.dispose()


def open_engines(journal_url: str, pool: Pool = POOL) -> Engines:
    """Prepare the engines of a journal URL; nothing is connected yet.

    The pool is that of a server; a file has a writer, and readers of a fixed number.

    Raises:
        JournalError: The URL is of no database that the journal can be in, its driver is missing,
            its file cannot be made, or what is there is no journal.
    """
    url = journal_address(journal_url)
    file = journal_file(journal_url)
    if file is not None:
        prepare_file(file)
        return _of_file(url, file)
    try:
        return _of_server(url, pool)
    except ModuleNotFoundError as error:
        raise JournalError(
            f"the journal's driver {error.name!r} is missing: pip install 'treadle[postgres]'"
        ) from error


def _of_server(url: URL, pool: Pool) -> Engines:
    make = partial(in_asyncio.create_async_engine, url, pool_timeout=POOL_SECONDS, max_overflow=0)
    read = make(pool_size=pool.readers, isolation_level="AUTOCOMMIT", pool_pre_ping=True)
    write = make(  # a transaction finds out itself whether its connection is still there
        pool_size=pool.writers,
        isolation_level="READ COMMITTED",
        connect_args={"server_settings": WRITING},
    )
    listen = in_asyncio.create_async_engine(url, poolclass=NullPool, isolation_level="AUTOCOMMIT")
    notices = Notices(listen)
    writes = ServerTransactions(write, pool.writers, notices.tell)
    return Engines(writes, read, ServerLookups(read), None, notices)


def _of_file(url: URL, file: Path) -> Engines:
    read = in_asyncio.create_async_engine(
        url, pool_size=READERS, max_overflow=READERS, isolation_level="AUTOCOMMIT"
    )
    here = url.set(drivername="sqlite")
    write = sqlalchemy.create_engine(here, pool_size=1, max_overflow=0)
    lookups = sqlalchemy.create_engine(here, pool_size=THREADS, isolation_level="AUTOCOMMIT")
    event.listen(write, "connect", _set_pragmas)
    event.listen(lookups, "connect", _set_pragmas)
    event.listen(read.sync_engine, "connect", _set_pragmas)
    event.listen(write, "begin", partial(_refuse_unless_there, file))
    event.listen(write, "begin", _begin_at_once)
    return Engines(FileTransactions(write, file), read, FileLookups(lookups, file), file)


def _set_pragmas(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # the driver begins no transactions of its own
    driver = getattr(connection, "driver_connection", connection)
    driver.text_factory = text_of  # one damaged letter is no end of a page
    cursor = connection.cursor()
    # FULL: an acknowledged event outlives a power cut; about 1 ms for each commit (docs/explanation/reliability.md)
    for pragma in (f"busy_timeout={BUSY_MS}", "journal_mode=WAL", "synchronous=FULL"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def text_of(stored: bytes) -> str:
    """Return what SQLite has of a text; what is no UTF-8 any more is seen in it, and raises nothing."""
    return stored.decode(errors="replace")


def _refuse_unless_there(file: Path, connection: Connection) -> None:
    """Write only into the file that others find: one that was removed is lost with its last user."""
    found = identity(file)
    if found is None or connection.info.setdefault("file", found) != found:
        raise JournalError(
            f"the journal {file} was removed or replaced while it was in use: put it back as it was, "
            "or stop the engine and `treadle restore BACKUP`"
        )


def _begin_at_once(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")  # a later upgrade to a writer would not wait
