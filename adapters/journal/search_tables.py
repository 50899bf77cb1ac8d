"""The tables that searches read: passages of the journal, and their words as each database finds them.

SQLite has the words in an FTS5 table, PostgreSQL in a tsvector. Both get the same words, already
compared (`domain.core.words`), so both find the same.
"""

from collections.abc import Sequence

from sqlalchemy import (
    Column,
    Connection,
    Index,
    Table,
    Text,
    TextClause,
    text,
)

from adapters.journal.tables import METADATA, NAME, POSITION
from domain.core.words import Term, folded_words

PASSAGES = Table(
    "passages",
    METADATA,
    Column("position", POSITION, primary_key=True, autoincrement=False),
    Column("upto", POSITION, nullable=False),
    Column("stream", NAME, nullable=False),
    Column("top", NAME, nullable=False),
    Column("speaker", Text, nullable=False),
    Column("by", Text, nullable=False),
    Column("joined", Text, nullable=False),
    Column("text", Text, nullable=False),
    Index("passages_of_stream", "stream", "upto"),
)
"""One text of a stream, from the position of its first event up to that of its newest; `top` is its thread."""

UNINDEXED = Table(
    "unindexed",
    METADATA,
    Column("after", POSITION, primary_key=True, autoincrement=False),
    Column("upto", POSITION, nullable=False),
)
"""Which events of a journal that is older than its search are not in it yet; no row is none."""

WORDS = {
    "sqlite": (
        "CREATE VIRTUAL TABLE IF NOT EXISTS passage_words USING "
        "fts5(words, tokenize = 'unicode61 remove_diacritics 0')",
    ),
    "postgresql": (
        "CREATE TABLE IF NOT EXISTS passage_words (position bigint PRIMARY KEY, words tsvector)",
        "CREATE INDEX IF NOT EXISTS words_found ON passage_words USING gin (words)",
    ),
}
_ADD = {
    "sqlite": text("INSERT INTO passage_words (rowid, words) VALUES (:position, :words)"),
    "postgresql": text(
        "INSERT INTO passage_words (position, words) VALUES (:position, CAST(:words AS tsvector))"
    ),
}
_REMOVE = {
    "sqlite": text("DELETE FROM passage_words WHERE rowid = :position"),
    "postgresql": text("DELETE FROM passage_words WHERE position = :position"),
}


def make_word_tables(connection: Connection) -> None:
    """Make the table of words, which is of another kind on each database."""
    for statement in WORDS[connection.dialect.name]:
        connection.execute(text(statement))


def add_words(connection: Connection, passages: Sequence[tuple[int, str]]) -> None:
    """Let passages be found by their words; each has its position and its text."""
    dialect = connection.dialect.name
    stored = " ".join if dialect == "sqlite" else _vector
    rows = [{"position": at, "words": stored(folded_words(passage))} for at, passage in passages]
    connection.execute(_ADD[dialect], rows)


def remove_words(connection: Connection, positions: Sequence[int]) -> None:
    """Let passages be found no more."""
    if positions:
        one = _REMOVE[connection.dialect.name]
        connection.execute(one, [{"position": position} for position in positions])


def having(dialect: str, terms: Sequence[Term]) -> TextClause:
    """Return the select of the positions of all passages that hold all terms."""
    if dialect == "sqlite":
        found = text("SELECT rowid AS position FROM passage_words WHERE passage_words MATCH :terms")
        return found.bindparams(terms=" AND ".join(map(_match, terms)))
    found = text("SELECT position FROM passage_words WHERE words @@ CAST(:terms AS tsquery)")
    return found.bindparams(terms=" & ".join(map(_ts, terms)))


def _match(term: Term) -> str:
    return f'"{" ".join(term.words)}"{"" if term.is_exact else " *"}'


def _ts(term: Term) -> str:
    words = " <-> ".join(f"'{word}'" for word in term.words)
    return f"({words}{'' if term.is_exact else ':*'})"


def _vector(words: Sequence[str]) -> str:
    places: dict[str, list[str]] = {}
    for place, word in enumerate(words, 1):
        places.setdefault(word, []).append(str(place))
    return " ".join(f"'{word}':{','.join(at)}" for word, at in places.items())
