"""The model stub by HTTPS under any name, behind a proxy of the user's own that leads nowhere else."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

_HEAD_BYTES = 64 << 10
_CHUNK_BYTES = 64 << 10


@dataclass
class UserProxy:
    """A proxy as companies have one. It leads `hosts` to a port of this machine, and others nowhere.

    `reached` and `missed` are the places that were asked of it, HOST:PORT, in order.
    """

    hosts: tuple[str, ...]
    server_port: int
    url: str = ""
    reached: list[str] = field(default_factory=list[str])
    missed: list[str] = field(default_factory=list[str])
    clients: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])

    def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve a client in a task that is kept until it ends."""
        task = asyncio.create_task(self._serve(reader, writer))
        self.clients.add(task)
        task.add_done_callback(self.clients.discard)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            method, place, *_ = head.decode("latin-1").split(" ")
            if method == "CONNECT" and place in {f"{host}:443" for host in self.hosts}:
                self.reached.append(place)
                server = await asyncio.open_connection("127.0.0.1", self.server_port)
                writer.write(b"HTTP/1.1 200 OK\r\n\r\n")
                await asyncio.gather(_copy(reader, server[1]), _copy(server[0], writer))
            else:
                self.missed.append(place)
                writer.write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
        except (OSError, EOFError):
            pass  # a client that went away
        finally:
            writer.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while chunk := await reader.read(_CHUNK_BYTES):
            writer.write(chunk)
            await writer.drain()
    finally:
        writer.close()


@asynccontextmanager
async def user_proxy(hosts: tuple[str, ...], server_port: int) -> AsyncIterator[UserProxy]:
    """Serve a user's proxy on loopback."""
    proxy = UserProxy(hosts, server_port)
    server = await asyncio.start_server(proxy.accept, "127.0.0.1", 0, limit=_HEAD_BYTES)
    proxy.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield proxy
    finally:
        server.close()
        for task in proxy.clients:
            task.cancel()
        await asyncio.gather(*proxy.clients, return_exceptions=True)
