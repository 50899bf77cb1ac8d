"""Standard input and output as the two ends of the protocol, a JSON-RPC message on each line.

Nothing else gets onto standard output: what is printed there by mistake goes to standard error.
"""

import asyncio
import json
import os
import sys
from typing import Any

from acp.meta import CLIENT_METHODS

LONGEST_LINE_BYTES = 128 << 20
"""A prompt with ten files of the largest size that a message takes, in base64."""

PARSE_ERROR, INVALID_REQUEST = -32700, -32600

Message = dict[str, Any]


class Stdio:
    """The connection to the editor; it knows by which id each permission request went out."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._sending = asyncio.Lock()
        self._asked: dict[str, Any] = {}

    async def send(self, message: Message) -> None:
        """Send one message, whole.

        Raises:
            ConnectionError: The editor is gone.
        """
        if message.get("method") == CLIENT_METHODS["session_request_permission"]:
            self._asked[message["params"]["toolCall"]["toolCallId"]] = message["id"]
        line = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
        async with self._sending:
            self._writer.write(line.encode(errors="replace") + b"\n")
            await self._writer.drain()

    async def receive(self) -> Message | None:
        """Return the next message, None at the end; what is no message is answered with an error."""
        while True:
            try:
                line = await self._reader.readline()
            except ValueError:
                await self._refuse(INVALID_REQUEST, "the message is too long")
                continue
            if not line:
                return None
            if not line.strip():
                continue
            try:
                message = _read(line)
            except (ValueError, RecursionError):
                await self._refuse(PARSE_ERROR, "the line is not JSON")
                continue
            if isinstance(message, dict):
                return message  # pyright: ignore[reportUnknownVariableType]  (JSON)
            await self._refuse(INVALID_REQUEST, "the line is not a message of JSON-RPC")

    async def close(self) -> None:
        """End what is sent."""
        self._writer.close()

    def take_asked(self, tool_call: str) -> Any:
        """Return the id of the request that asked with a tool call, once."""
        return self._asked.pop(tool_call, None)

    async def _refuse(self, code: int, message: str) -> None:
        await self.send({"jsonrpc": "2.0", "id": None, "error": {"code": code, "message": message}})


def _read(line: bytes) -> Any:
    """Read a line; what an editor cut in the middle of a character becomes a question mark.

    Raises:
        ValueError: It is no JSON.
    """
    message = json.loads(line, parse_constant=_no_number)
    if b"\\ud" not in line.lower():
        return message
    return json.loads(json.dumps(message, ensure_ascii=False).encode(errors="replace"))


def _no_number(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


async def open_stdio() -> Stdio:
    """Take standard input and output over for the protocol."""
    loop = asyncio.get_running_loop()
    reader = asyncio.StreamReader(limit=LONGEST_LINE_BYTES)
    await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), sys.stdin)
    sys.stdout.flush()
    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb", buffering=0)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, output)
    return Stdio(reader, asyncio.StreamWriter(transport, protocol, None, loop))
