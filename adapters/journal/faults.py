"""What a database said, in words for people: which file, what is wrong, what to do."""

import logging
import os
import sqlite3
from pathlib import Path

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from adapters.disk_room import no_room
from domain.core.errors import JournalError

_LOG = logging.getLogger(__name__)
EX_IOERR = 74
"""Exit code of sysexits.h for a failed disk."""

_PRIMARY = 0xFF
"""The bits of an extended result code that hold the primary one."""

_UNSYNCED = {
    sqlite3.SQLITE_IOERR_FSYNC,
    sqlite3.SQLITE_IOERR_DIR_FSYNC,
    sqlite3.SQLITE_IOERR_CLOSE,
}


def journal_error(doing: str, error: SQLAlchemyError | OSError, file: Path | None) -> JournalError:
    """Return the domain's error for what a database said while `doing`.

    Statements and their values are left out: they are what people and agents wrote.
    """
    cause = error.orig if isinstance(error, DBAPIError) else error
    place = f"{file}: " if file else ""
    code = getattr(cause, "sqlite_errorcode", None)
    words = f"{place}{cause}" if code is None else f"{place}{_words(code & _PRIMARY, cause, file)}"
    return JournalError(f"the journal cannot be {doing}: {words}")


def stop_if_unsynced(error: SQLAlchemyError | OSError, file: Path | None) -> None:
    """End this process at once where the disk failed to keep what was written.

    The kernel may have dropped those pages and report success next time, so trying again would
    acknowledge what is lost. What a new process reads from the file is what the disk has.
    """
    cause = error.orig if isinstance(error, DBAPIError) else error
    if getattr(cause, "sqlite_errorcode", None) in _UNSYNCED:
        _LOG.critical("the disk cannot keep %s: %s. This process ends.", file, cause)
        os._exit(EX_IOERR)


def _words(code: int, cause: object, file: Path | None) -> str:
    if code == sqlite3.SQLITE_FULL:
        return no_room(file) if file else str(cause)
    if code in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN}:
        return f"{cause}; its disk or folder may be mounted read-only, or is another user's"
    if code == sqlite3.SQLITE_IOERR:
        return f"{cause}; its disk fails, or a limit of file sizes is reached (ulimit -f)"
    if code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
        return f"{cause}; `treadle restore` brings a backup back"
    return str(cause)
