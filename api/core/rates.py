"""How much an API bears, and what it answers beyond that."""

import asyncio
import time
from collections.abc import Generator
from contextlib import contextmanager
from math import ceil
from typing import NamedTuple

from limits import RateLimitItem, RateLimitItemPerSecond
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter

from api.core.problems import RefusedError


class Limits(NamedTuple):
    """The defaults are those that people get; tests set others."""

    writes: RateLimitItem = RateLimitItemPerSecond(100, 5)
    """Twenty a second, a hundred at once."""

    wrong_tokens: RateLimitItem = RateLimitItemPerSecond(5)
    penalty_seconds: float = 1.0
    """How long the answer to a wrong token waits once there were too many."""

    streams: int = 64
    connections: int = 256
    read_seconds: float = 10.0
    """How long a request's header may take to come, and then its body."""

    unread_seconds: float = 60.0
    """How long somebody may leave an answer unread before the connection is cut."""


class Rates:
    """Counts what the holders of one token do; in memory, so that a restart begins anew."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._windows = MovingWindowRateLimiter(MemoryStorage())
        self._streams = 0

    async def count_write(self) -> None:
        """Count one request that changes something.

        Raises:
            RefusedError: There were too many (429); `Retry-After` says when to come again.
        """
        if not await self._windows.hit(self._limits.writes, "write"):
            window = await self._windows.get_window_stats(self._limits.writes, "write")
            seconds = max(1, ceil(window.reset_time - time.time()))
            raise _too_many("too_many_writes", "20 writes a second, 100 at once", seconds)

    async def count_wrong_token(self) -> None:
        """Count one wrong token, and wait where somebody seems to guess."""
        if not await self._windows.hit(self._limits.wrong_tokens, "wrong token"):
            await asyncio.sleep(self._limits.penalty_seconds)

    @contextmanager
    def streaming(self) -> Generator[None]:
        """Count one stream of events for as long as it lasts.

        Raises:
            RefusedError: There are too many (429).
        """
        if self._streams >= self._limits.streams:
            raise _too_many("too_many_streams", f"{self._limits.streams} streams at a time", 1)
        self._streams += 1
        try:
            yield
        finally:
            self._streams -= 1


def _too_many(name: str, allowed: str, seconds: int) -> RefusedError:
    return RefusedError(
        429,
        name,
        f"at most {allowed}",
        hint=f"ask again in {seconds} s, with the same command_id where there is one",
        headers={"Retry-After": str(seconds)},
    )
