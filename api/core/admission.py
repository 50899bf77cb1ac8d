"""A limit on concurrent commands, so that bursts wait here and not in Temporal."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from api.core.rates import too_many

AT_ONCE = 8
AT_ONCE_OF_A_THREAD = 3
MAX_WAITING = 2_000
"""Commands that may wait; more are refused at once, so that memory stays bounded."""

RETRY_SECONDS = 5


class Admission:
    """Places for commands: a few at a time, and fewer of one thread, so that others get through."""

    def __init__(self, max_waiting: int = MAX_WAITING) -> None:
        self._max_waiting = max_waiting
        self._waiting = 0
        self._all = asyncio.Semaphore(AT_ONCE)
        self._threads: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def place(self, workflow_id: str) -> AsyncGenerator[None]:
        """Wait for a place, as long as the caller does, and hold it.

        Raises:
            RefusedError: Too many wait already (429); `Retry-After` says when to try again.
        """
        if self._waiting >= self._max_waiting:
            allowed = f"{self._max_waiting:,} commands that wait"
            raise too_many("too_many_commands", allowed, RETRY_SECONDS)
        thread = workflow_id.partition("/")[0]
        own = self._threads.setdefault(thread, asyncio.Semaphore(AT_ONCE_OF_A_THREAD))
        self._waiting += 1
        try:
            await self._take(own)
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._all.release()
            own.release()

    async def _take(self, own: asyncio.Semaphore) -> None:
        await own.acquire()
        try:
            await self._all.acquire()
        except BaseException:
            own.release()
            raise
