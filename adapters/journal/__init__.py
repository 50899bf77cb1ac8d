"""The journal in SQLite or PostgreSQL: `open_journal` is the way in."""

from adapters.journal.journal import SqlJournal, open_journal
from adapters.journal.place import JOURNAL_FORMAT, journal_file, prepare_file

__all__ = ["JOURNAL_FORMAT", "SqlJournal", "journal_file", "open_journal", "prepare_file"]
