"""Threads rebuilt from the journal, so that showing one again costs only what is new."""

import asyncio
from collections import OrderedDict

from domain.errors import NotFoundError
from domain.events import JournaledEvent
from domain.folding import ThreadFold
from domain.ids import StreamId, TaskId, ThreadId
from domain.ports import Journal
from domain.views import TaskView, ThreadView

KEPT = 64
CHUNK = 500


class Folds:
    """The newest state of threads; the last used ones stay in memory."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._folds: OrderedDict[ThreadId, tuple[asyncio.Lock, ThreadFold]] = OrderedDict()

    async def fold(self, thread: ThreadId) -> ThreadFold:
        """Return a thread with every event folded that is in the journal now.

        Raises:
            NotFoundError: The journal has no event of it.
        """
        lock, fold = self._folds.pop(thread, None) or (asyncio.Lock(), ThreadFold(thread))
        self._folds[thread] = lock, fold
        if len(self._folds) > KEPT:
            self._folds.popitem(last=False)
        async with lock:
            while batch := await self._next(fold):
                for journaled in batch:
                    fold.add(journaled)
        if not fold.position:
            self._folds.pop(thread, None)
            raise NotFoundError(f"there is no thread {thread!r}")
        return fold

    def forget(self, thread: ThreadId) -> None:
        """Drop a thread that was deleted."""
        self._folds.pop(thread, None)

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

    async def _next(self, fold: ThreadFold) -> list[JournaledEvent]:
        stream = StreamId(fold.thread.thread_id)
        return await self._journal.read(stream, after=fold.position, limit=CHUNK, below=True)
