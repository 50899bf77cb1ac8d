"""Threads at any position of the journal (time travel)."""

import asyncio
from bisect import bisect_right
from collections import OrderedDict
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Annotated

from fastapi import Query

from adapters.journal import SqlJournal
from adapters.readings.projections import task_of, view_of
from api.core.dependencies import MAX_POSITION, from_app
from domain.core.errors import NotFoundError
from domain.core.ids import StreamId, TaskId, ThreadId
from domain.reading.damage import fold_in
from domain.reading.inbox.idle import CHATTER
from domain.reading.projection import ThreadFold
from domain.reading.views import TaskView, ThreadView

KEPT = 4
"""How many threads are kept in memory."""

STEP = 400
"""Events between two states that are kept: at most so many are folded for a step."""

At = Annotated[
    int | None,
    Query(
        ge=1, le=MAX_POSITION, description="The state at this journal position. Default: the newest"
    ),
]


@dataclass
class _History:
    """One thread: the newest state that was needed, and some earlier ones."""

    newest: ThreadFold
    stops: list[ThreadFold] = field(default_factory=list[ThreadFold])
    upto: int = 0
    added: int = 0
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)

    def begin_anew(self) -> None:
        """Drop all states: damaged events in them may have been rebuilt."""
        self.newest = ThreadFold(self.newest.thread.thread_id)
        self.stops.clear()
        self.upto = self.added = 0


class Histories:
    """States of threads at positions, each folded from the nearest earlier state."""

    def __init__(self, journal: SqlJournal) -> None:
        self._journal = journal
        self._histories: OrderedDict[ThreadId, _History] = OrderedDict()

    async def view(self, thread: ThreadId, at: int) -> ThreadView:
        """Return the view of a thread at a position.

        Raises:
            NotFoundError: There is none, or it was not open yet.
        """
        fold, position = await self.fold(thread, at)
        return view_of(fold, position)

    async def task(self, thread: ThreadId, task: TaskId, at: int) -> TaskView:
        """Return the view of a task at a position.

        Raises:
            NotFoundError: The thread had no such task.
        """
        return task_of((await self.fold(thread, at))[0], task)

    async def fold(self, thread: ThreadId, at: int) -> tuple[ThreadFold, int]:
        """Return the read-only state of a thread at a position, and the position that it has.

        Raises:
            NotFoundError: There was none.
        """
        is_there = await self._journal.read(StreamId(thread), limit=1)
        history = self._histories.pop(thread, None) or _History(ThreadFold(thread))
        if not is_there:
            raise NotFoundError(f"thread {thread!r} not found")
        self._histories[thread] = history
        if len(self._histories) > KEPT:
            self._histories.popitem(last=False)
        async with history.lock:
            if history.newest.damaged:
                history.begin_anew()
            if at > history.upto:
                await self._go_on(history, min(at, await self._journal.position()))
        at = min(at, history.upto)
        if history.newest.position <= at:
            return history.newest, at
        return await self._between(history, at), at

    async def _go_on(self, history: _History, upto: int) -> None:
        """Fold further events, and keep a state every `STEP` events."""
        thread = StreamId(history.newest.thread.thread_id)
        events = self._journal.quiet(thread, after=history.upto, upto=upto, but=CHATTER)
        async for batch in events:
            for journaled in batch:
                fold_in(history.newest, journaled, history.newest.damaged[:])
                history.added += 1
                if history.added % STEP == 0:
                    history.stops.append(deepcopy(history.newest))
        history.upto = max(history.upto, upto)

    async def _between(self, history: _History, at: int) -> ThreadFold:
        """Return the state at a position, from the nearest earlier state."""
        thread = history.newest.thread.thread_id
        number = bisect_right(history.stops, at, key=lambda stop: stop.position)
        fold = deepcopy(history.stops[number - 1]) if number else ThreadFold(thread)
        events = self._journal.quiet(StreamId(thread), after=fold.position, upto=at, but=CHATTER)
        async for batch in events:
            for journaled in batch:
                fold_in(fold, journaled, fold.damaged[:])
        return fold


HistoriesDep = Annotated[Histories, from_app("histories")]
