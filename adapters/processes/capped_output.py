"""Output of unknown size, kept within a limit: its head and its tail, with the cut marked."""

import asyncio
from collections import deque

_CHUNK_BYTES = 65_536


class CappedOutput:
    """Keeps the first half and the newest half of a limit; a `head_bytes` of 0 keeps the tail only."""

    def __init__(self, limit_bytes: int, head_bytes: int | None = None) -> None:
        self._head_room = limit_bytes // 2 if head_bytes is None else head_bytes
        self._tail_limit = limit_bytes - self._head_room
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_bytes = 0
        self._total_bytes = 0

    @property
    def cut_bytes(self) -> int:
        """How much is missing between head and tail."""
        return self._total_bytes - len(self._head) - min(self._tail_bytes, self._tail_limit)

    def add(self, chunk: bytes) -> None:
        """Take the next bytes in."""
        self._total_bytes += len(chunk)
        room = self._head_room - len(self._head)
        self._head += chunk[:room]
        if rest := chunk[room:]:
            self._tail.append(rest)
            self._tail_bytes += len(rest)
        while self._tail and self._tail_bytes - len(self._tail[0]) >= self._tail_limit:
            self._tail_bytes -= len(self._tail.popleft())

    async def fill_from(self, stream: asyncio.StreamReader) -> None:
        """Take everything in until the end of a stream."""
        while chunk := await stream.read(_CHUNK_BYTES):
            self.add(chunk)

    def content(self) -> bytes:
        """Return what was kept; only meaningful as a whole when nothing was cut."""
        tail = b"".join(self._tail)
        kept = tail[max(0, len(tail) - self._tail_limit) :]
        if not self.cut_bytes:
            return bytes(self._head) + kept
        return b"%s\n[... %d bytes cut ...]\n%s" % (self._head, self.cut_bytes, kept)

    def text(self) -> str:
        """Return what was kept as text; bytes that are none become replacement characters."""
        return self.content().decode("utf-8", "replace")
