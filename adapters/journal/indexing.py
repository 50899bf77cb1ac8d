"""Keeps the search up: what is appended is indexed in the same transaction, what is removed goes with it."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Row, select

from adapters.journal.rows import event_of
from adapters.journal.search_tables import PASSAGES, UNINDEXED, add_words, remove_words
from adapters.journal.tables import EVENTS, within
from domain.core.ids import thread_of
from domain.reading.search.passages import MAX_PASSAGE, Passage, passage_of

BATCH = 500
"""Events of an older journal that are indexed at once; nobody writes to it meanwhile."""


class Said(NamedTuple):
    """A passage with its stream and the positions of its first and its newest event."""

    stream: str
    position: int
    upto: int
    passage: Passage


def index_passages(connection: Connection, said: Iterable[Said]) -> None:
    """Let passages be found; a piece of a text joins the one before it."""
    whole = _joined(said)
    streams: set[str] = set()
    for number, new in enumerate(whole):
        before = None if new.stream in streams else _before(connection, new)
        streams.add(new.stream)
        if before is not None and _continues(before.joined, len(before.text), new.passage):
            _remove(connection, PASSAGES.c.position == before.position)
            text = new.passage._replace(text=before.text + new.passage.text)
            whole[number] = new._replace(position=before.position, passage=text)
    if whole:
        connection.execute(PASSAGES.insert(), [*map(_row, whole)])
        add_words(connection, [(one.position, one.passage.text) for one in whole])


def index_rebuilt(connection: Connection, said: Said) -> None:
    """Index an event that was damaged, unless it was indexed when it was appended."""
    is_around = (PASSAGES.c.position <= said.position) & (PASSAGES.c.upto >= said.position)
    found = select(PASSAGES.c.position).where(PASSAGES.c.stream == said.stream, is_around)
    if connection.scalar(found) is None:
        index_passages(connection, [said])


def remove_passages(connection: Connection, stream: str) -> None:
    """Remove the passages of a stream and of all under it."""
    _remove(connection, within(PASSAGES.c.stream, stream))


def index_older(connection: Connection) -> bool:
    """Index the next events of a journal that is older than its search; False once none is left."""
    left = (connection.execute(select(UNINDEXED))).first()
    if left is None:
        return False
    place = EVENTS.c.position
    next_ones = select(EVENTS).where(place > left.after, place <= left.upto)
    rows = (connection.execute(next_ones.order_by(place).limit(BATCH))).all()
    index_passages(connection, _said_in(rows))
    connection.execute(UNINDEXED.delete())
    if rows and rows[-1].position < left.upto:
        after = {"after": rows[-1].position, "upto": left.upto}
        connection.execute(UNINDEXED.insert().values(after))
        return True
    return False


def _said_in(rows: Sequence[Row[Any]]) -> Iterator[Said]:
    for row in rows:
        if passage := passage_of(event_of(row).body):
            yield Said(row.stream, row.position, row.position, passage)


def _joined(said: Iterable[Said]) -> list[Said]:
    """Join the neighbouring pieces of each text."""
    whole: list[Said] = []
    newest: dict[str, int] = {}
    for one in said:
        before = newest.get(one.stream)
        passage = None if before is None else whole[before].passage
        if (
            before is not None
            and passage
            and _continues(passage.joined, len(passage.text), one.passage)
        ):
            text = passage._replace(text=passage.text + one.passage.text)
            whole[before] = whole[before]._replace(upto=one.upto, passage=text)
        else:
            newest[one.stream] = len(whole)
            whole.append(one)
    return whole


def _continues(joined: str, length: int, passage: Passage) -> bool:
    is_same = joined != "" and joined == passage.joined
    return is_same and length + len(passage.text) <= MAX_PASSAGE


def _before(connection: Connection, said: Said) -> Row[Any] | None:
    """Return the passage before one, where that may be a piece of the same text."""
    if not said.passage.joined:
        return None
    earlier = (PASSAGES.c.stream == said.stream) & (PASSAGES.c.upto < said.position)
    newest = select(PASSAGES).where(earlier).order_by(PASSAGES.c.upto.desc()).limit(1)
    return (connection.execute(newest)).first()


def _remove(connection: Connection, where: ColumnElement[bool]) -> None:
    positions = (connection.scalars(select(PASSAGES.c.position).where(where))).all()
    remove_words(connection, positions)
    connection.execute(PASSAGES.delete().where(where))


def _row(said: Said) -> dict[str, Any]:
    passage = said.passage
    return {
        "position": said.position,
        "upto": said.upto,
        "stream": said.stream,
        "top": thread_of(said.stream),
        "speaker": passage.speaker,
        "by": passage.by,
        # PostgreSQL takes no NUL in a text
        "joined": passage.joined,
        "text": passage.text.replace("\0", " "),
    }
