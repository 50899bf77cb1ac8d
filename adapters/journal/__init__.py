"""The journal in SQLite or PostgreSQL: `open_journal` is the way in."""

from adapters.journal.engines import Pool
from adapters.journal.journal import SqlJournal
from adapters.journal.known_keys import KnownKeys
from adapters.journal.moving import Moved, move_journal
from adapters.journal.opening import open_journal, open_known_keys
from adapters.journal.pages import RawEvent, Wanted
from adapters.journal.repairs import DamageReport, look_at_file
from adapters.journal.searches import Searches
from adapters.key_fingerprints import Keys

__all__ = [
    "DamageReport",
    "Keys",
    "KnownKeys",
    "Moved",
    "Pool",
    "RawEvent",
    "Searches",
    "SqlJournal",
    "Wanted",
    "look_at_file",
    "move_journal",
    "open_journal",
    "open_known_keys",
]
