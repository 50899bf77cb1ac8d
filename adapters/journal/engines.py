"""How the journal's database is opened: private files, SQLite's pragmas, one writer at a time."""

from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import URL, event, make_url, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import ArgumentError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from domain.errors import JournalError

DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
BUSY_MS = 30_000
WRITER_LOCK = 0x7472_6561_646C_65  # "treadle"; any number that no one else uses
READERS = 4


class Engines(NamedTuple):
    """Two engines on one database: reads never wait for the writer."""

    write: AsyncEngine
    read: AsyncEngine

    async def dispose(self) -> None:
        """Close every connection."""
        await self.write.dispose()
        await self.read.dispose()


def open_engines(journal_url: str) -> Engines:
    """Prepare the engines of a journal URL; nothing is connected yet.

    Raises:
        JournalError: The URL is of no database that the journal can be in, its driver is missing,
            or its folder cannot be made.
    """
    url = _known(journal_url)
    if url.get_backend_name() == "sqlite":
        _make_private(url)
    try:
        write = create_async_engine(url, pool_size=1, max_overflow=0)
        read = create_async_engine(
            url, pool_size=READERS, max_overflow=READERS, isolation_level="AUTOCOMMIT"
        )
    except ModuleNotFoundError as error:
        raise JournalError(
            f"the journal's driver {error.name!r} is missing: pip install 'treadle[postgres]'"
        ) from error
    if url.get_backend_name() == "sqlite":
        event.listen(write.sync_engine, "connect", _set_pragmas)
        event.listen(read.sync_engine, "connect", _set_pragmas)
        event.listen(write.sync_engine, "begin", _begin_at_once)
    return Engines(write, read)


async def become_writer(connection: AsyncConnection) -> None:
    """Wait until no other process writes, up to the end of the transaction.

    Positions are then given in the order of commits, so a reader that has seen one has seen all
    before it. SQLite needs no lock for that: its transactions begin as the only writer.
    """
    if connection.dialect.name == "postgresql":
        await connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": WRITER_LOCK})


def _known(journal_url: str) -> URL:
    try:
        url = make_url(journal_url)
    except ArgumentError as error:
        raise JournalError("the journal's URL cannot be read: use sqlite:///FILE") from error
    driver = DRIVERS.get(url.get_backend_name())
    if driver is None:
        raise JournalError(
            f"the journal cannot be in {url.get_backend_name()!r}: use sqlite:/// or postgresql://"
        )
    if url.get_backend_name() == "sqlite" and url.database in {None, "", ":memory:"}:
        raise JournalError("the journal's URL names no file: use sqlite:///FILE")
    return url.set(drivername=driver)


def _make_private(url: URL) -> None:
    file = Path(url.database or "")
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        file.touch(mode=0o600)
        file.chmod(0o600)  # SQLite gives its -wal and -shm files the same mode
    except OSError as error:
        raise JournalError(f"the journal cannot be opened: {error.strerror}: {file}") from error


def _set_pragmas(connection: Any, _record: Any) -> None:
    connection.isolation_level = None  # the driver begins no transactions of its own
    cursor = connection.cursor()
    for pragma in (f"busy_timeout={BUSY_MS}", "journal_mode=WAL", "synchronous=NORMAL"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin_at_once(connection: Connection) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")  # a later upgrade to a writer would not wait
