"""The journal's SQLite file: where it is, how it is made, and that it is one before it is used.

It is beside `adapters/journal/` so that who only looks at the file loads neither SQLAlchemy nor the events.
"""

import os
import re
import secrets
import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import unquote

from adapters.sqlite_files import Format, fault_of
from domain.core.errors import JournalError

VERSION = 1
JOURNAL_FORMAT = Format(frozenset({"events", "headlines", "texts"}), newest_version=VERSION)
SCHEMA = Path(__file__).with_suffix(".sql")
"""The tables of the journal as SQLite has them at its newest revision, written by `make schema`."""

_FILE_URL = re.compile(r"sqlite(?:\+\w+)?:///([^?]+)(?:\?.*)?", re.DOTALL)


def journal_file(journal_url: str) -> Path | None:
    """Return the file that a journal is in; None where it is on a server.

    Raises:
        JournalError: The URL is of no database that a journal can be in.
    """
    named = _FILE_URL.fullmatch(journal_url)
    if named is not None and named[1] != ":memory:":
        return Path(unquote(named[1]))
    from adapters.journal.address import journal_address

    journal_address(journal_url)  # refuses all but a server's
    return None


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
    except sqlite3.Error as error:
        raise JournalError(f"the journal cannot be made: {file}: {error}") from error


def _make(file: Path) -> None:
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    try:
        with closing(sqlite3.connect(draft)) as connection:
            # in one transaction: each statement by itself would be synced
            connection.executescript(
                f"BEGIN; {SCHEMA.read_text()} PRAGMA user_version={VERSION}; COMMIT;"
            )
        os.link(draft, file)  # the first of two processes wins, and nobody sees half
    except FileExistsError:
        pass
    finally:
        draft.unlink(missing_ok=True)
