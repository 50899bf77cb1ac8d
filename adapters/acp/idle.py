"""The processes of agents between their turns: a few are kept for a while, so that the next turn begins at once."""

import asyncio
from collections.abc import Awaitable, Callable

from adapters.acp.limits import Patience
from domain.agents.agents import SessionRole
from domain.core.ids import SessionId

Close = Callable[[SessionId], Awaitable[None]]


class IdleProcesses:
    """Closes processes that are idle for long, and the one that is idle longest where there are too many."""

    def __init__(self, close: Close, patience: Patience) -> None:
        self._close = close
        self._patience = patience
        self._closing: dict[SessionId, asyncio.Task[None]] = {}
        """The longest idle first."""

        self._ending: set[asyncio.Task[None]] = set()

    def wake(self, session_id: SessionId) -> None:
        """Call off the closing of a process."""
        closing = self._closing.pop(session_id, None)
        if closing is not None and closing is not asyncio.current_task():
            closing.cancel()

    def rest(self, session_id: SessionId, role: SessionRole) -> None:
        """Close a process after a while, sooner where there are many; a planner waits for a person most often."""
        is_planner = role is SessionRole.PLANNER
        seconds = self._patience.idle_process
        self._close_after(
            session_id, min(self._patience.idle_planner, seconds) if is_planner else seconds
        )
        while len(self._closing) > self._patience.idle_processes:
            longest = next(iter(self._closing))
            self.wake(longest)
            closing = asyncio.create_task(self._end(longest), name=f"too many idle {longest}")
            self._ending.add(closing)
            closing.add_done_callback(self._ending.discard)

    async def _end(self, session_id: SessionId) -> None:
        await self._close(session_id)

    def _close_after(self, session_id: SessionId, seconds: float) -> None:
        async def close_later() -> None:
            await asyncio.sleep(seconds)
            await self._close(session_id)

        self.wake(session_id)
        self._closing[session_id] = asyncio.create_task(close_later(), name=f"idle {session_id}")
