"""The learnings of repositories: each is a stream of the journal, followed from where it was left."""

from collections import OrderedDict
from collections.abc import Collection

from sqlalchemy import func, select

from adapters.journal.engines import Engines
from adapters.journal.rows import event_of
from adapters.journal.tables import EVENTS, HEADLINES
from domain.core.ids import StreamId
from domain.learnings.book import LearningBook
from domain.learnings.identity import STREAMS, learnings_stream

MAX_BOOKS = 50
"""Repositories whose learnings are kept in memory; of others they are read again."""

_MANY = 500
"""Streams of one query; a database takes only so many parameters."""

_STREAM = EVENTS.c.stream
_OF_ALL = (
    select(_STREAM)
    .where(_STREAM >= STREAMS, f"{STREAMS[:-1]}." > _STREAM)  # "." follows "-" in ASCII
    .group_by(_STREAM)
    .order_by(func.min(EVENTS.c.position))
)


class Learnings:
    """The learnings, by the connections of an open journal."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self._books: OrderedDict[str, tuple[int, LearningBook]] = OrderedDict()

    async def of(self, repository: str) -> LearningBook:
        """Return the learnings of a repository, as it is called by `repository_of`; it may have none."""
        return (await self.read(repository))[0]

    async def read(self, repository: str) -> tuple[LearningBook, int]:
        """Return the learnings of a repository, and the position of the newest event that tells of them."""
        return await self._book(learnings_stream(repository), repository)

    async def every(self) -> list[LearningBook]:
        """Return the learnings of all repositories that have some."""
        streams = await self._engines.lookups.run(lambda at: at.scalars(_OF_ALL).all())
        books = [(await self._book(StreamId(name), ""))[0] for name in streams]
        return [book for book in books if book.repository]

    async def statuses(self, threads: Collection[str]) -> dict[str, str]:
        """Return where those of some threads stand that were not removed."""
        names, found = sorted(threads), dict[str, str]()
        for first in range(0, len(names), _MANY):
            some = HEADLINES.c.stream.in_(names[first : first + _MANY])
            query = select(HEADLINES.c.stream, HEADLINES.c.status).where(some)
            rows = await self._engines.lookups.run(lambda at: at.execute(query).all())  # noqa: B023
            found |= {row.stream: row.status for row in rows}
        return found

    async def _book(self, stream: StreamId, repository: str) -> tuple[LearningBook, int]:
        after, book = self._books.get(stream, (0, LearningBook(repository)))
        query = select(EVENTS).where(EVENTS.c.stream == stream, EVENTS.c.position > after)
        query = query.order_by(EVENTS.c.position)
        rows = await self._engines.lookups.run(lambda at: at.execute(query).all())
        after, book = self._books.get(stream, (after, book))  # another reader may have gone on
        for row in rows:
            if row.position > after:
                book.add(event_of(row))
                after = row.position
        self._books[stream] = (after, book)
        self._books.move_to_end(stream)
        while len(self._books) > MAX_BOOKS:
            self._books.popitem(last=False)
        return book, after
