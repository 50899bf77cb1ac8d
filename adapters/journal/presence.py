"""Which workers of a journal are alive, by their own heartbeats: a file beside SQLite, else a table."""

import asyncio
import os
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from sqlalchemy import Column, DateTime, Executable, Table, Text, extract, func, select
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.exc import SQLAlchemyError

from adapters.journal.engines import Engines
from adapters.journal.faults import journal_error
from adapters.journal.tables import METADATA
from domain.core.errors import JournalError

BEAT_SECONDS = 1.5
ALIVE_SECONDS = 6.0
"""A worker that was silent for so long is dead, or hangs; on a busy machine a beat may be late."""

_WORKERS = Table(
    "workers",
    METADATA,
    Column("host", Text, primary_key=True),
    Column("seen", DateTime(timezone=True), nullable=False),
)


class Presence:
    """The heartbeats, by the journal's own connections.

    Beside a SQLite journal they cost no transaction: the time of a file's last change is enough.
    A server keeps them by its own clock.
    """

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    @asynccontextmanager
    async def beating(self, host: str) -> AsyncGenerator[None]:
        """Beat for a host's worker until the block ends."""
        with suppress(JournalError, OSError):
            await self.beat(host)
        beats = asyncio.create_task(self._beat_on(host))
        try:
            yield
        finally:
            beats.cancel()
            with suppress(asyncio.CancelledError):
                await beats
            with suppress(JournalError, OSError):
                await self.end(host)

    async def _beat_on(self, host: str) -> None:
        while True:
            await asyncio.sleep(BEAT_SECONDS)
            with suppress(JournalError, OSError):  # the next beat tries again
                await self.beat(host)

    async def beat(self, host: str) -> None:
        """Say that the worker of a host is alive.

        Raises:
            JournalError: The database does not take it.
            OSError: The file cannot be written.
        """
        if (file := self._file(host)) is not None:
            file.touch(mode=0o600)
            return
        said = insert(_WORKERS).values(host=host, seen=func.now())
        newest = said.on_conflict_do_update(index_elements=["host"], set_={"seen": func.now()})
        await self._write(newest)

    async def end(self, host: str) -> None:
        """Say that the worker of a host has ended."""
        if (file := self._file(host)) is not None:
            os.utime(file, (0, 0))
            return
        ended = _WORKERS.update().where(_WORKERS.c.host == host)
        await self._write(ended.values(seen=func.to_timestamp(0)))

    async def is_alive(self) -> bool | None:
        """Tell whether any worker is alive; None where none ever said so."""
        ages = (await self.ages()).values()
        # a clock that was set back leaves times of the future behind, which hide no living worker
        return any(abs(age) < ALIVE_SECONDS for age in ages) if ages else None

    async def ages(self) -> dict[str, float]:
        """Return how many seconds ago the worker of each host was alive.

        Raises:
            JournalError: The database does not answer.
        """
        if self._engines.file is not None:
            return _ages_of(self._engines.file)
        return await self._ages()

    async def _ages(self) -> dict[str, float]:
        """Return how long ago each worker was alive, by the server's clock."""
        every = select(_WORKERS.c.host, extract("epoch", func.now() - _WORKERS.c.seen))
        try:
            async with self._engines.read.connect() as connection:
                return {host: float(age) for host, age in await connection.execute(every)}
        except (SQLAlchemyError, OSError) as error:
            raise journal_error("read", error, None) from error

    async def _write(self, statement: Executable) -> None:
        try:
            async with self._engines.read.connect() as connection:  # commits by itself
                await connection.execute(statement)
        except (SQLAlchemyError, OSError) as error:
            raise journal_error("written", error, None) from error

    def _file(self, host: str) -> Path | None:
        journal = self._engines.file
        return None if journal is None else journal.with_name(f"{journal.name}.worker-{host}")


def _ages_of(journal: Path) -> dict[str, float]:
    """Return how long ago each worker of a SQLite journal was alive."""
    start = f"{journal.name}.worker-"
    now = time.time()
    files = journal.parent.glob(f"{start}*")
    return {file.name.removeprefix(start): now - file.stat().st_mtime for file in files}
