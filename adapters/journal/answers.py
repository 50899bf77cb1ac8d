"""The API's answers to commands, kept in the journal's database by the key of each command."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import NamedTuple

from sqlalchemy import Column, Integer, MetaData, Table, Text, select
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.journal.engines import Engines, become_writer
from domain.core.errors import JournalError

_METADATA = MetaData()
_ANSWERS = Table(
    "command_answers",
    _METADATA,
    Column("key", Text, primary_key=True),
    Column("fingerprint", Text, nullable=False),
    Column("status", Integer, nullable=False),
    Column("body", Text),
)
"""`body` is NULL while a command is under way, or its answer was lost."""


class StoredAnswer(NamedTuple):
    """What is known of a command; `body` is there once it was answered."""

    fingerprint: str
    status: int
    body: str | None
    is_new: bool


class Answers:
    """Answers by key, by the connections of an open journal; each call is durable on return."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    async def prepare(self) -> None:
        """Make the table where it is not there yet."""
        async with self._writing() as connection:
            await connection.run_sync(_METADATA.create_all)

    async def claim(self, key: str, fingerprint: str) -> StoredAnswer:
        """Write down that a command begins, or return what is known of the one with this key."""
        async with self._writing() as connection:
            found = await connection.execute(select(_ANSWERS).where(_ANSWERS.c.key == key))
            if (row := found.first()) is not None:
                return StoredAnswer(row.fingerprint, row.status, row.body, is_new=False)
            fresh = {"key": key, "fingerprint": fingerprint, "status": 0}
            await connection.execute(_ANSWERS.insert().values(fresh))
        return StoredAnswer(fingerprint, 0, None, is_new=True)

    async def keep(self, key: str, status: int, body: str) -> None:
        """Keep the answer of a command."""
        async with self._writing() as connection:
            one = _ANSWERS.update().where(_ANSWERS.c.key == key)
            await connection.execute(one.values(status=status, body=body))

    async def forget(self, key: str) -> None:
        """Forget a command that changed nothing, so that its id is free again."""
        async with self._writing() as connection:
            await connection.execute(
                _ANSWERS.delete().where(_ANSWERS.c.key == key, _ANSWERS.c.body.is_(None))
            )

    @asynccontextmanager
    async def _writing(self) -> AsyncGenerator[AsyncConnection]:
        try:
            async with self._engines.write.begin() as connection:
                await become_writer(connection)
                yield connection
        except (SQLAlchemyError, OSError) as error:
            raise JournalError("the answer to this command cannot be kept") from error
