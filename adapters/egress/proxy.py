"""The proxy of sandboxes: CONNECT and plain HTTP on a loopback port, with a token for each sandbox."""

import asyncio
import logging
from typing import Self

from adapters.egress.dialing import Connection, Dialing, PrivateAddressError, UnreachableError
from adapters.egress.doors import ASK_SECONDS, Door, Gate, RefusedError
from adapters.egress.heads import MAX_HEAD_BYTES, BadHeadError, Head, read_head
from domain.agents.sandbox import Sandbox

MAX_CONNECTIONS = 256
"""Of one sandbox at the same time."""

HEAD_SECONDS = 30.0
HALF_OPEN_SECONDS = 300.0
"""How long one side may go on when the other has said all that it will."""

_CHUNK_BYTES = 64 << 10
_USER = "treadle"
_LOCAL = "localhost,127.0.0.1"
_REASON_CHARACTERS = 200
_PRIVATE = (
    "its address is one of a private network, or this machine's own; the user can name the host in "
    "TREADLE_SANDBOX_HOSTS"
)

log = logging.getLogger(__name__)


class EgressProxy:
    """Lets sandboxes reach hosts; start it once in a worker. Each sandbox opens a door of its own."""

    def __init__(self, dialing: Dialing | None = None, ask_seconds: float = ASK_SECONDS) -> None:
        self._dialing = dialing or Dialing()
        self._ask_seconds = ask_seconds
        self._doors: dict[str, Door] = {}
        self._server: asyncio.Server | None = None
        self._clients: set[asyncio.Task[None]] = set()
        self.port = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(
            self._accept, "127.0.0.1", 0, limit=MAX_HEAD_BYTES
        )
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_exc: object) -> None:
        for door in [*self._doors.values()]:
            self.close(door)
        if self._server is not None:
            self._server.close()
        for task in self._clients:
            task.cancel()
        await asyncio.gather(*self._clients, return_exceptions=True)

    def open(self, sandbox: Sandbox, gate: Gate | None = None) -> Door:
        """Let a sandbox in; it is closed when its process has ended."""
        door = Door(sandbox, gate, self._ask_seconds)
        self._doors[door.token] = door
        return door

    def close(self, door: Door) -> None:
        """Let nobody through any more, and end what passes; once more is fine."""
        self._doors.pop(door.token, None)
        door.close()

    def environment(self, door: Door) -> dict[str, str]:
        """Return the variables by which programs find the proxy."""
        url = f"http://{_USER}:{door.token}@127.0.0.1:{self.port}"
        names = ("HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy")
        direct = dict.fromkeys(("NO_PROXY", "no_proxy"), _LOCAL)
        return {**dict.fromkeys(names, url), **direct, "NODE_USE_ENV_PROXY": "1"}

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._served(reader, writer), name="proxy")
        self._clients.add(task)
        task.add_done_callback(self._clients.discard)
        task.add_done_callback(lambda _: writer.close())  # also if it was cancelled before it began

    async def _served(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._serve(reader, writer)
        except (OSError, EOFError, TimeoutError, asyncio.LimitOverrunError):
            log.debug("a client of the proxy went away")
        except asyncio.CancelledError:
            writer.transport.abort()  # its door was closed

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async with asyncio.timeout(HEAD_SECONDS):
            data = await reader.readuntil(b"\r\n\r\n")
        try:
            head = read_head(data)
        except BadHeadError as error:
            await _answer(writer, "400 Bad Request", str(error))
            return
        door = self._doors.get(head.token)
        if door is None:
            more = 'Proxy-Authenticate: Basic realm="Treadle"\r\n'
            explanation = "this proxy serves Treadle's sandboxes only"
            await _answer(writer, "407 Proxy Authentication Required", explanation, more)
        elif len(door.connections) >= MAX_CONNECTIONS:
            await _answer(writer, "503 Too many connections", "too many connections at once")
        else:
            await self._pass(door, head, (reader, writer))

    async def _pass(self, door: Door, head: Head, client: Connection) -> None:
        task = asyncio.current_task()
        if task is None:
            raise RuntimeError("a connection is served by a task of its own")
        door.connections.add(task)
        try:
            server = await self._reached(door, head, client)
            if server is not None:
                await _relay(client, server)
        finally:
            door.connections.discard(task)

    async def _reached(self, door: Door, head: Head, client: Connection) -> Connection | None:
        """Connect to where a client wants to go, and tell it; None where it may or can not."""
        host, port = head.host, head.port
        try:
            await door.admit(host, port)
            private = door.allows_private(host, port)
            server = await self._dialing.dial(host, port, may_be_private=private)
        except RefusedError as error:
            await _answer(client[1], "403 Forbidden", error.explanation)
            return None
        except PrivateAddressError:
            door.refuse(host, port)
            await _answer(client[1], "403 Forbidden", f"{host} is not reached: {_PRIVATE}")
            return None
        except UnreachableError as error:
            await _answer(client[1], "502 Bad Gateway", f"{host}:{port} is not reached: {error}")
            return None
        if head.forwarded:
            server[1].write(head.forwarded)
        else:
            client[1].write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        return server


async def _relay(one: Connection, other: Connection) -> None:
    """Carry bytes both ways until both have ended, or one has and the other does not follow."""
    ways = {
        asyncio.create_task(_copy(one[0], other[1])),
        asyncio.create_task(_copy(other[0], one[1])),
    }
    try:
        _, left = await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        if left:
            await asyncio.wait(left, timeout=HALF_OPEN_SECONDS)
    finally:
        for way in ways:
            way.cancel()
        other[1].close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Carry bytes one way; where it breaks, the other end sees that too."""
    try:
        while chunk := await reader.read(_CHUNK_BYTES):
            writer.write(chunk)
            await writer.drain()
        writer.write_eof()
    except OSError:
        writer.transport.abort()


async def _answer(
    writer: asyncio.StreamWriter, status: str, explanation: str, more: str = ""
) -> None:
    """Answer a request that goes nowhere; clients that show no body of a tunnel show the reason."""
    code, _, reason = status.partition(" ")
    words = " ".join(explanation.split()).encode("ascii", "replace").decode()
    shown = f"{reason} - {words}"[:_REASON_CHARACTERS]
    body = f"Treadle's sandbox: {words}\n"
    head = f"HTTP/1.1 {code} {shown}\r\n{more}Content-Type: text/plain\r\n"
    writer.write(f"{head}Content-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}".encode())
    await writer.drain()
