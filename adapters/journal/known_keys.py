"""Which keys the processes on a journal have, by their fingerprints, in its table `meta`.

A process with other keys would fail what others sealed, and refuse what others signed: it must not
start. Two things may change: a new sealing key is added to those that are there, and the one host
of a journal makes a new key for decision codes.
"""

from sqlalchemy import Column, Connection, Table, Text, select
from sqlalchemy.exc import SQLAlchemyError

from adapters.journal.engines import Engines
from adapters.journal.faults import journal_error
from adapters.journal.tables import METADATA
from adapters.key_fingerprints import JOURNAL, SEALING, Keys, changes, journal_id

META = Table(
    "meta",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

PEOPLE = "people"
"""The row of the table that has nothing to do with keys: see `published_people`."""


class KnownKeys:
    """The fingerprints; each call is durable on return."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    async def check(self, host: str, keys: Keys, joined: str | None = None) -> None:
        """Compare the keys of a process with the known ones, and note what is new.

        `host` is the id of its host, empty for a process beside no worker; `joined` the id of the
        journal that the host joined.

        Raises:
            ForeignKeysError: They are others; says what to do.
            ForeignJournalError: This is another journal.
        """

        def note(connection: Connection) -> None:
            known = {row.name: row.value for row in connection.execute(select(META))}
            journal = {JOURNAL: journal_id(known, joined)}
            for name, value in (changes(known, host, keys) | journal).items():
                connection.execute(META.delete().where(META.c.name == name))
                connection.execute(META.insert().values(name=name, value=value))

        await self._engines.write.run(note)

    async def forget(self) -> None:
        """Forget all keys: those of the next process are taken for the right ones."""
        keys = META.delete().where(META.c.name != PEOPLE)
        await self._engines.write.run(lambda connection: connection.execute(keys))

    async def journal_id(self) -> str:
        """Return the id of the journal, which the first check of keys draws; empty before."""
        query = select(META.c.value).where(META.c.name == JOURNAL)
        return await self._engines.lookups.run(lambda at: at.scalar(query)) or ""

    async def is_known(self, key_id: str) -> bool:
        """Tell whether some process had a sealing key of this id."""
        query = select(META.c.value).where(META.c.name == f"{SEALING}{key_id}")
        try:
            async with self._engines.read.connect() as connection:
                return await connection.scalar(query) is not None
        except (SQLAlchemyError, OSError) as error:
            raise journal_error("read", error, self._engines.file) from error
