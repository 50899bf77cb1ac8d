"""Threads and flow runs rebuilt from the journal; showing one again reads only what is new."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from adapters.journal import SqlJournal
from domain.core.closest import known_names
from domain.core.damage_events import EventDamaged, EventRebuilt
from domain.core.errors import NotFoundError
from domain.core.ids import StreamId, TaskId, ThreadId, tracker_id
from domain.money.inputs import MONEY
from domain.queue.inputs import QUEUE
from domain.queue.state import QueueState
from domain.reading.damage import Foldable, damaged_error, fold_in, telling
from domain.reading.flow_runs import FlowRunFold, FlowRunView
from domain.reading.inbox.idle import CHATTER
from domain.reading.money import MoneyFold
from domain.reading.projection import ThreadFold
from domain.reading.queue import QueueFold, QueueView
from domain.reading.timeline.projection import TimelineFold
from domain.reading.timeline.timeline import Timeline
from domain.reading.trackers import TrackerFold
from domain.reading.views import TaskView, ThreadView
from domain.trackers.state import TrackerState

KEPT = 256


F = TypeVar("F", bound=Foldable)


@dataclass
class _Entry(Generic[F]):
    """A state, and the position up to which it is complete."""

    fold: F
    upto: int = 0
    damaged: list[EventDamaged] = field(default_factory=list[EventDamaged])
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Cached(Generic[F]):
    """The newest state of each stream; the most recently used ones stay in memory.

    Output of agents and programs is part of no state and is not read.
    """

    def __init__(self, journal: SqlJournal, make: Callable[[str], F], kind: str) -> None:
        self._journal = journal
        self._make = make
        self._kind = kind
        self._folds: OrderedDict[str, _Entry[F]] = OrderedDict()

    async def fold(self, name: str) -> F:
        """Return one with all events that are in the journal now.

        Raises:
            NotFoundError: The journal has no event of it.
        """
        return (await self.known(name))[0]

    async def may_be_damaged(self, name: str) -> bool:
        """Tell whether a fold would meet a damaged event; where none is kept, without making one."""
        return name in self._folds or await self._journal.has_damage(StreamId(name), CHATTER)

    async def known(self, name: str) -> tuple[F, int]:
        """Return one as `fold` does, and the position up to which it is true."""
        kept = self._folds.pop(name, None) or _Entry(self._make(name))
        self._folds[name] = kept
        if len(self._folds) > KEPT:
            self._folds.popitem(last=False)
        async with kept.lock:
            upto = await self._journal.position()
            before = kept.upto
            if await self._go_on(name, kept, upto):
                kept.fold, kept.upto, kept.damaged = self._make(name), 0, []
                await self._go_on(name, kept, upto)
            if before and upto > before and not await self._journal.read(StreamId(name), limit=1):
                kept.fold = self._make(name)  # it was removed meanwhile, perhaps by a prune
        if not kept.fold.position:
            self._folds.pop(name, None)
            raise NotFoundError(
                f"{self._kind} {name!r} not found; queued ones are in `treadle queue`"
            )
        return kept.fold, kept.upto

    async def folded(self, names: Sequence[str], upto: int) -> dict[str, F]:
        """Return several as they were at a position, read together and not kept; those without events are left out."""
        found = await self._journal.quiet_of(names, upto, CHATTER)
        folds: dict[str, F] = {}
        for name, events in found.items():
            fold, damaged = self._make(name), list[EventDamaged]()
            for journaled in events:
                fold_in(fold, journaled, damaged)
            if fold.position:
                folds[name] = fold
        return folds

    async def _go_on(self, name: str, kept: _Entry[F], upto: int) -> bool:
        """Fold new events; return whether an event that was folded before has been replaced."""
        known, is_stale = kept.upto, False
        events = self._journal.quiet(StreamId(name), after=known, upto=upto, but=CHATTER)
        async for batch in events:
            for journaled in batch:
                body = journaled.event.body
                is_stale = is_stale or (isinstance(body, EventRebuilt) and body.position <= known)
                fold_in(kept.fold, journaled, kept.damaged)
        kept.upto = max(known, upto)
        return is_stale

    def forget(self, name: str) -> None:
        """Drop one that was deleted."""
        self._folds.pop(name, None)


class FlowProjections(Cached[FlowRunFold]):
    """Flow runs."""

    def __init__(self, journal: SqlJournal) -> None:
        super().__init__(journal, FlowRunFold, "flow run")

    async def view(self, run_id: str) -> FlowRunView:
        """Return the view of a run.

        Raises:
            NotFoundError: There is none, or it has not started.
        """
        fold, upto = await self.known(run_id)
        found = fold.view()
        if found is None:
            raise NotFoundError(f"flow run {run_id!r} has not started yet")
        waits = await self._waits_below(found)
        return found.model_copy(update={"position": upto} | waits)

    async def _waits_below(self, view: FlowRunView) -> dict[str, str]:
        """Return the status of a run if one of its child runs is waiting for a person."""
        awaited = [child.run_id for child in view.children if child.end is None]
        for run_id in awaited if view.status == "running" else ():
            with suppress(NotFoundError):  # it has not begun yet, or was deleted
                child = await self.view(run_id)
                if child.status == "waiting":
                    return {"status": "waiting", "waiting_for": f"{run_id}: {child.waiting_for}"}
        return {}


class QueueProjections(Cached[QueueFold]):
    """The one queue."""

    def __init__(self, journal: SqlJournal) -> None:
        super().__init__(journal, lambda _: QueueFold(), "queue")

    async def view(self) -> QueueView:
        """Return the view of the queue; an empty one if it was never used."""
        return (await self._newest()).view()

    async def state(self) -> QueueState:
        """Return the queue as its own workflow knows it."""
        return (await self._newest()).state

    async def _newest(self) -> QueueFold:
        try:
            return await self.fold(QUEUE)
        except NotFoundError:
            return QueueFold()


class TrackerProjections(Cached[TrackerFold]):
    """Trackers, by their names in the settings."""

    def __init__(self, journal: SqlJournal) -> None:
        super().__init__(journal, lambda _: TrackerFold(), "tracker")

    async def state(self, name: str) -> TrackerState:
        """Return a tracker as its own workflow knows it; an empty one that was never looked at."""
        return (await self.of_stream(tracker_id(name))).state

    async def of_stream(self, stream: str) -> TrackerFold:
        """Return a tracker by its stream."""
        try:
            return await self.fold(stream)
        except NotFoundError:
            return TrackerFold()


class MoneyProjections(Cached[MoneyFold]):
    """The one stream of spending limits."""

    def __init__(self, journal: SqlJournal) -> None:
        super().__init__(journal, lambda _: MoneyFold(), "spending limits")

    async def newest(self) -> MoneyFold:
        """Return the limits as their own workflow knows them; none where none was ever near."""
        try:
            return await self.fold(MONEY)
        except NotFoundError:
            return MoneyFold()


class ThreadProjections(Cached[ThreadFold]):
    """Threads."""

    def __init__(self, journal: SqlJournal) -> None:
        super().__init__(journal, lambda name: ThreadFold(ThreadId(name)), "thread")

    async def view(self, thread: ThreadId) -> ThreadView:
        """Return the view of a thread.

        Raises:
            NotFoundError: There is none, or it is not open yet.
        """
        fold, upto = await self.known(thread)
        return view_of(fold, upto)

    async def task(self, thread: ThreadId, task: TaskId) -> TaskView:
        """Return the view of a task.

        Raises:
            NotFoundError: The thread has no such task.
        """
        return task_of(await self.fold(thread), task)


class Timelines(Cached[TimelineFold]):
    """Timelines of threads."""

    def __init__(self, journal: SqlJournal) -> None:
        super().__init__(journal, lambda name: TimelineFold(ThreadId(name)), "thread")

    async def timeline(self, thread: ThreadId) -> Timeline:
        """Return the timeline of a thread.

        Raises:
            NotFoundError: There is none.
        """
        fold, upto = await self.known(thread)
        found = fold.timeline()
        if found is None:
            raise NotFoundError(f"thread {thread!r} not found")
        return found.model_copy(update={"position": upto})


def view_of(fold: ThreadFold, position: int) -> ThreadView:
    """Return the view of a thread at a position.

    Raises:
        NotFoundError: It was not open yet.
        JournalDamagedError: The event that opened it is damaged.
    """
    thread = f"thread {fold.thread.thread_id!r}"
    with telling(fold.damaged, thread):
        found = fold.view()
    if found is None and fold.damaged:
        raise damaged_error(fold.damaged, thread)
    if found is None:
        raise NotFoundError(f"{thread} is not open yet")
    return found.model_copy(update={"position": position})


def task_of(fold: ThreadFold, task: TaskId) -> TaskView:
    """Return the view of a task.

    Raises:
        NotFoundError: The thread has no such task.
    """
    entry = fold.thread.tasks.get(task)
    if entry is None:
        known = known_names(task, fold.thread.tasks, "none yet")
        thread = fold.thread.thread_id
        raise NotFoundError(f"thread {thread!r} has no task {task!r}; tasks: {known}")
    return fold.task(entry)
