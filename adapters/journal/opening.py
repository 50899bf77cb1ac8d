"""Opening and closing a journal, or its fingerprints of keys alone."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial

from adapters.journal.engines import POOL, Pool, open_engines
from adapters.journal.journal import SqlJournal
from adapters.journal.known_keys import KnownKeys
from adapters.journal.schema import prepare_schema


@asynccontextmanager
async def open_journal(url: str, pool: Pool = POOL) -> AsyncGenerator[SqlJournal]:
    """Open the journal at a SQLAlchemy URL, made at first use; close it at the end.

    The pool is how many connections there may be to a server; a file has its own.

    Raises:
        JournalError: The database cannot be reached, or the URL is of none that is known.
    """
    engines = open_engines(url, pool)
    journal = SqlJournal(engines)
    try:
        await journal.prepare()
        yield journal
    finally:
        await journal.close()


@asynccontextmanager
async def open_known_keys(journal_url: str) -> AsyncGenerator[KnownKeys]:
    """Open the fingerprints in the journal at a SQLAlchemy URL; close them at the end.

    Raises:
        JournalError: The database cannot be reached.
    """
    engines = open_engines(journal_url)
    try:
        await engines.write.run(partial(prepare_schema, file=engines.file))
        yield KnownKeys(engines)
    finally:
        await engines.dispose()
