"""The API's answers to commands, kept in the journal's database by the key of each command."""

from typing import NamedTuple

from sqlalchemy import Column, Connection, Integer, Table, Text, select

from adapters.journal.engines import Engines
from adapters.journal.tables import DIALECTS, METADATA
from adapters.journal.transactions import Change, T
from domain.core.errors import JournalError

_ANSWERS = Table(
    "command_answers",
    METADATA,
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

    async def claim(self, key: str, fingerprint: str) -> StoredAnswer:
        """Write down that a command begins, or return what is known of the one with this key."""

        def begin(connection: Connection) -> StoredAnswer:
            fresh = {"key": key, "fingerprint": fingerprint, "status": 0}
            insert = DIALECTS[connection.dialect.name].insert(_ANSWERS).values(fresh)
            if connection.execute(insert.on_conflict_do_nothing()).rowcount:
                return StoredAnswer(fingerprint, 0, None, is_new=True)
            row = connection.execute(select(_ANSWERS).where(_ANSWERS.c.key == key)).one()
            return StoredAnswer(row.fingerprint, row.status, row.body, is_new=False)

        return await self._change(begin)

    async def keep(self, key: str, status: int, body: str) -> None:
        """Keep the answer of a command."""
        one = _ANSWERS.update().where(_ANSWERS.c.key == key).values(status=status, body=body)
        await self._change(lambda connection: connection.execute(one))

    async def forget(self, key: str) -> None:
        """Forget a command that changed nothing, so that its id is free again."""
        one = _ANSWERS.delete().where(_ANSWERS.c.key == key, _ANSWERS.c.body.is_(None))
        await self._change(lambda connection: connection.execute(one))

    async def _change(self, change: Change[T]) -> T:
        try:
            return await self._engines.write.append(change, ())
        except JournalError as error:
            raise JournalError("the answer to this command cannot be kept") from error
