"""Full-text search of an open journal, by its own connections."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Row, Select, func, select
from sqlalchemy.exc import SQLAlchemyError

from adapters.journal.engines import Engines
from adapters.journal.faults import journal_error
from adapters.journal.indexing import index_older
from adapters.journal.lists import is_of_project
from adapters.journal.search_tables import PASSAGES, UNINDEXED, having
from adapters.journal.tables import EVENTS, HEADLINES
from domain.core.words import Term
from domain.reading.search.finds import Find, SearchQuery, excerpt_of


class Finds(NamedTuple):
    """A page of what was found; `unindexed` is how many older events are not looked into yet."""

    finds: list[Find]
    unindexed: int


class Searches:
    """What is found in the passages of a journal."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    async def find(self, query: SearchQuery) -> Finds:
        """Return the newest passages of threads and flow runs that hold all terms."""
        try:
            async with self._engines.read.connect() as connection:
                rows = (await connection.execute(_found(query, connection.dialect.name))).all()
                left = await connection.scalar(
                    select(func.sum(UNINDEXED.c.upto - UNINDEXED.c.after))
                )
        except (SQLAlchemyError, OSError) as error:
            raise journal_error("read", error, self._engines.file) from error
        return Finds([_find(row, query.terms) for row in rows], int(left or 0))

    async def index_older(self) -> bool:
        """Index a few events of a journal that is older than its search; tells whether some are left.

        May be broken off at any time, and done by several processes.
        """
        return await self._engines.write.run(index_older)


def _found(query: SearchQuery, dialect: str) -> Select[Any]:
    place = PASSAGES.c.position
    holding = having(dialect, query.terms).columns(place).subquery()
    facts = (HEADLINES.c.title, HEADLINES.c.project, HEADLINES.c.is_archived, EVENTS.c.at)
    found = (
        select(PASSAGES, *facts)
        .join(holding, holding.c.position == place)
        .join(HEADLINES, HEADLINES.c.stream == PASSAGES.c.top)
        .join(EVENTS, EVENTS.c.position == place)
        .where(place < query.before, HEADLINES.c.kind.in_(("thread", "flow")))
    )
    if query.top is not None:
        found = found.where(PASSAGES.c.top == query.top)
    if query.projects is not None:
        found = found.where(HEADLINES.c.project.in_(query.projects))
    if query.project is not None:
        found = found.where(is_of_project(query.project))
    return found.order_by(place.desc()).limit(query.limit)


def _find(row: Row[Any], terms: Sequence[Term]) -> Find:
    names = ("position", "stream", "top", "title", "project", "is_archived", "at", "speaker", "by")
    shown = {name: getattr(row, name) for name in names}
    return Find(**shown, excerpt=excerpt_of(row.text, terms))
