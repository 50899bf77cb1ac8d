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

    def wake(self, session_id: SessionId) -> None:
        """Call off the closing of a process."""
        closing = self._closing.pop(session_id, None)
        if closing is not None and closing is not asyncio.current_task():
            closing.cancel()

    def rest(self, session_id: SessionId, role: SessionRole) -> None:
        """Close a process after a while, a planner's sooner: it waits for a person most often."""
        patience = self._patience
        seconds = patience.idle_process
        if role is SessionRole.PLANNER:
            seconds = min(seconds, patience.idle_planner)
        self._close_after(session_id, seconds)
        for longest in list(self._closing)[: -patience.idle_processes]:
            self._close_after(longest, 0)

    def _close_after(self, session_id: SessionId, seconds: float) -> None:
        """Close a process then, unless it is woken before; one that idles already keeps its place."""

        async def close_later() -> None:
            await asyncio.sleep(seconds)
            await self._close(session_id)

        if (earlier := self._closing.get(session_id)) is not None:
            earlier.cancel()
        self._closing[session_id] = asyncio.create_task(close_later(), name=f"idle {session_id}")
