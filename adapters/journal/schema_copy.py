"""The copy of a SQLite journal that is made before its schema is upgraded in place."""

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from sqlalchemy import Connection, func, select

from adapters.journal.tables import EVENTS
from adapters.sqlite_files import reading
from domain.core.errors import JournalError


def copy_before(revision: str, connection: Connection, file: Path | None) -> Path | None:
    """Copy a journal's file with events in it; the connection holds its writers off.

    A copy that is there already stays: it is from before an upgrade to the same revision.

    Raises:
        JournalError: There is no room for it; the journal is as it was.
    """
    if file is None or not connection.scalar(select(func.max(EVENTS.c.position))):
        return None
    copy = copy_of(file, revision)
    if copy.exists():
        return copy
    draft = copy.with_name(f".{copy.name}")
    try:
        draft.unlink(missing_ok=True)
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        with reading(file) as source, closing(sqlite3.connect(draft)) as target:
            source.backup(target)
        draft.replace(copy)
    except (sqlite3.Error, OSError) as error:
        with suppress(OSError):
            draft.unlink()
        raise JournalError(
            f"the journal {file} is not upgraded, because it cannot be copied first: {error}. "
            f"Make room for {copy} and start again"
        ) from error
    return copy


def copy_of(file: Path, revision: str) -> Path:
    """Return where the copy of a journal from before an upgrade to a revision is."""
    return file.with_name(f"{file.stem}-before-{revision}{file.suffix}")
