"""Threads and runs of flows rebuilt from the journal, so that showing one again costs only what is new."""

import asyncio
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

from domain.errors import NotFoundError
from domain.events import JournaledEvent
from domain.flows.run_views import FlowRunFold, FlowRunView
from domain.folding import ThreadFold
from domain.ids import StreamId, TaskId, ThreadId
from domain.ports import Journal
from domain.queue.inputs import QUEUE
from domain.queue.state import QueueState
from domain.queue.views import QueueFold, QueueView
from domain.views import TaskView, ThreadView

KEPT = 64
CHUNK = 500


class Foldable(Protocol):
    """Something that is rebuilt from the events of a stream and of those below it."""

    position: int

    def add(self, journaled: JournaledEvent) -> None:
        """Fold the next event."""
        ...


F = TypeVar("F", bound=Foldable)


class Cached(Generic[F]):
    """The newest state of what has a stream; the last used ones stay in memory."""

    def __init__(self, journal: Journal, make: Callable[[str], F], kind: str) -> None:
        self._journal = journal
        self._make = make
        self._kind = kind
        self._folds: OrderedDict[str, tuple[asyncio.Lock, F]] = OrderedDict()

    async def fold(self, name: str) -> F:
        """Return one with every event folded that is in the journal now.

        Raises:
            NotFoundError: The journal has no event of it.
        """
        lock, fold = self._folds.pop(name, None) or (asyncio.Lock(), self._make(name))
        self._folds[name] = lock, fold
        if len(self._folds) > KEPT:
            self._folds.popitem(last=False)
        async with lock:
            while batch := await self._next(name, fold):
                for journaled in batch:
                    fold.add(journaled)
        if not fold.position:
            self._folds.pop(name, None)
            raise NotFoundError(
                f"there is no {self._kind} {name!r}; one that waits its turn is in `treadle queue`"
            )
        return fold

    def forget(self, name: str) -> None:
        """Drop one that was deleted."""
        self._folds.pop(name, None)

    async def _next(self, name: str, fold: F) -> list[JournaledEvent]:
        return await self._journal.read(
            StreamId(name), after=fold.position, limit=CHUNK, below=True
        )


class FlowFolds(Cached[FlowRunFold]):
    """Runs of flows."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal, FlowRunFold, "flow run")

    async def view(self, run_id: str) -> FlowRunView:
        """Return what is shown of a run.

        Raises:
            NotFoundError: There is none, or it has not begun.
        """
        found = (await self.fold(run_id)).view()
        if found is None:
            raise NotFoundError(f"the run {run_id!r} has not begun yet")
        return found


class QueueFolds(Cached[QueueFold]):
    """The one queue."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal, lambda _: QueueFold(), "queue")

    async def view(self) -> QueueView:
        """Return what is shown of the queue; an empty one where none was ever used."""
        return (await self._newest()).view()

    async def state(self) -> QueueState:
        """Return the queue as its own workflow knows it."""
        return (await self._newest()).state

    async def _newest(self) -> QueueFold:
        try:
            return await self.fold(QUEUE)
        except NotFoundError:
            return QueueFold()


class Folds(Cached[ThreadFold]):
    """Threads."""

    def __init__(self, journal: Journal) -> None:
        super().__init__(journal, lambda name: ThreadFold(ThreadId(name)), "thread")

    async def view(self, thread: ThreadId) -> ThreadView:
        """Return what is shown of a thread.

        Raises:
            NotFoundError: There is none, or it is not open yet.
        """
        found = (await self.fold(thread)).view()
        if found is None:
            raise NotFoundError(f"thread {thread!r} is not open yet")
        return found

    async def task(self, thread: ThreadId, task: TaskId) -> TaskView:
        """Return what is shown of a task.

        Raises:
            NotFoundError: The thread has no such task.
        """
        fold = await self.fold(thread)
        entry = fold.thread.tasks.get(task)
        if entry is None:
            known = ", ".join(fold.thread.tasks) or "none yet"
            raise NotFoundError(f"thread {thread!r} has no task {task!r}; it has: {known}")
        return fold.task(entry)
