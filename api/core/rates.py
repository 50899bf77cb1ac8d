"""Rate limits of the API."""

import asyncio
import time
from collections.abc import Generator
from contextlib import contextmanager
from ipaddress import IPv6Network
from math import ceil
from typing import NamedTuple

from limits import RateLimitItem, RateLimitItemPerMinute, RateLimitItemPerSecond
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter

from api.core.problems import RefusedError


class Limits(NamedTuple):
    """The limits; tests set others than the defaults."""

    writes: RateLimitItem = RateLimitItemPerSecond(2000, 10)
    """200 a second on average, bursts of 2,000: no person does that, a script that runs wild does. Bursts below
    it wait for their turn (api/core/admission.py)."""

    wrong_tokens: RateLimitItem = RateLimitItemPerSecond(5)
    sign_ins: RateLimitItem = RateLimitItemPerMinute(120)
    """Steps of sign-ins, of each address: one machine keeps nobody else from signing in. An office is one address."""

    device_logins: RateLimitItem = RateLimitItemPerMinute(20)
    """Programs that ask to be signed in, of each address."""

    user_codes: RateLimitItem = RateLimitItemPerMinute(20)
    """Codes that each person looks up or decides on."""

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

    async def count_sign_in(self, address: str) -> None:
        """Count one step of a sign-in at an address.

        Raises:
            RefusedError: There were too many (429).
        """
        if not await self._windows.hit(self._limits.sign_ins, "sign-in", network(address)):
            allowed = f"{self._limits.sign_ins.amount} steps of sign-ins a minute"
            raise too_many("too_many_sign_ins", allowed, 60)

    async def count_device_login(self, address: str) -> None:
        """Count a program of an address that asks to be signed in.

        Raises:
            RefusedError: There were too many (429).
        """
        limit = self._limits.device_logins
        if not await self._windows.hit(limit, "device login", network(address)):
            raise too_many("too_many_sign_ins", f"{limit.amount} codes a minute", 60)

    async def count_user_code(self, person: str) -> None:
        """Count a code that a person looks up: nobody finds one by trying.

        Raises:
            RefusedError: There were too many (429).
        """
        limit = self._limits.user_codes
        if not await self._windows.hit(limit, "user code", person):
            raise too_many("too_many_codes", f"{limit.amount} codes a minute", 60)

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


def network(address: str) -> str:
    """Return what is counted as one machine: an address, of IPv6 the network that one machine may choose from."""
    try:
        return str(IPv6Network((address.partition("%")[0], 64), strict=False))
    except ValueError:
        return address


def too_many(name: str, allowed: str, seconds: int) -> RefusedError:
    """Return the refusal of what came too often, with when to try again."""
    return RefusedError(
        429,
        name,
        f"too many requests: at most {allowed}",
        hint=f"try again in {seconds} s, with the same command_id if there is one",
        headers={"Retry-After": str(seconds)},
    )
