"""Moves a journal from one database to another, all of it or nothing; the source stays as it is.

All tables of the metadata are copied in one transaction of the target, in batches. Before it is committed, each
table is read back there, and its rows must be those that were read from the source.
"""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import Column, Row, Table, func, select, text
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.journal.address import journal_address
from adapters.journal.engines import APPLICATION, Engines, open_engines
from adapters.journal.faults import journal_error
from adapters.journal.schema import METADATA, prepare_schema
from adapters.journal.search_tables import PASSAGES, add_words
from domain.core.errors import JournalError

BATCH = 1_000
_BITS = 256
_LOOKS = 20
_BETWEEN_LOOKS = 0.1


class Moved(NamedTuple):
    """A table that was moved."""

    table: str
    rows: int


class _Sum(NamedTuple):
    """How many rows, and the sum of their hashes, whatever their order: databases sort names differently."""

    rows: int = 0
    hashes: int = 0

    def plus(self, rows: Sequence[Row[Any]]) -> "_Sum":
        added = sum(int.from_bytes(hashlib.sha256(_written(row)).digest()) for row in rows)
        return _Sum(self.rows + len(rows), (self.hashes + added) % 2**_BITS)


async def move_journal(
    source_url: str, target_url: str, on_table: Callable[[Moved], None]
) -> list[Moved]:
    """Copy a journal into an empty one that is made where it is not there yet; returns what was copied.

    Raises:
        JournalError: One cannot be opened, the target has something in it, a process uses the source, or what
            arrived is not what was sent. Then the target is empty.
    """
    if journal_address(source_url) == journal_address(target_url):
        raise JournalError("the journal is there already: name another database or file")
    source, target = open_engines(source_url), open_engines(target_url)
    try:
        for engines in (source, target):
            await engines.write.run(partial(prepare_schema, file=engines.file))
            if engines.file is None:
                await engines.write.dispose()  # so that those who write are others
        async with _transaction(source, "read") as read, _transaction(target, "written") as write:
            await _refuse_if_used(read)
            await _refuse_unless_empty(write)
            moved: list[Moved] = []
            for table in METADATA.sorted_tables:
                moved.append(await _move(table, read, write))
                on_table(moved[-1])
            return moved
    finally:
        for engines in (source, target):
            await engines.dispose()


async def _move(table: Table, read: AsyncConnection, write: AsyncConnection) -> Moved:
    sent = _Sum()
    async for rows in _rows(table, read):
        sent = sent.plus(rows)
        await write.execute(table.insert(), [_arriving(table.columns.keys(), row) for row in rows])
        if table is PASSAGES:
            passages = [(row.position, row.text) for row in rows]
            await write.run_sync(add_words, passages)
    arrived = _Sum()
    async for rows in _rows(table, write):
        arrived = arrived.plus(rows)
    if arrived != sent:
        raise JournalError(
            f"the table {table.name} did not arrive as it was sent ({sent.rows} and {arrived.rows} rows): "
            "nothing was moved; run `treadle doctor`, and report this if it happens again"
        )
    column = table.autoincrement_column
    if column is not None:
        await _go_on_counting(table, column, await _counted(table, column, read), write)
    return Moved(table.name, sent.rows)


async def _rows(table: Table, connection: AsyncConnection) -> AsyncGenerator[Sequence[Row[Any]]]:
    every = select(table).execution_options(yield_per=BATCH)
    async with connection.stream(every) as found:
        async for rows in found.partitions():
            yield rows


async def _counted(table: Table, column: Column[Any], read: AsyncConnection) -> int:
    """Return the highest number that a table ever gave, or as good as that."""
    highest = await read.scalar(select(func.max(column))) or 0
    if read.dialect.name == "postgresql":
        sequence = await read.scalar(_SEQUENCE, {"table": table.name, "column": column.name})
        given = await read.scalar(text(f"SELECT last_value FROM {sequence} WHERE is_called"))  # noqa: S608
    elif table.dialect_options["sqlite"]["autoincrement"]:
        given = await read.scalar(_SEQ, {"table": table.name})
    else:
        given = 0
    return max(highest, given or 0)


async def _go_on_counting(
    table: Table, column: Column[Any], given: int, write: AsyncConnection
) -> None:
    """Have the next number of a table be one that it never gave."""
    if not given:
        return
    if write.dialect.name == "postgresql":
        sequence = await write.scalar(_SEQUENCE, {"table": table.name, "column": column.name})
        await write.execute(_SET_VALUE, {"sequence": sequence, "given": given})
    elif table.dialect_options["sqlite"]["autoincrement"]:
        await write.execute(
            text("DELETE FROM sqlite_sequence WHERE name = :table"), {"table": table.name}
        )
        await write.execute(_SET_SEQ, {"table": table.name, "given": given})


_SEQUENCE = text("SELECT pg_get_serial_sequence(:table, :column)")
_SET_VALUE = text("SELECT setval(CAST(CAST(:sequence AS text) AS regclass), :given)")
_SEQ = text("SELECT seq FROM sqlite_sequence WHERE name = :table")
_SET_SEQ = text("INSERT INTO sqlite_sequence (name, seq) VALUES (:table, :given)")
_WRITERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() "
    "AND application_name = :name"
)


@asynccontextmanager
async def _transaction(engines: Engines, doing: str) -> AsyncGenerator[AsyncConnection]:
    """Begin a transaction, of one moment and alone; end it with the block, or undo it."""
    try:
        async with engines.read.connect() as connection:
            if engines.file is None:
                await connection.execution_options(isolation_level="REPEATABLE READ")
                async with connection.begin():
                    yield connection
                return
            await connection.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                await connection.exec_driver_sql("ROLLBACK")
                raise
            await connection.exec_driver_sql("COMMIT")
    except (SQLAlchemyError, OSError) as error:
        raise journal_error(doing, error, engines.file) from error


async def _refuse_if_used(read: AsyncConnection) -> None:
    """Refuse where processes can write to a server, be they of this host or another one."""
    if read.dialect.name != "postgresql":
        return
    for _ in range(_LOOKS):
        if not await read.scalar(_WRITERS, {"name": APPLICATION}):
            return
        await asyncio.sleep(_BETWEEN_LOOKS)  # a connection that was just closed is still listed
    raise JournalError(
        "a worker or an API is connected to the journal: stop the engines of all hosts first"
    )


async def _refuse_unless_empty(write: AsyncConnection) -> None:
    for table in METADATA.sorted_tables:
        if await write.scalar(select(func.count()).select_from(table)):
            raise JournalError(
                f"the target is not empty: its table {table.name} has rows. Name a database or file that is "
                "not there yet"
            )


def _arriving(names: Sequence[str], row: Row[Any]) -> dict[str, Any]:
    return {name: _in_utc(value) for name, value in zip(names, row, strict=True)}


def _in_utc(value: Any) -> Any:
    """Return a value with the zone that SQLite does not keep."""
    if isinstance(value, datetime):
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
    return value


def _written(row: Row[Any]) -> bytes:
    return repr([_in_utc(value) for value in row]).encode()
