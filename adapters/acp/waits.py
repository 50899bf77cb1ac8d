"""How long turns wait for a person's answer; a worker that drains ends all of these waits."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager


class Waits:
    """The waits of all turns of a host."""

    def __init__(self) -> None:
        self._clocks: set[asyncio.Timeout] = set()
        self._are_over = False

    @asynccontextmanager
    async def within(self, seconds: float) -> AsyncGenerator[None]:
        """Wait at most `seconds`.

        Raises:
            TimeoutError: They have passed, or all waits are over.
        """
        async with asyncio.timeout(0 if self._are_over else seconds) as clock:
            self._clocks.add(clock)
            try:
                yield
            finally:
                self._clocks.discard(clock)

    def allow(self) -> None:
        """Let turns wait again."""
        self._are_over = False

    def end_all(self) -> None:
        """End all waits, and those to come: their turns sleep until they are answered."""
        self._are_over = True
        now = asyncio.get_running_loop().time()
        for clock in self._clocks:
            clock.reschedule(now)
