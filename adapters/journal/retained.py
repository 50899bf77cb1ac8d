"""What retention asks the journal: which threads there are, and which are pinned."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Row, select
from sqlalchemy.exc import SQLAlchemyError

from adapters.journal.engines import Engines
from adapters.journal.faults import journal_error
from adapters.journal.headlines import read_headlines
from adapters.journal.rows import event_of
from adapters.journal.tables import EVENTS
from domain.core.event import Headline
from domain.core.status_words import ENDED
from domain.retention.policy import PrunePolicy, PruneSelection, select_threads
from domain.threads.children.events import ChildOpened

_PINS = ("thread_pinned", "thread_unpinned")
_MANY = 500
"""Streams of one query; a database takes only so many parameters."""


class Retained:
    """Threads that ended, by the journal's own connections."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines

    async def selection(self, policy: PrunePolicy, now: datetime) -> PruneSelection:
        """Return what a prune would remove now."""
        threads = await self._threads()
        pinned = await self.pinned([line.stream for line in threads if line.status in ENDED])
        parents = await self._parents([line.stream for line in threads])
        return select_threads(threads, pinned, policy, now, parents)

    async def _threads(self) -> list[Headline]:
        try:
            async with self._engines.read.connect() as connection:
                return await read_headlines(connection, "thread", None)
        except (SQLAlchemyError, OSError) as error:
            raise journal_error("read", error, self._engines.file) from error

    async def _parents(self, streams: Sequence[str]) -> dict[str, str]:
        """Return the parent of each child of some threads."""
        rows = await self._rows(streams, ("child_opened",))
        bodies = [(row.stream, event_of(row).body) for row in rows]
        return {body.thread_id: above for above, body in bodies if isinstance(body, ChildOpened)}

    async def pinned(self, streams: Collection[str]) -> set[str]:
        """Return those of some threads that are pinned."""
        latest = {row.stream: row.kind for row in await self._rows(sorted(streams), _PINS)}
        return {name for name, kind in latest.items() if kind == _PINS[0]}

    async def _rows(self, streams: Sequence[str], kinds: Sequence[str]) -> list[Row[Any]]:
        """Return the events of some kinds in some streams, each stream's in order."""
        found = list[Row[Any]]()
        for first in range(0, len(streams), _MANY):
            some = streams[first : first + _MANY]
            wanted = EVENTS.c.stream.in_(some) & EVENTS.c.kind.in_(kinds)
            query = select(EVENTS).where(wanted).order_by(EVENTS.c.position)
            try:
                async with self._engines.read.connect() as connection:
                    found += (await connection.execute(query)).all()
            except (SQLAlchemyError, OSError) as error:
                raise journal_error("read", error, self._engines.file) from error
        return found
