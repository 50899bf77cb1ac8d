"""The journal in SQLite or PostgreSQL: `open_journal` is the way in."""

from adapters.journal.journal import SqlJournal, open_journal

__all__ = ["SqlJournal", "open_journal"]
