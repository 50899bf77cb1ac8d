"""Reads an agent's lines: counts what is no message, caps what is too long, never fails.

What comes out can be written down and read again: no half characters, no nesting or numbers that
JSON readers differ on.
"""

import asyncio
import json
import re
from typing import Any

from adapters.acp.violations import SAMPLE_LENGTH, Violation, Violations
from adapters.tolerant import as_dict, as_list, as_text
from domain.core.errors import AgentError

MAX_LINE_BYTES = 16 << 20
MAX_LONG_LINES = 3
MAX_PARSED_BYTES = 1 << 20
"""What of a line is parsed: a list of empty lists takes 30 times its size in memory."""

MAX_DEPTH = 64
MAX_ID_LENGTH = 256
PRIVATE = ("_", "$/")
"""What methods begin with that one may ignore silently (ACP, "Extensibility"; JSON-RPC)."""

CHUNK_BYTES = 64 << 10
LONG_TEXT_BYTES = 32 << 10
MAX_TEXTS = 100_000
TEXT = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
"""A JSON string in linear time: possessive, and an unclosed one runs to the end."""

WHOLE_CHARACTERS = re.compile(rb"(?:\\u[0-9a-fA-F]{4}|\\[^u]|[^\\])*+", re.DOTALL)
HALF_CHARACTER = re.compile(r"\\u[dD][89a-fA-F]")


class Frames:
    """An agent's pipes as messages.

    `heard_at` is the event loop's time of the agent's last message: noise is none, nor is what one may
    ignore. `is_cut_off` tells that its
    output ended in the middle of a line.
    """

    def __init__(
        self,
        stdin: asyncio.StreamWriter,
        stdout: asyncio.StreamReader,
        oddities: Violations,
        max_line_bytes: int = MAX_LINE_BYTES,
    ) -> None:
        self.heard_at = asyncio.get_running_loop().time()
        self.is_cut_off = False
        self._stdin = stdin
        self._stdout = stdout
        self._oddities = oddities
        self._max_line = max_line_bytes
        self._allowed = self._left = 0
        self._long_lines = 0
        self._lines: list[bytes] = []
        self._partial = bytearray()
        self._is_skipping = False

    @property
    def unread_bytes(self) -> int:
        """How much of what was sent waits because the agent does not read."""
        return self._stdin.transport.get_write_buffer_size()

    def allow(self, count_bytes: int) -> None:
        """Let the agent say so much from here on."""
        self._allowed = self._left = count_bytes

    async def receive(self) -> dict[str, Any] | None:
        """Return the next message, None at the end.

        Raises:
            AgentError: It said more than is allowed, or too many lines that are too long.
        """
        while True:
            while self._lines:
                message = self._read(self._lines.pop())
                if message is not None:
                    if "id" in message or not message["method"].startswith(PRIVATE):
                        self.heard_at = asyncio.get_running_loop().time()
                    return message
            chunk = await self._stdout.read(CHUNK_BYTES)
            if not chunk:
                self.is_cut_off = bool(self._partial)
                return None
            self._left -= len(chunk)
            if self._left < 0:
                raise AgentError(f"it said more than {self._allowed} bytes in one turn")
            self._split(chunk)
            await asyncio.sleep(0)  # a chatty agent must not keep the others waiting

    async def send(self, message: dict[str, Any]) -> None:
        """Write a message; waits while the agent does not read.

        Raises:
            ConnectionError: The process is gone.
        """
        self._stdin.write(_line(message))
        await self._stdin.drain()

    def post(self, message: dict[str, Any]) -> None:
        """Write a small message without waiting; a process that is gone gets none."""
        if not self._stdin.is_closing():
            self._stdin.write(_line(message))

    def close(self) -> None:
        """Close the process's input; most agents leave then."""
        self._stdin.close()

    def _split(self, chunk: bytes) -> None:
        first, *others = chunk.split(b"\n")
        ready: list[bytes] = []
        self._grow(first)
        for part in others:
            if not self._is_skipping:
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
            self._drop(Violation.TOO_LONG, self._partial)
            self._partial = bytearray(b"...")  # all that is kept of it

    def _read(self, line: bytes) -> dict[str, Any] | None:
        if not line.strip():
            return None
        if len(line) > MAX_PARSED_BYTES:
            line = TEXT.sub(_cut, line, count=MAX_TEXTS)
        if len(line) > MAX_PARSED_BYTES:
            self._drop(Violation.TOO_LONG, line)
            return None
        try:
            message = _parsed(line.decode("utf-8-sig", errors="replace"))
        except (ValueError, RecursionError):
            message = {}
        if not _is_message(message):
            self._drop(Violation.NO_MESSAGE, line)
            return None
        return _well_formed(message)

    def _drop(self, oddity: Violation, line: bytes | bytearray) -> None:
        self._oddities.count(oddity, line[: 4 * SAMPLE_LENGTH].decode(errors="replace"))
        self._long_lines += oddity is Violation.TOO_LONG
        if self._long_lines >= MAX_LONG_LINES:
            raise AgentError(f"it said {self._long_lines} lines that are too long to be read")


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message, separators=(",", ":")).encode() + b"\n"


def _cut(text: re.Match[bytes]) -> bytes:
    """Keep the head of a long text, cut between two characters."""
    whole = text[0]
    if len(whole) <= LONG_TEXT_BYTES:
        return whole
    head = WHOLE_CHARACTERS.match(whole, 1, LONG_TEXT_BYTES)
    kept = head[0] if head else b""
    return b'"%s [... %d bytes cut]"' % (kept, len(whole) - len(kept) - 2)


def _parsed(line: str) -> dict[str, Any]:
    """Parse a line; what is no object is an empty one.

    Raises:
        ValueError: No JSON, or JSON that others could not read again.
        RecursionError: So deep that Python gives up.
    """
    message = as_dict(json.loads(line, parse_constant=_refused, parse_float=_finite))
    if line.count("{") + line.count("[") > MAX_DEPTH and _is_too_deep(message):
        raise ValueError("nested too deeply")
    return _whole(message) if HALF_CHARACTER.search(line) else message


def _refused(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def _finite(text: str) -> float:
    number = float(text)
    if abs(number) == float("inf"):
        raise ValueError("too large a number")
    return number


def _is_too_deep(value: Any) -> bool:
    """Go down level by level; recursion would end before the nesting does."""
    level = [value]
    for _ in range(MAX_DEPTH):
        level = [v for one in level for v in (*as_dict(one).values(), *as_list(one)) if v]
    return bool(level)


def _whole(value: Any) -> Any:
    """Replace half characters, which no encoding can write."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {_whole(k): _whole(v) for k, v in as_dict(value).items()}
    if isinstance(value, list):
        return [_whole(item) for item in as_list(value)]
    return value


def _is_message(message: dict[str, Any]) -> bool:
    number, method = message.get("id"), message.get("method")
    if "id" not in message:
        return isinstance(method, str)
    is_id = type(number) is int or (isinstance(number, str) and len(number) <= MAX_ID_LENGTH)
    return is_id and isinstance(method, str | None)


def _well_formed(message: dict[str, Any]) -> dict[str, Any]:
    """Give an error its shape."""
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
