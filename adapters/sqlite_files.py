"""SQLite files from outside: is this one whole, and copies of several as they are at one moment."""

import sqlite3
import time
from collections.abc import Generator, Mapping
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

HEADER = b"SQLite format 3\0"
BUSY_SECONDS = 30.0
_STEPS_BETWEEN_LOOKS = 100_000
"""Steps of SQLite's machine between two looks at the clock: some milliseconds."""


@dataclass(frozen=True)
class Format:
    """What a database must hold to be taken for one of a kind."""

    tables: frozenset[str]
    newest_version: int = 0
    """The highest `user_version` that this code can read."""


def identity(file: Path) -> tuple[int, int] | None:
    """Return what tells a file from another one that took its place; None where there is none."""
    try:
        about = file.stat()
    except OSError:
        return None
    return about.st_dev, about.st_ino


def fault_of(file: Path, expected: Format, *, seconds: float = 0) -> str | None:
    """Say what is wrong with a database file; None where nothing is. Nothing is written.

    For up to `seconds` its pages are looked through (`quick_check`); what lies behind them then
    counts as good. Damage in the file beside it, `…-wal`, cannot be told from a write that was cut
    off by a crash: SQLite goes on from the last whole transaction.
    """
    try:
        with file.open("rb") as stream:
            header = stream.read(len(HEADER))
    except OSError as error:
        return f"it cannot be read ({error.strerror})"
    if not header:
        return "it is empty"
    if header != HEADER:
        return "it is no SQLite database: its first bytes are not those of one"
    try:
        with reading(file) as connection:
            return _fault_inside(connection, expected, seconds)
    except sqlite3.Error as error:
        return f"it is damaged ({error})"


@contextmanager
def reading(file: Path) -> Generator[sqlite3.Connection]:
    """Open a database that is there for reading only, beside whoever else has it open."""
    address = f"file:{quote(str(file))}?mode=ro"
    # autocommit: a transaction begins where it is asked for
    with closing(
        sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
    ) as connection:
        yield connection


def copy_together(copies: Mapping[Path, Path]) -> None:
    """Copy databases that are in use, all as they were at one moment, by SQLite's backup API.

    Whoever writes to the first waits for the milliseconds in which that moment is fixed: so the
    copies of the others know nothing that was written after it, and the other way round.

    Raises:
        sqlite3.Error: One cannot be read, or a copy cannot be written.
    """
    with ExitStack() as opened:
        sources = {file: opened.enter_context(reading(file)) for file in copies}
        with _no_writer(next(iter(copies))):
            for source in sources.values():
                source.execute("BEGIN")
                source.execute("SELECT count(*) FROM sqlite_schema").fetchone()  # fixes the moment
        for file, target in copies.items():
            with closing(sqlite3.connect(target)) as copy:
                sources[file].backup(copy)


@contextmanager
def _no_writer(file: Path) -> Generator[None]:
    with closing(sqlite3.connect(file, timeout=BUSY_SECONDS, isolation_level=None)) as gate:
        gate.execute("BEGIN IMMEDIATE")
        yield
        gate.execute("ROLLBACK")


def _fault_inside(connection: sqlite3.Connection, expected: Format, seconds: float) -> str | None:
    found = {row[0] for row in connection.execute("SELECT name FROM sqlite_schema")}
    if missing := sorted(expected.tables - found):
        return f"it is another kind of database: it has no table {missing[0]!r}"
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > expected.newest_version:
        return f"it was written by a newer Treadle (format {version}): update Treadle"
    return _damage(connection, seconds) if seconds else None


def _damage(connection: sqlite3.Connection, seconds: float) -> str | None:
    deadline = time.monotonic() + seconds
    connection.set_progress_handler(lambda: time.monotonic() > deadline, _STEPS_BETWEEN_LOOKS)
    try:
        first = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
            return None
        raise
    return None if first == "ok" else f"it is damaged ({first})"
