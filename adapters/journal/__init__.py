"""The journal in SQLite or PostgreSQL: `open_journal` is the way in."""

from adapters.journal.journal import SqlJournal, open_journal
from adapters.journal.pages import RawEvent, Wanted
from adapters.journal.place import JOURNAL_FORMAT, journal_file, prepare_file

__all__ = [
    "JOURNAL_FORMAT",
    "RawEvent",
    "SqlJournal",
    "Wanted",
    "journal_file",
    "open_journal",
    "prepare_file",
]
