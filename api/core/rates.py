"""Rate limits of the API."""

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
    """The limits; tests set others than the defaults."""

    writes: RateLimitItem = RateLimitItemPerSecond(2000, 10)
    """200 a second on average, bursts of 2,000: no person does that, a script that runs wild does. Bursts below
    it wait for their turn (api/core/admission.py)."""

    wrong_tokens: RateLimitItem = RateLimitItemPerSecond(5)
    penalty_seconds: float = 1.0
    """How long the response to a wrong token is delayed after too many."""

    streams: int = 64
    connections: int = 1_500
    """Each is a file; api/server.py has the process open as many."""

    read_seconds: float = 10.0
    """How long a client may take to send the headers, and then the body."""

    unread_seconds: float = 60.0
    """How long a client may leave a response unread before its connection is closed."""


class Rates:
    """Counts requests in memory; a restart resets the counts."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._windows = MovingWindowRateLimiter(MemoryStorage())
        self._streams = 0

    async def count_write(self) -> None:
        """Count one request that changes something.

        Raises:
            RefusedError: There were too many (429); `Retry-After` says when to try again.
        """
        if not await self._windows.hit(self._limits.writes, "write"):
            window = await self._windows.get_window_stats(self._limits.writes, "write")
            seconds = max(1, ceil(window.reset_time - time.time()))
            limit = self._limits.writes
            average = limit.amount // limit.get_expiry()
            allowed = f"{average} writes a second on average, in bursts of {limit.amount:,}"
            raise too_many("too_many_writes", allowed, seconds)

    async def count_wrong_token(self) -> None:
        """Count one wrong token, and delay the response after too many."""
        if not await self._windows.hit(self._limits.wrong_tokens, "wrong token"):
            await asyncio.sleep(self._limits.penalty_seconds)

    @contextmanager
    def streaming(self) -> Generator[None]:
        """Count a stream of events while it is open.

        Raises:
            RefusedError: There are too many (429).
        """
        if self._streams >= self._limits.streams:
            raise too_many("too_many_streams", f"{self._limits.streams} streams at once", 1)
        self._streams += 1
        try:
            yield
        finally:
            self._streams -= 1


def too_many(name: str, allowed: str, seconds: int) -> RefusedError:
    """Return the refusal of what came too often, with when to try again."""
    return RefusedError(
        429,
        name,
        f"too many requests: at most {allowed}",
        hint=f"try again in {seconds} s, with the same command_id if there is one",
        headers={"Retry-After": str(seconds)},
    )
