"""The signal that wakes the followers of a journal, also when another process has written."""

import asyncio
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager

from domain.core.errors import JournalError

POLL_SECONDS = 0.075


class GrowthSignal:
    """Wakes those who wait for the journal to grow.

    This process notifies it after each of its commits. For what others write, one task looks at the
    newest position at an interval, or when others notify it, only while somebody listens.
    """

    def __init__(
        self,
        newest: Callable[[], Awaitable[int]],
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._newest = newest
        self._pause = pause
        self._next = asyncio.Event()
        self._listeners = 0
        self._watch: asyncio.Task[None] | None = None
        self.is_ended = False

    def notify(self) -> None:
        """Wake everyone who waits for growth."""
        self._next.set()
        self._next = asyncio.Event()

    def next_growth(self) -> asyncio.Event:
        """Return what is set at the next growth; taken before a look at the journal, nothing is missed after it."""
        return self._next

    @contextmanager
    def listening(self) -> Generator[None]:
        """Have other processes' commits watched for as long as this lasts."""
        self._listeners += 1
        if self._watch is None or self._watch.done():
            self._watch = asyncio.create_task(self._poll(), name="journal-growth")
        try:
            yield
        finally:
            self._listeners -= 1

    def end(self) -> None:
        """Wake everyone for the last time."""
        self.is_ended = True
        self.notify()

    async def close(self) -> None:
        """Wake everyone for the last time and stop watching."""
        self.end()
        if self._watch is not None:
            await asyncio.wait([self._watch])

    async def _poll(self) -> None:
        # Ends by itself: cancelling it inside a query would cost the connection.
        seen = -1
        while self._listeners and not self.is_ended:
            try:
                newest = await self._newest()
            except JournalError:
                newest = -1  # whoever is woken reads, and is told what is wrong
            if newest != seen or newest < 0:
                seen = newest
                self.notify()
            await self._pause(POLL_SECONDS)
