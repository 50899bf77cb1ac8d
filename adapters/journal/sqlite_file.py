"""The journal's SQLite file: where it is, how it is made, and that it is one before it is used."""

import os
import secrets
from pathlib import Path

from sqlalchemy import URL, create_engine, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from adapters.journal.tables import EVENTS, HEADLINES, METADATA, TEXTS
from adapters.sqlite_files import Format, fault_of
from domain.core.errors import JournalError

VERSION = 1
JOURNAL_FORMAT = Format(
    frozenset({EVENTS.name, HEADLINES.name, TEXTS.name}), newest_version=VERSION
)
DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}


def journal_address(journal_url: str) -> URL:
    """Return a journal's URL with the driver that reads it.

    Raises:
        JournalError: It is of no database that a journal can be in.
    """
    try:
        url = make_url(journal_url)
    except (ArgumentError, ValueError) as error:
        raise JournalError("the journal's URL cannot be read: use sqlite:///FILE") from error
    driver = DRIVERS.get(url.get_backend_name())
    if driver is None:
        raise JournalError(
            f"the journal cannot be in {url.get_backend_name()!r}: use sqlite:/// or postgresql://"
        )
    if url.get_backend_name() == "sqlite" and url.database in {None, "", ":memory:"}:
        raise JournalError("the journal's URL names no file: use sqlite:///FILE")
    return url.set(drivername=driver)


def journal_file(journal_url: str) -> Path | None:
    """Return the file that a journal is in; None where it is on a server.

    Raises:
        JournalError: The URL is of no database that a journal can be in.
    """
    url = journal_address(journal_url)
    return Path(url.database or "") if url.get_backend_name() == "sqlite" else None


def prepare_file(file: Path) -> None:
    """Make a journal's file where there is none; one that is there must be a whole journal.

    The file appears with its tables in it, so an empty one is never a new one: it has lost what
    was in it, and is refused like any other that is no journal.

    Raises:
        JournalError: It cannot be made, or what is there is no journal.
    """
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        log = file.with_name(f"{file.name}-wal")
        has_lost_its_file = log.exists() and log.stat().st_size > 0
        if not file.exists():
            if has_lost_its_file:
                raise JournalError(
                    f"the journal {file} is gone, and what was written to it last is still there "
                    f"({log.name}): bring it back, `treadle restore`, or move that away as well"
                )
            _make(file)
        elif (fault := fault_of(file, JOURNAL_FORMAT)) is not None:
            raise JournalError(
                f"the journal {file} cannot be used: {fault}. "
                "`treadle restore` brings a backup back; to begin anew, move the file away"
            )
        file.chmod(0o600)  # SQLite gives its -wal and -shm files the same mode
    except OSError as error:
        raise JournalError(f"the journal cannot be opened: {error.strerror}: {file}") from error
    except SQLAlchemyError as error:
        raise JournalError(f"the journal cannot be made: {file}: {error}") from error


def _make(file: Path) -> None:
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    try:
        engine = create_engine(URL.create("sqlite", database=str(draft)))
        with engine.begin() as connection:
            # Python's driver begins no transaction for DDL, and each statement would be synced
            connection.exec_driver_sql("BEGIN")
            METADATA.create_all(connection)
            connection.exec_driver_sql(f"PRAGMA user_version={VERSION}")
        engine.dispose()
        os.link(draft, file)  # the first of two processes wins, and nobody sees half
    except FileExistsError:
        pass
    finally:
        draft.unlink(missing_ok=True)
