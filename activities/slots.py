"""The slots of a host: how many turns run at the same time, and how many wait for one."""

import asyncio
from types import TracebackType


class Slots:
    """A semaphore that tells how it stands."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.running = 0
        self.waiting = 0
        self._free = asyncio.Semaphore(size)

    async def __aenter__(self) -> None:
        """Wait for a slot, and take it."""
        self.waiting += 1
        try:
            await self._free.acquire()
        finally:
            self.waiting -= 1
        self.running += 1

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give the slot back."""
        self.running -= 1
        self._free.release()
