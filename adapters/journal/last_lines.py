"""What the agents of each thread did last, followed from the journal for as long as somebody looks."""

import asyncio
from collections.abc import Iterable

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from adapters.journal.floor import whole_upto
from adapters.journal.rows import event_of
from adapters.journal.tables import EVENTS
from domain.core.ids import thread_of
from domain.reading.last_line import last_line_of
from domain.reading.listing import ThreadHeadline

BACK = 5_000
"""Positions that the first look goes back: an agent that works has said something since then."""

MOST = 2_000
"""Threads whose lines are kept, those that said something last."""


class LastLines:
    """The newest line of each thread; each look reads only what came since the one before."""

    def __init__(self) -> None:
        self._lines: dict[str, str] = {}
        self._upto: int | None = None
        self._turn = asyncio.Lock()

    async def added_to(
        self, lines: Iterable[ThreadHeadline], connection: AsyncConnection
    ) -> list[ThreadHeadline]:
        """Return threads, those at work with what their agents did last."""
        found = [*lines]
        if not any(line.is_working for line in found):
            return found
        async with self._turn:
            await self._read(connection)
        return [
            line.model_copy(update={"last_line": self._lines.get(line.stream, "")})
            if line.is_working
            else line
            for line in found
        ]

    async def _read(self, connection: AsyncConnection) -> None:
        newest = await connection.run_sync(whole_upto)  # what is written below it is still to come
        if self._upto is None or newest < self._upto:  # the journal was replaced
            self._lines.clear()
            self._upto = max(0, newest - BACK)
        after = max(self._upto, newest - BACK)
        said = select(EVENTS).where(
            EVENTS.c.position > after,
            EVENTS.c.position <= newest,
            EVENTS.c.kind == "agent_update",
        )
        for row in await connection.execute(said.order_by(EVENTS.c.position)):
            if line := last_line_of(event_of(row).body):
                thread = thread_of(str(row.stream))
                self._lines.pop(thread, None)
                self._lines[thread] = line
        for name in [*self._lines][: max(0, len(self._lines) - MOST)]:
            del self._lines[name]
        self._upto = newest
