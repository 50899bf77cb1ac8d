"""How the journal's database is opened: SQLite's pragmas, one writer, readers beside it."""

from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import create_engine, event
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from adapters.journal.address import journal_address
from adapters.journal.lookups import THREADS, FileLookups, Lookups, ServerLookups
from adapters.journal.transactions import FileTransactions, ServerTransactions, Transactions
from adapters.journal_file import journal_file, prepare_file
from adapters.sqlite_files import identity
from domain.core.errors import JournalError

BUSY_MS = 30_000
READERS = 4


class Engines(NamedTuple):
    """One database several times: reads never wait for the writer."""

    write: Transactions
    read: AsyncEngine
    lookups: Lookups
    file: Path | None
    """The database's file; None on a server."""

    async def dispose(self) -> None:
        """Close every connection."""
        await self.write.dispose()
        await self.lookups.dispose()
        await self.read.dispose()


def open_engines(journal_url: str) -> Engines:
    """Prepare the engines of a journal URL; nothing is connected yet.

    Raises:
        JournalError: The URL is of no database that the journal can be in, its driver is missing,
            its file cannot be made, or what is there is no journal.
    """
    url = journal_address(journal_url)
    file = journal_file(journal_url)
    if file is not None:
        prepare_file(file)
    try:
        read = create_async_engine(
            url, pool_size=READERS, max_overflow=READERS, isolation_level="AUTOCOMMIT"
        )
        if file is None:
            server = create_async_engine(url, pool_size=1, max_overflow=0)
            return Engines(ServerTransactions(server), read, ServerLookups(read), None)
    except ModuleNotFoundError as error:
        raise JournalError(
            f"the journal's driver {error.name!r} is missing: pip install 'treadle[postgres]'"
        ) from error
    here = url.set(drivername="sqlite")
    write = create_engine(here, pool_size=1, max_overflow=0)
    lookups = create_engine(here, pool_size=THREADS, isolation_level="AUTOCOMMIT")
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
