"""Reads an agent's lines: counts what is no message, caps what is too long, never fails.

The SDK's own reader takes `null` for the end and dies of a number, and glues long lines together
without a limit (facts/reliability.md, M12). This one stands in front of its `Connection`.
"""

import asyncio
import json
from typing import Any

from adapters.tolerant import as_dict, as_text

MAX_LINE_BYTES = 16 << 20
CHUNK_BYTES = 64 << 10
SAMPLE_BYTES = 80


class Frames:
    """The SDK's `Transport` over a process's pipes.

    `heard_bytes` and `heard_at` (event loop time) tell how much and when the agent last spoke;
    `dropped` counts lines that were no JSON-RPC message, `sample` is the first of them.
    """

    def __init__(
        self, stdin: asyncio.StreamWriter, stdout: asyncio.StreamReader, max_line_bytes: int
    ) -> None:
        self.heard_bytes = 0
        self.heard_at = asyncio.get_running_loop().time()
        self.dropped = 0
        self.sample = ""
        self._stdin = stdin
        self._stdout = stdout
        self._max_line = max_line_bytes
        self._lines: list[bytes] = []
        self._partial = bytearray()
        self._is_skipping = False

    async def receive(self) -> dict[str, Any] | None:
        """Return the next message, None at the end."""
        while True:
            while self._lines:
                message = self._read(self._lines.pop())
                if message is not None:
                    return message
            chunk = await self._stdout.read(CHUNK_BYTES)
            if not chunk:
                return None
            self.heard_bytes += len(chunk)
            self.heard_at = asyncio.get_running_loop().time()
            self._split(chunk)

    async def send(self, message: dict[str, Any]) -> None:
        """Write a message.

        Raises:
            ConnectionError: The process is gone.
        """
        self._stdin.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
        await self._stdin.drain()

    async def close(self) -> None:
        """Close the process's input; most agents leave then."""
        self._stdin.close()

    def _split(self, chunk: bytes) -> None:
        first, *others = chunk.split(b"\n")
        ready: list[bytes] = []
        self._grow(first)
        for part in others:
            if self._is_skipping:
                self._drop(bytes(self._partial))
            else:
                ready.append(bytes(self._partial))
            self._partial.clear()
            self._is_skipping = False
            self._grow(part)
        self._lines = ready[::-1]

    def _grow(self, part: bytes) -> None:
        if self._is_skipping:
            return
        self._partial += part
        if len(self._partial) > self._max_line:
            self._is_skipping = True
            del self._partial[SAMPLE_BYTES:]

    def _read(self, line: bytes) -> dict[str, Any] | None:
        if not line.strip():
            return None
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            message = None
        if not isinstance(message, dict) or not _is_message(as_dict(message)):
            self._drop(line)
            return None
        frame = _well_formed(as_dict(message))
        return _without_surrogates(frame) if b"\\ud" in line.lower() else frame

    def _drop(self, line: bytes) -> None:
        self.dropped += 1
        self.sample = self.sample or line[:SAMPLE_BYTES].decode(errors="replace")


def _is_message(message: dict[str, Any]) -> bool:
    is_id_fine = isinstance(message.get("id"), int | str | None)
    return is_id_fine and ("id" in message or isinstance(message.get("method"), str))


def _well_formed(message: dict[str, Any]) -> dict[str, Any]:
    """Give an error the shape that the SDK reads."""
    if message.get("error") is None:
        return message
    error = as_dict(message["error"]) or {"message": str(message["error"])}
    code = error.get("code")
    shaped = {
        **error,
        "code": code if isinstance(code, int) else -32603,
        "message": as_text(error.get("message")) or "no reason given",
    }
    return {**message, "error": shaped}


def _without_surrogates(value: Any) -> Any:
    """Replace half characters, which no encoding can write."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {k: _without_surrogates(v) for k, v in as_dict(value).items()}
    if isinstance(value, list):
        return [_without_surrogates(item) for item in value]  # pyright: ignore[reportUnknownVariableType]  (JSON)
    return value
