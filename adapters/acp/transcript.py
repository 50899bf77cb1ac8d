"""Writes a turn's events in order, as many as are kept; text chunks become one event."""

import asyncio
from collections import deque
from typing import Any

from adapters.acp.limits import TurnLimits, clipped, fitted
from adapters.tolerant import as_dict, as_text
from domain.agents.updates import CHUNKS, MESSAGE, TOOL_CALL, TOOL_CALL_UPDATE, TOOL_CALLS, kind_of
from domain.conversations.events import AgentNotice, AgentUpdate
from domain.core.event import EventBody
from domain.core.ids import TurnId
from domain.core.ports import Record

UPDATES = frozenset(
    {
        *CHUNKS,
        *TOOL_CALLS,
        *("user_message_chunk", "plan", "plan_update", "plan_removed", "available_commands_update"),
        *("current_mode_update", "config_option_update", "session_info_update", "usage_update"),
        *("notice", "compaction_update", "compaction_summary_chunk", "subagent_update"),
        *("session_message", "session_message_chunk", "terminal_output"),
    }
)
"""The kinds of ACP v1, stable and not; others are recorded as well, and counted."""

STATES = frozenset({"plan", "usage_update", "available_commands_update", "config_option_update"})
"""Updates that tell the whole of something: the newest is enough."""

JOIN_BYTES = 8 << 10
JOIN_SECONDS = 1.0
MERGE_BYTES = 16 << 10
TEXT_TAIL = 64 << 10
MAX_WAITING = 1000
MAX_WAITING_BYTES = 4 << 20
BYTES_PER_SECOND = 16 << 20
"""How fast the journal is filled; its writer keeps what it was handed in memory."""


class Transcript:
    """One turn's record. `add` and `note` never wait; a writer of its own hands on to the journal.

    Text chunks wait until something else comes, 1 s passes or 8 KiB are together. Where updates
    come faster than they are written, those that a newer one replaces are left out; `room` waits
    for the rest. Beyond the limits of a turn they are counted in `left_out` and not recorded.
    """

    def __init__(self, turn_id: TurnId, record: Record, limits: TurnLimits) -> None:
        self.left_out = 0
        self._turn_id = turn_id
        self._record = record
        self._limits = limits
        self._events = 0
        self._bytes = 0
        self._waiting: deque[tuple[EventBody, int]] = deque()
        self._waiting_bytes = 0
        self._has_more, self._has_room, self._is_idle = (asyncio.Event() for _ in range(3))
        self._has_room.set()
        self._open: dict[str, Any] | None = None
        self._parts: list[str] = []
        self._size = 0
        self._timer: asyncio.TimerHandle | None = None
        self._message: list[str] = []
        self._message_size = 0
        self._is_message_open = False
        self.writer = asyncio.create_task(self._write(), name=f"transcript of {turn_id}")
        self.writer.add_done_callback(lambda _writer: self._has_room.set())

    @property
    def text(self) -> str:
        """The agent's last message, its newest 64 KiB."""
        return "".join(self._message).encode()[-TEXT_TAIL:].decode(errors="ignore").strip()

    def add(self, update: dict[str, Any]) -> None:
        """Take one update of the agent."""
        self._remember(update)
        text = _chunk_text(update)
        if text is None:
            self._settle()
            self._keep(update)
            return
        if self._open is None or _frame(self._open) != _frame(update):
            self._settle()
            self._open = update
            self._timer = asyncio.get_running_loop().call_later(JOIN_SECONDS, self._settle)
        self._parts.append(text)
        self._size += len(text)
        if self._size >= JOIN_BYTES:
            self._settle()

    def note(self, message: str, *, is_own: bool = True) -> None:
        """Say something about the agent's process; what the agent brings about is limited."""
        self._settle()
        message = clipped(message)
        if is_own or self._is_kept(len(message)):
            self._put(AgentNotice(turn_id=self._turn_id, message=message), len(message))

    def put(self, body: EventBody) -> None:
        """Take any event of our own, after all before it."""
        self._settle()
        self._put(body, 0)

    async def room(self) -> None:
        """Wait until the writer has caught up enough to take more."""
        await self._has_room.wait()

    async def flush(self) -> None:
        """Wait until all so far is handed on; raises what the record raised."""
        self._settle()
        emptied = asyncio.create_task(self._is_idle.wait())
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
        clock = asyncio.get_running_loop().time
        due = clock()
        while True:
            while self._waiting:
                body, size = self._waiting.popleft()
                self._waiting_bytes -= size
                await self._record(body)
                if not self._is_full:
                    self._has_room.set()
                pause = max(1 / self._limits.events_per_second, size / BYTES_PER_SECOND)
                due = max(due, clock() - 1) + pause
                if due > clock():
                    await asyncio.sleep(due - clock())
            self._is_idle.set()
            await self._has_more.wait()
            self._has_more.clear()

    def _settle(self) -> None:
        if self._open is None:
            return
        content = {**self._open["content"], "text": "".join(self._parts)}
        joined = {**self._open, "content": content}
        self._open, self._parts, self._size = None, [], 0
        if self._timer is not None:
            self._timer.cancel()
        self._keep(joined)

    def _keep(self, update: dict[str, Any]) -> None:
        """Queue an update, in the place of the one that waits last where it replaces that."""
        update, size = fitted(update)
        last, last_size = self._waiting[-1] if self._waiting else (None, 0)
        is_small = last_size + size <= MERGE_BYTES
        if is_small and isinstance(last, AgentUpdate) and _replaces(update, last.update):
            self._waiting.pop()
            self._waiting_bytes -= last_size
            self._put_update({**last.update, **update}, last_size + size)
        elif self._is_kept(size):
            self._put_update(update, size)

    def _is_kept(self, size: int) -> bool:
        """Count an event that the agent brings about; tell whether the turn has room for it."""
        limits = self._limits
        is_kept = self._events < limits.max_events and self._bytes < limits.max_event_bytes
        if is_kept:
            self._events += 1
            self._bytes += size
        else:
            self.left_out += 1
        return is_kept

    def _put_update(self, update: dict[str, Any], size: int) -> None:
        self._put(AgentUpdate(turn_id=self._turn_id, update=update), size)

    def _put(self, body: EventBody, size: int) -> None:
        self._waiting.append((body, size))
        self._waiting_bytes += size
        self._is_idle.clear()
        self._has_more.set()
        if self._is_full and not self.writer.done():
            self._has_room.clear()

    @property
    def _is_full(self) -> bool:
        return len(self._waiting) >= MAX_WAITING or self._waiting_bytes >= MAX_WAITING_BYTES

    def _remember(self, update: dict[str, Any]) -> None:
        kind = kind_of(update)
        if kind == TOOL_CALL:
            self._is_message_open = False
        if kind != MESSAGE:
            return
        if not self._is_message_open:
            self._message, self._message_size = [], 0
        text = _chunk_text(update) or ""
        self._message.append(text)
        self._message_size += len(text)
        if self._message_size > 2 * TEXT_TAIL:
            self._message = ["".join(self._message)[-TEXT_TAIL:]]
            self._message_size = len(self._message[0])
        self._is_message_open = True


def _replaces(new: dict[str, Any], old: dict[str, Any]) -> bool:
    """Tell whether nothing is lost when the new one's fields take the place of the old one's.

    `_meta` may tell differences, like Codex's terminal output.
    """
    kind = kind_of(new)
    if kind != kind_of(old) or "_meta" in new or "_meta" in old:
        return False
    is_same_call = new.get("toolCallId") == old.get("toolCallId")
    return kind in STATES or (kind == TOOL_CALL_UPDATE and is_same_call)


def _chunk_text(update: dict[str, Any]) -> str | None:
    content = as_dict(update.get("content"))
    if kind_of(update) not in CHUNKS or content.get("type") != "text":
        return None
    return as_text(content.get("text"))


def _frame(update: dict[str, Any]) -> dict[str, Any]:
    """Return a chunk without its text: what must be equal for two to be joined."""
    return {**update, "content": {**as_dict(update.get("content")), "text": ""}}
