"""Which keys the processes on a journal have, by their fingerprints, in its table `meta`.

A process with other keys would fail what others sealed, and refuse what others signed: it must not
start. Two things may change: a new sealing key is added to those that are there, and the one host
of a journal makes a new key for decision codes.
"""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from sqlalchemy import Column, Connection, MetaData, Table, Text, select
from sqlalchemy.exc import SQLAlchemyError

from adapters.journal.engines import Engines, open_engines
from adapters.journal.faults import journal_error
from adapters.key_fingerprints import SEALING, Keys, changes

_METADATA = MetaData()
_META = Table(
    "meta",
    _METADATA,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)


@asynccontextmanager
async def open_known_keys(journal_url: str) -> AsyncGenerator["KnownKeys"]:
    """Open the fingerprints in the journal at a SQLAlchemy URL; close them at the end.

    Raises:
        JournalError: The database cannot be reached.
    """
    engines = open_engines(journal_url)
    known = KnownKeys(engines)
    try:
        await known.prepare()
        yield known
    finally:
        await engines.dispose()


class KnownKeys:
    """The fingerprints; each call is durable on return."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    async def prepare(self) -> None:
        """Make the table where it is not there yet."""
        await self._engines.write.run(_METADATA.create_all)

    async def check(self, host: str, keys: Keys) -> None:
        """Compare the keys of a process with the known ones, and note what is new.

        `host` is the id of its host; empty for a process beside no worker.

        Raises:
            ForeignKeysError: They are others; says what to do.
        """

        def note(connection: Connection) -> None:
            known = {row.name: row.value for row in connection.execute(select(_META))}
            for name, value in changes(known, host, keys).items():
                connection.execute(_META.delete().where(_META.c.name == name))
                connection.execute(_META.insert().values(name=name, value=value))

        await self._engines.write.run(note)

    async def forget(self) -> None:
        """Forget all keys: those of the next process are taken for the right ones."""
        await self._engines.write.run(lambda connection: connection.execute(_META.delete()))

    async def is_known(self, key_id: str) -> bool:
        """Tell whether some process had a sealing key of this id."""
        query = select(_META.c.value).where(_META.c.name == f"{SEALING}{key_id}")
        try:
            async with self._engines.read.connect() as connection:
                return await connection.scalar(query) is not None
        except (SQLAlchemyError, OSError) as error:
            raise journal_error("read", error, self._engines.file) from error
