"""Records what an agent says during a turn: numbered, in order, in batches."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from domain.agents.agents import TurnInput
from domain.core.errors import JournalError, SupersededError
from domain.core.event import Event, EventBody
from domain.core.ids import EventId, StreamId
from domain.core.ports import Fence, Journal

MAX_WAITING = 1_000
"""Events that wait for a slow journal; the agent that says more waits with them."""

_PAUSE_SECONDS = 1.0


class TurnRecorder:
    """One attempt's events of one turn; ids are `<turn>:<attempt>:<n>`, so a retry adds its own.

    Once a newer attempt holds the workspace nothing more is written: what an attempt that was stopped
    has still in hand would come between the newer one's events.
    """

    def __init__(self, journal: Journal, turn: TurnInput, attempt: int, fence: Fence) -> None:
        self._journal = journal
        self._fence = fence
        self._stream = StreamId(turn.session_id)
        self.turn = turn
        self.attempt = attempt
        label = f"{attempt}" if turn.refusals == 0 else f"{turn.refusals}.{attempt}"
        self._prefix = f"{turn.turn_id}:{label}"
        self._number = 0
        self._waiting: list[Event] = []
        self._has_more = asyncio.Event()
        self._writing = asyncio.Lock()

    async def record(self, body: EventBody, event_id: EventId | None = None) -> None:
        """Take an event; it is in order from now on and durable soon after.

        One with an id of its own is not told apart by attempt. Waits for the journal where it is far behind.

        Raises:
            JournalError: It is far behind and cannot be written to.
            SupersededError: It is far behind, and a newer attempt took the workspace over.
        """
        self._number += 1
        self._waiting.append(self.event(event_id or f"{self._prefix}:{self._number}", body))
        self._has_more.set()
        if len(self._waiting) > MAX_WAITING:
            await self.flush()

    def event(self, event_id: str, body: EventBody) -> Event:
        """Return an event of the turn's session, at the present time."""
        return Event(id=EventId(event_id), stream=self._stream, at=datetime.now(UTC), body=body)

    async def flush(self) -> None:
        """Make everything recorded so far durable.

        Raises:
            JournalError: The journal cannot be written to.
            SupersededError: A newer attempt took the workspace over.
        """
        async with self._writing:
            batch = list(self._waiting)
            if batch:
                self._fence.refuse_stale()
                await self._journal.append(batch)
                del self._waiting[: len(batch)]

    async def append(self, event_id: str, body: EventBody) -> None:
        """Append an event under an id of its own, after all before it; fails like `flush`."""
        self._waiting.append(self.event(event_id, body))
        await self.flush()

    @asynccontextmanager
    async def flushing(self) -> AsyncGenerator["TurnRecorder"]:
        """Write batches while the block runs, and the rest at its end; that fails like `flush`."""
        writer = asyncio.create_task(self._write())
        try:
            yield self
        finally:
            writer.cancel()
            await self.flush()

    async def _write(self) -> None:
        while True:
            await self._has_more.wait()
            self._has_more.clear()
            try:
                await asyncio.shield(self.flush())
            except JournalError:
                # a full disk may have room again; at the turn's end it must have
                await asyncio.sleep(_PAUSE_SECONDS)
                self._has_more.set()
            except SupersededError:
                return  # the last flush says so
