"""Which keys the processes on a journal have, by their fingerprints, in its table `meta`.

A process with other keys would fail what others sealed, and refuse what others signed: it must not
start. Two things may change: a new sealing key is added to those that are there, and the one host
of a journal makes a new key for decision codes.
"""

import hashlib
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import NamedTuple

from sqlalchemy import Column, Connection, MetaData, Table, Text, select
from sqlalchemy.exc import SQLAlchemyError

from adapters.journal.engines import Engines, open_engines
from adapters.journal.faults import journal_error
from domain.core.errors import JournalError

_METADATA = MetaData()
_META = Table(
    "meta",
    _METADATA,
    Column("name", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
_NEWEST = "sealing-key"
_SEALING = "sealing-key:"
_CODES = "code-key"
_HOST = "host:"
_ADVICE = (
    "copy {files} from a host that works, mode 0600, and start again. Where the old keys are gone "
    "for good, stop all workers; `treadle up --accept-loss` then begins with the keys of its host"
)


class ForeignKeysError(JournalError):
    """The keys of this process are not those of the others on its journal."""

    type = "foreign_keys"


class Keys(NamedTuple):
    """What a process has: its sealing keys by id, the one that seals last, and the key of codes."""

    sealing: Mapping[str, bytes]
    codes: bytes


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
        query = select(_META.c.value).where(_META.c.name == f"{_SEALING}{key_id}")
        try:
            async with self._engines.read.connect() as connection:
                return await connection.scalar(query) is not None
        except (SQLAlchemyError, OSError) as error:
            raise journal_error("read", error, self._engines.file) from error


def changes(known: Mapping[str, str], host: str, keys: Keys) -> dict[str, str]:
    """Return what a process with these keys makes known.

    Raises:
        ForeignKeysError: Its keys are not those that are known.
    """
    found = {f"{_SEALING}{key_id}": fingerprint(key) for key_id, key in keys.sealing.items()}
    newest = known.get(_NEWEST)
    differs = ["payload.keys"] if newest and known.get(newest) != found.get(newest) else []
    if any(known.get(name, value) != value for name, value in found.items()):
        differs = ["payload.keys"]
    others = [name for name in known if name.startswith(_HOST) and name != f"{_HOST}{host}"]
    codes = fingerprint(keys.codes)
    if known.get(_CODES, codes) != codes and (others or not host):
        differs.append("decision.key")
    if differs:
        files = " and ".join(differs)
        raise ForeignKeysError(
            f"the keys of this host are not those that its journal knows: {files} differs from the "
            f"other hosts' or from earlier. Nothing was started; {_ADVICE.format(files=files)}"
        )
    new = {**found, _NEWEST: list(found)[-1], _CODES: codes}
    return new | ({f"{_HOST}{host}": codes} if host else {})


def fingerprint(key: bytes) -> str:
    """Return what tells a key of 256 random bits from others, and nothing about it."""
    return hashlib.sha256(b"treadle key\0" + key).hexdigest()[:32]
