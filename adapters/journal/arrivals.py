"""Which streams grew lately: read once for all followers, so that each reads the journal for its own events only."""

import asyncio
from collections import deque
from collections.abc import Sequence

from sqlalchemy import Connection, bindparam, select

from adapters.journal.floor import whole_upto
from adapters.journal.lookups import Lookups
from adapters.journal.pages import Wanted
from adapters.journal.tables import EVENTS

MAX_KNOWN = 5_000
"""Arrivals that are remembered; a follower that is further behind reads the journal."""

_PLACE = EVENTS.c.position
_AFTER = (
    select(_PLACE, EVENTS.c.stream)
    .where(bindparam("known") < _PLACE, bindparam("whole") >= _PLACE)
    .order_by(_PLACE)
    .limit(MAX_KNOWN + 1)
)


class Arrivals:
    """The newest position, and the streams of the newest events."""

    def __init__(self, lookups: Lookups) -> None:
        self._lookups = lookups
        self._lock = asyncio.Lock()
        self._asked = self._served = 0
        self._newest = self._known_after = -1
        self._known: deque[tuple[int, str]] = deque()

    async def newest(self) -> int:
        """Return the newest position as it is now, 0 for an empty journal; who asks together reads once.

        Raises:
            JournalError: It could not be read.
        """
        self._asked += 1
        mine = self._asked
        async with self._lock:
            if self._served < mine:  # nobody began to read since
                everyone = self._asked
                await self._read()
                self._served = everyone
        return self._newest

    def may_have(self, wanted: Wanted, after: int, upto: int) -> bool:
        """Tell whether some of the events after a position and up to another may be wanted."""
        if wanted.streams is None or after < self._known_after or upto > self._newest:
            return True
        for position, stream in reversed(self._known):
            if position <= after:
                return False
            if position <= upto and wanted.has(stream):
                return True
        return False

    async def _read(self) -> None:
        known = self._newest
        if known < 0:
            self._newest = self._known_after = await self._lookups.run(whole_upto)
            return

        def read(at: Connection) -> Sequence[tuple[int, str]]:
            whole = whole_upto(at)
            after = {"known": known, "whole": whole}
            rows = at.execute(_AFTER, after) if whole > known else ()
            return [(row.position, row.stream) for row in rows]

        found = await self._lookups.run(read)
        if len(found) > MAX_KNOWN:
            newest = await self._lookups.run(whole_upto)
            self._newest = self._known_after = newest
            self._known.clear()
            return
        self._known.extend(found)
        if found:
            self._newest = found[-1][0]
        while len(self._known) > MAX_KNOWN:
            self._known_after = self._known.popleft()[0]
