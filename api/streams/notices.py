"""Notices that lists have changed, with the changed threads; at most a few a second."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable

from adapters.journal import SqlJournal
from api.threads.lines import ThreadLine, lines_of
from domain.money.inputs import MONEY
from domain.queue.inputs import QUEUE
from domain.reading.inbox.idle import IDLE

BOARD = "board"
"""With it, what agents say changes a thread's row as well: its last line is shown."""

LISTS = frozenset({"inbox", "threads", "queue", BOARD})
NOTICE_SECONDS = 0.25
SETTLE_SECONDS = 1.0
"""How often changed threads are read again: a list may lag behind its events."""

WATCHED_SECONDS = 10.0
KNOWN_SECONDS = 600.0
"""How long it is looked whether a changed thread is still there: the end of its deletion is no event."""

LOOK_SECONDS = 30.0
"""How often."""

OVERLAP = 2_000
"""Positions before a cursor whose notices may not have been sent when a connection broke."""


def message(name: str, position: int, fields: dict[str, object]) -> bytes:
    """Return a message of a stream that is not an event of the journal."""
    text = json.dumps({"position": position, **fields}, ensure_ascii=False)
    return f"event: {name}\nid: {position}\ndata: {text}\n\n".encode()


class Notices:
    """The notices for one reader; those around its cursor may be repeated, which is harmless."""

    def __init__(
        self,
        journal: SqlJournal,
        lists: frozenset[str],
        after: int,
        sees: Callable[[str], bool] = lambda _project: True,
    ) -> None:
        self._sees = sees
        self._journal = journal
        self._lists = lists
        self._sent = max(0, after - OVERLAP)
        self._heard, self._heard_at = self._sent, 0.0
        self._now = asyncio.get_running_loop().time
        self._sent_at = 0.0
        self._settled_at = self._looked_at = 0.0
        self._known: dict[str, float] = {}
        self._watched: dict[str, float] = {}
        self._lines: dict[str, ThreadLine] = {}

    def begin_at(self, position: int) -> None:
        """Start at another position, because the journal was replaced."""
        self._sent = self._heard = position

    def patience(self, newest: int) -> float | None:
        """Return how long the next notice may wait; None if there is none."""
        if not self._lists:
            return None
        if newest > self._sent:
            return NOTICE_SECONDS
        is_unheard = BOARD in self._lists and newest > self._heard
        if self._watched or is_unheard:
            return SETTLE_SECONDS
        return LOOK_SECONDS if self._known else None

    async def due(self, newest: int) -> AsyncIterator[bytes]:
        """Yield the notices that are due."""
        patience, now = self.patience(newest), self._now()
        if patience is None or now - self._sent_at < patience:
            return
        changed = await self._journal.changed_tops(self._sent, newest, IDLE)
        self._sent, self._sent_at = newest, now
        spoken, before = changed | await self._spoken(newest), self._lines
        lines, gone = await self._new_lines({top for top in spoken if top.startswith("thread-")})
        if "threads" in self._lists and (lines or gone):
            shown = [line.model_dump(mode="json") for line in lines]
            yield message("threads", newest, {"lines": shown, "gone": gone})
        if "queue" in self._lists and QUEUE in changed:
            yield message("queue", newest, {})
        is_asked = any(
            top.startswith(("thread-", "flow-", "tracker-", QUEUE, MONEY)) for top in changed
        )
        is_news = any(_differs(line, before.get(line.stream)) for line in lines)
        if "inbox" in self._lists and (is_asked or is_news or gone):
            yield message("inbox", newest, {})

    async def _spoken(self, newest: int) -> set[str]:
        """Return the threads in which anything was said since the last look, for a board; once a second."""
        now = self._now()
        if BOARD not in self._lists or now - self._heard_at < SETTLE_SECONDS:
            return set()
        said = await self._journal.changed_tops(self._heard, newest, ())
        self._heard, self._heard_at = newest, now
        return said

    async def _new_lines(self, changed: set[str]) -> tuple[list[ThreadLine], list[str]]:
        """Return the rows of changed threads that differ from the last notice, and those that were deleted.

        All that are watched are read again from time to time, between that only what changed; seldom all that changed
        within some minutes, as they may be gone.
        """
        now = self._now()
        self._watched |= dict.fromkeys(changed, now + WATCHED_SECONDS)
        self._known |= dict.fromkeys(changed, now + KNOWN_SECONDS)
        is_settling = now - self._settled_at >= SETTLE_SECONDS
        wanted = {*self._watched} if is_settling else changed
        if now - self._looked_at >= LOOK_SECONDS:
            self._looked_at, wanted = now, wanted | self._known.keys()
            self._known = {top: until for top, until in self._known.items() if until > now}
        if not wanted:
            return [], []
        every = lines_of(await self._journal.lines_of(wanted))
        found: dict[str, ThreadLine] = {
            line.stream: line for line in every if self._sees(line.project)
        }
        new = [line for top, line in found.items() if self._lines.get(top) != line]
        gone = sorted(wanted & (self._lines.keys() - found.keys()))
        if is_settling:
            self._settled_at = now
            self._watched = {top: until for top, until in self._watched.items() if until > now}
        self._known = {top: until for top, until in self._known.items() if top not in gone}
        kept = self._lines | found
        self._lines = {top: row for top, row in kept.items() if top in self._known}
        return new, gone


def _differs(line: ThreadLine, before: ThreadLine | None) -> bool:
    """Tell whether a row says more than before, other than what an agent says."""
    return before is None or line != before.model_copy(update={"last_line": line.last_line})
