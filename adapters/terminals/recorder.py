"""Writes what a terminal says into the journal: in batches, within a bound, its end last."""

import asyncio
from collections import deque
from contextlib import suppress
from datetime import UTC, datetime

from domain.agents.terminal_events import TerminalEnded, TerminalOpened, TerminalWrote
from domain.agents.terminals import Terminal
from domain.core.errors import JournalError
from domain.core.event import Event, EventBody, Headline
from domain.core.ids import EventId, StreamId
from domain.core.ports import Journal

MAX_JOURNALED_BYTES = 1 << 20
"""What the journal takes of one terminal before its end; of the rest it takes the newest."""

LAST_BYTES = 32 << 10
BATCH_SECONDS = 0.25
BATCH_BYTES = 32 << 10
MAX_WAITING_BYTES = 256 << 10
_PAUSE_SECONDS = 1.0
_PATIENCE_SECONDS = 60.0


class TerminalRecorder:
    """The journal's side of one terminal."""

    def __init__(self, journal: Journal, stream: StreamId) -> None:
        self._journal = journal
        self._stream = stream
        self._waiting: deque[str] = deque()
        self._waiting_bytes = 0
        self._position = 0
        self._skipped = 0
        self._written = 0
        self._has_more = asyncio.Event()
        self._flushing = asyncio.Lock()
        self._writer: asyncio.Task[None] | None = None

    async def open(self, terminal: Terminal) -> None:
        """Journal the opening, durable on return."""
        await self._append("opened", TerminalOpened(terminal=terminal), terminal)
        self._writer = asyncio.create_task(self._write(), name=f"recorder of {self._stream}")

    async def note(self, name: str, body: EventBody) -> None:
        """Journal what became of it meanwhile, once by that name."""
        await self._append(name, body, None)

    def write(self, text: str) -> None:
        """Take the next output; of what comes faster or longer than is kept, the oldest is left out."""
        self._waiting.append(text)
        self._waiting_bytes += len(text.encode())
        room = LAST_BYTES if self._is_full else MAX_WAITING_BYTES
        while self._waiting_bytes > room and len(self._waiting) > 1:
            oldest = len(self._waiting.popleft().encode())
            self._waiting_bytes -= oldest
            self._skipped += oldest
        self._has_more.set()

    async def end(self, terminal: Terminal) -> None:
        """Journal the rest and the end; gives up where the journal stays away for a minute."""
        if self._writer is not None:
            self._writer.cancel()
        with suppress(JournalError, TimeoutError):
            async with asyncio.timeout(_PATIENCE_SECONDS):
                await self._flush()
                await self._append("ended", TerminalEnded(terminal=terminal), terminal)

    @property
    def _is_full(self) -> bool:
        return self._written >= MAX_JOURNALED_BYTES

    async def _write(self) -> None:
        while True:
            await self._has_more.wait()
            self._has_more.clear()
            if self._waiting_bytes < BATCH_BYTES:
                await asyncio.sleep(BATCH_SECONDS)
            if not self._is_full:
                await asyncio.shield(asyncio.create_task(self._flush()))

    async def _flush(self) -> None:
        async with self._flushing:
            while chunk := self._take():
                while True:
                    try:
                        await self._append(f"{chunk.position}", chunk, None)
                    except JournalError:
                        await asyncio.sleep(_PAUSE_SECONDS)  # a full disk may have room again
                    else:
                        break

    def _take(self) -> TerminalWrote | None:
        """Take what waits out, as one event; None where nothing does."""
        text, size = "".join(self._waiting), self._waiting_bytes
        if not text:
            return None
        chunk = TerminalWrote(
            position=self._position + self._skipped, text=text, skipped=self._skipped
        )
        self._waiting.clear()
        self._waiting_bytes = self._skipped = 0
        self._position = chunk.position + size
        self._written += size
        return chunk

    async def _append(self, name: str, body: EventBody, terminal: Terminal | None) -> None:
        event = Event(
            id=EventId(f"{self._stream}:{name}"),
            stream=self._stream,
            at=datetime.now(UTC),
            body=body,
        )
        await self._journal.append([event], headlines_of(self._stream, terminal))


def headlines_of(stream: StreamId, terminal: Terminal | None) -> list[Headline]:
    """Return a terminal in one line for lists."""
    if terminal is None:
        return []
    kind = "terminal" if terminal.service is None else "service"
    return [Headline(stream=stream, kind=kind, title=terminal.label, status=terminal.status)]
