"""Word that lists have changed: which, and the threads' lines that did; held back to a few a second."""

import asyncio
import json
from collections.abc import AsyncIterator

from adapters.journal import SqlJournal
from api.threads.lines import ThreadLine, lines_of
from domain.queue.inputs import QUEUE
from domain.reading.inbox.idle import IDLE

LISTS = frozenset({"inbox", "threads", "queue"})
NOTICE_SECONDS = 0.25
SETTLE_SECONDS = 1.0
"""How often it is looked whether a line has followed: it may come after the event that it is of."""

WATCHED_SECONDS = 10.0
OVERLAP = 2_000
"""Positions before a cursor in which notices may have been held back when a connection broke."""


def message(name: str, position: int, fields: dict[str, object]) -> bytes:
    """Return a message of a stream that is no event of the journal."""
    text = json.dumps({"position": position, **fields}, ensure_ascii=False)
    return f"event: {name}\nid: {position}\ndata: {text}\n\n".encode()


class Notices:
    """What one reader is told of lists; those around its cursor again, which changes nothing twice."""

    def __init__(self, journal: SqlJournal, lists: frozenset[str], after: int) -> None:
        self._journal = journal
        self._lists = lists
        self._sent = max(0, after - OVERLAP)
        self._now = asyncio.get_running_loop().time
        self._sent_at = 0.0
        self._watched: dict[str, float] = {}
        self._lines: dict[str, ThreadLine] = {}

    def begin_at(self, position: int) -> None:
        """Tell from another position on: the journal is another one."""
        self._sent = position

    def patience(self, newest: int) -> float | None:
        """Return how long the next notice may wait, None where there is none."""
        if not self._lists:
            return None
        if newest > self._sent:
            return NOTICE_SECONDS
        return SETTLE_SECONDS if self._watched else None

    async def due(self, newest: int) -> AsyncIterator[bytes]:
        """Yield what is to be told now."""
        patience, now = self.patience(newest), self._now()
        if patience is None or now - self._sent_at < patience:
            return
        changed = await self._journal.changed_tops(self._sent, newest, IDLE)
        self._sent, self._sent_at = newest, now
        lines = await self._new_lines({top for top in changed if top.startswith("thread-")})
        if "threads" in self._lists and lines:
            shown = [line.model_dump(mode="json") for line in lines]
            yield message("threads", newest, {"lines": shown})
        if "queue" in self._lists and QUEUE in changed:
            yield message("queue", newest, {})
        is_asked = any(top.startswith(("thread-", "flow-", QUEUE)) for top in changed)
        if "inbox" in self._lists and (is_asked or lines):
            yield message("inbox", newest, {})

    async def _new_lines(self, changed: set[str]) -> list[ThreadLine]:
        """Return the lines that are others than they were told, of what changed now or lately."""
        now = self._now()
        self._watched |= dict.fromkeys(changed, now + WATCHED_SECONDS)
        if not self._watched:
            return []
        found = lines_of(await self._journal.lines_of(self._watched))
        new = [line for line in found if self._lines.get(line.stream) != line]
        self._watched = {top: until for top, until in self._watched.items() if until > now}
        self._lines = {line.stream: line for line in found if line.stream in self._watched}
        return new
