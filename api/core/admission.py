"""A limit on concurrent commands, so that bursts wait here and not in Temporal."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from domain.core.errors import NotConfirmedError

AT_ONCE = 8
AT_ONCE_OF_A_THREAD = 3
PATIENCE_SECONDS = 15.0
"""How long to wait for a place; together with the answer's time, less than clients wait."""


class Admission:
    """Places for commands: a few at a time, and fewer of one thread, so that others get through."""

    def __init__(self, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._patience_seconds = patience_seconds
        self._all = asyncio.Semaphore(AT_ONCE)
        self._threads: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def place(self, workflow_id: str) -> AsyncGenerator[None]:
        """Wait for a place and hold it.

        Raises:
            NotConfirmedError: None became free in time; the command was not sent.
        """
        thread = workflow_id.partition("/")[0]
        own = self._threads.setdefault(thread, asyncio.Semaphore(AT_ONCE_OF_A_THREAD))
        try:
            async with asyncio.timeout(self._patience_seconds):
                await self._take(own)
        except TimeoutError as error:
            raise NotConfirmedError(
                f"Treadle is busy: the command to {workflow_id!r} was not sent"
            ) from error
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
