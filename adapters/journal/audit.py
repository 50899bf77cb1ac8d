"""The audit log, a table that only grows: each record has the hash of the one before."""

from collections.abc import AsyncIterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import (
    Column,
    Connection,
    Integer,
    RowMapping,
    Table,
    Text,
    bindparam,
    or_,
    select,
    text,
)

from adapters.journal.engines import Engines
from adapters.journal.tables import DIALECTS, HEADLINES, METADATA
from domain.core.acting import VIA
from domain.people.audit import (
    FIRST,
    AuditEntry,
    AuditRecord,
    AuditResult,
    Door,
    Verification,
    sealed,
    top_of,
    verified,
)

BATCH = 1_000

AUDIT = Table(
    "audit",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=False),
    Column("at", Text, nullable=False, index=True),
    Column("person", Text, nullable=False, index=True),
    Column("token_id", Text, nullable=False),
    Column("address", Text, nullable=False),
    Column("door", Text, nullable=False),
    Column("action", Text, nullable=False),
    Column("target", Text, nullable=False),
    Column("project", Text, nullable=False),
    Column("shown", Text, nullable=False),
    Column("result", Text, nullable=False),
    Column("reason", Text, nullable=False),
    Column("key", Text, unique=True),
    Column("previous", Text, nullable=False),
    Column("digest", Text, nullable=False),
)

_LOCK = text("SELECT pg_advisory_xact_lock(:key)").bindparams(key=0x7472_6175_646974)
"""Taken last, after the locks of streams, until the transaction ends: records follow each other."""

_HEAD = select(AUDIT.c.number, AUDIT.c.digest).order_by(AUDIT.c.number.desc()).limit(1)
_PROJECT = select(HEADLINES.c.project).where(HEADLINES.c.stream == bindparam("top"))


class AuditWanted(NamedTuple):
    """Which records are asked for."""

    since: datetime | None = None
    person: str = ""
    project: str = ""


ANYTHING = AuditWanted()


class AuditLog:
    """The log, by the connections of an open journal; each entry is durable on return."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    async def add(self, *entries: AuditEntry) -> None:
        """Add entries at the end; one whose key is known is passed over."""
        await self._engines.write.append(lambda at: add_entries(at, entries), {"audit"})

    async def page(
        self, wanted: AuditWanted = ANYTHING, *, after: int = 0, limit: int = BATCH
    ) -> list[AuditRecord]:
        """Return the next records after a number, in order."""
        query = select(AUDIT).where(AUDIT.c.number > after).order_by(AUDIT.c.number).limit(limit)
        if wanted.since is not None:
            query = query.where(AUDIT.c.at >= _written(wanted.since))
        if wanted.person:
            of_programs = AUDIT.c.person.startswith(f"{wanted.person}{VIA}", autoescape=True)
            query = query.where(or_(AUDIT.c.person == wanted.person, of_programs))
        if wanted.project:
            query = query.where(AUDIT.c.project == wanted.project)
        rows = await self._engines.lookups.run(lambda at: at.execute(query).mappings().all())
        return [_record_of(row) for row in rows]

    async def every(self) -> AsyncIterator[list[AuditRecord]]:
        """Yield all records, in batches."""
        after = 0
        while batch := await self.page(after=after):
            yield batch
            after = batch[-1].number

    async def verify(self) -> Verification:
        """Return whether no record is missing and none was changed."""
        found = Verification(is_whole=True, records=0)
        async for batch in self.every():
            found = verified(batch, found)
            if not found.is_whole:
                return found
        return found


def add_entries(connection: Connection, entries: Sequence[AuditEntry]) -> None:
    """Add entries in the transaction of a connection, which may be that of what they tell of."""
    if not entries:
        return
    if connection.dialect.name == "postgresql":
        connection.execute(_LOCK)
    head = connection.execute(_HEAD).first()
    number, previous = (head.number, head.digest) if head else (0, FIRST)
    insert = DIALECTS[connection.dialect.name].insert(AUDIT)
    for entry in entries:
        record = sealed(_placed(connection, entry), number + 1, previous)
        row = {
            **record.model_dump(mode="json"),
            "at": _written(record.at),
            "key": record.key or None,
        }
        added = connection.execute(
            insert.on_conflict_do_nothing(index_elements=["key"]).returning(AUDIT.c.number), row
        ).scalar()
        if added is not None:
            number, previous = record.number, record.digest


def _placed(connection: Connection, entry: AuditEntry) -> AuditEntry:
    """Return an entry with its time as it is kept, and the project of what it is about."""
    at = datetime.fromisoformat(_written(entry.at))
    project, top = entry.project, top_of(entry)
    if not project and top:
        project = connection.scalar(_PROJECT, {"top": top}) or ""
    return entry.model_copy(update={"at": at, "project": project})


def _written(at: datetime) -> str:
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def _record_of(row: RowMapping) -> AuditRecord:
    read: dict[str, object] = {
        **row,
        "at": datetime.fromisoformat(row["at"]),
        "door": Door(row["door"]),
        "result": AuditResult(row["result"]),
        "key": row["key"] or "",
    }
    return AuditRecord.model_validate(read)
