"""Opening and closing a journal."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from adapters.journal.engines import open_engines
from adapters.journal.journal import SqlJournal


@asynccontextmanager
async def open_journal(url: str) -> AsyncGenerator[SqlJournal]:
    """Open the journal at a SQLAlchemy URL, made at first use; close it at the end.

    Raises:
        JournalError: The database cannot be reached, or the URL is of none that is known.
    """
    engines = open_engines(url)
    journal = SqlJournal(engines)
    try:
        await journal.prepare()
        yield journal
    finally:
        await journal.close()
