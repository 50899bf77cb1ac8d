"""How the journal's database is opened: SQLite's pragmas, one writer at a time."""

from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import event, text
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from adapters.journal.sqlite_file import journal_address, journal_file, prepare_file
from adapters.sqlite_files import identity
from domain.core.errors import JournalError

BUSY_MS = 30_000
WRITER_LOCK = 0x7472_6561_646C_65  # "treadle"; any number that no one else uses
READERS = 4


class Engines(NamedTuple):
    """Two engines on one database: reads never wait for the writer."""

    write: AsyncEngine
    read: AsyncEngine
    file: Path | None
    """The database's file; None on a server."""

    async def dispose(self) -> None:
        """Close every connection."""
        await self.write.dispose()
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
        write = create_async_engine(url, pool_size=1, max_overflow=0)
        read = create_async_engine(
            url, pool_size=READERS, max_overflow=READERS, isolation_level="AUTOCOMMIT"
        )
    except ModuleNotFoundError as error:
        raise JournalError(
            f"the journal's driver {error.name!r} is missing: pip install 'treadle[postgres]'"
        ) from error
    if file is not None:
        event.listen(write.sync_engine, "connect", _set_pragmas)
        event.listen(read.sync_engine, "connect", _set_pragmas)
        event.listen(write.sync_engine, "begin", partial(_refuse_unless_there, file))
        event.listen(write.sync_engine, "begin", _begin_at_once)
    return Engines(write, read, file)


async def become_writer(connection: AsyncConnection) -> None:
    """Wait until no other process writes, up to the end of the transaction.

    Positions are then given in the order of commits, so a reader that has seen one has seen all
    before it. SQLite needs no lock for that: its transactions begin as the only writer.
    """
    if connection.dialect.name == "postgresql":
        await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": WRITER_LOCK})


def _set_pragmas(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # the driver begins no transactions of its own
    connection.driver_connection.text_factory = text_of  # one damaged letter is no end of a page
    cursor = connection.cursor()
    # FULL: an acknowledged event outlives a power cut; about 1 ms for each commit (docs/reliability.md)
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
