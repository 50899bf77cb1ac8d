"""Writes a turn's events in order; text chunks that follow each other become one event."""

import asyncio
from typing import Any

from adapters.tolerant import as_dict, as_text
from domain.events import EventBody
from domain.events.session import AgentNotice, AgentUpdate
from domain.ids import TurnId
from domain.ports import Record

CHUNKS = frozenset({"agent_message_chunk", "agent_thought_chunk"})
JOIN_BYTES = 8 << 10
JOIN_SECONDS = 1.0
TEXT_TAIL = 2048


class Transcript:
    """One turn's record. `add` and `note` never wait; a writer of its own hands on to the journal.

    Text chunks wait until something else comes, 1 s passes or 8 KiB are together.
    """

    def __init__(self, turn_id: TurnId, record: Record) -> None:
        self._turn_id = turn_id
        self._record = record
        self._queue: asyncio.Queue[EventBody] = asyncio.Queue()
        self._open: dict[str, Any] | None = None
        self._parts: list[str] = []
        self._size = 0
        self._timer: asyncio.TimerHandle | None = None
        self._said = ""
        self._is_said_open = False
        self.writer = asyncio.create_task(self._write(), name=f"transcript of {turn_id}")

    @property
    def text(self) -> str:
        """The agent's last message, its newest 2 KiB."""
        return self._said.encode()[-TEXT_TAIL:].decode(errors="ignore").strip()

    def add(self, update: dict[str, Any]) -> None:
        """Take one update of the agent."""
        self._remember(update)
        text = _chunk_text(update)
        if text is None:
            self._settle()
            self._queue.put_nowait(AgentUpdate(turn_id=self._turn_id, update=update))
            return
        if self._open is None or _frame(self._open) != _frame(update):
            self._settle()
            self._open = update
            self._timer = asyncio.get_running_loop().call_later(JOIN_SECONDS, self._settle)
        self._parts.append(text)
        self._size += len(text)
        if self._size >= JOIN_BYTES:
            self._settle()

    def note(self, message: str) -> None:
        """Say something about the agent's process."""
        self.put(AgentNotice(turn_id=self._turn_id, message=message))

    def put(self, body: EventBody) -> None:
        """Take any event, after all before it."""
        self._settle()
        self._queue.put_nowait(body)

    async def flush(self) -> None:
        """Wait until all so far is handed on; raises what the record raised."""
        self._settle()
        emptied = asyncio.create_task(self._queue.join())
        await asyncio.wait({emptied, self.writer}, return_when=asyncio.FIRST_COMPLETED)
        emptied.cancel()
        if self.writer.done():
            self.writer.result()

    async def close(self) -> None:
        """Hand on the rest and stop."""
        try:
            await self.flush()
        finally:
            self.writer.cancel()

    async def _write(self) -> None:
        while True:
            body = await self._queue.get()
            await self._record(body)
            self._queue.task_done()

    def _settle(self) -> None:
        if self._open is None:
            return
        content = {**self._open["content"], "text": "".join(self._parts)}
        joined = {**self._open, "content": content}
        self._open, self._parts, self._size = None, [], 0
        if self._timer is not None:
            self._timer.cancel()
        self._queue.put_nowait(AgentUpdate(turn_id=self._turn_id, update=joined))

    def _remember(self, update: dict[str, Any]) -> None:
        kind = update.get("sessionUpdate")
        if kind == "tool_call":
            self._is_said_open = False
        if kind != "agent_message_chunk":
            return
        text = _chunk_text(update) or ""
        self._said = (self._said + text)[-2 * TEXT_TAIL :] if self._is_said_open else text
        self._is_said_open = True


def _chunk_text(update: dict[str, Any]) -> str | None:
    content = as_dict(update.get("content"))
    if update.get("sessionUpdate") not in CHUNKS or content.get("type") != "text":
        return None
    return as_text(content.get("text"))


def _frame(update: dict[str, Any]) -> dict[str, Any]:
    """Return a chunk without its text: what must be equal for two to be joined."""
    return {**update, "content": {**as_dict(update.get("content")), "text": ""}}
