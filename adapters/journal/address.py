"""A journal's URL as SQLAlchemy reads it."""

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from domain.core.errors import JournalError

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
