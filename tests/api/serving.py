"""A real server on a real port, and what is said to it byte by byte."""

import asyncio
import contextlib
import json
from dataclasses import dataclass

import httpx

from api.app import create_app
from api.core.listeners import bound
from api.server import Server, private_socket


@contextlib.asynccontextmanager
async def serving(settings, client=None, limits=None):
    """Yield the journal, a client with the token, and the server."""
    app = create_app(settings, client, limits)
    with bound(settings.api_port) as listener, private_socket(settings.api_socket) as private:
        server = Server(app)
        task = asyncio.create_task(server.serve(sockets=[listener, *private]))
        token = settings.token_file.read_text().strip()
        async with httpx.AsyncClient(
            base_url=settings.api_url,
            headers={"Authorization": f"Bearer {token}", "X-Treadle": "1"},
            timeout=60,
        ) as http:
            try:
                await http.get("/v1/health")  # answered once the journal is open
                yield app.state.journal, http, server
            finally:
                server.should_exit = True
                await task


@dataclass
class Answer:
    """What came back, as it came."""

    status: int
    head: str
    body: bytes

    @property
    def problem(self):
        """The name of the problem, empty where it is none."""
        if "application/problem+json" not in self.head:
            return ""
        return json.loads(self.body)["type"].removeprefix("treadle:")


def filled(settings, piece):
    """Put what the server expects in the places of `{host}` and `{token}`."""
    token = settings.token_file.read_bytes().strip()
    host = b"127.0.0.1:%d" % settings.api_port
    return piece.replace(b"{host}", host).replace(b"{token}", token)


async def say(settings, *pieces):
    """Send raw bytes in pieces on a connection of their own; return the first answer.

    `{host}` and `{token}` stand for what the server expects.
    """
    reader, writer = await asyncio.open_connection("127.0.0.1", settings.api_port)
    with contextlib.closing(writer):
        async with asyncio.timeout(60):
            hearing = asyncio.create_task(heard(reader))
            with contextlib.suppress(ConnectionError):  # it may answer and close before the end
                for piece in pieces:
                    if hearing.done():
                        break
                    writer.write(filled(settings, piece))
                    await writer.drain()
                    await asyncio.sleep(0)
            return await hearing


async def heard(reader):
    """Read one answer that tells its length."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    lines = head.lower().split("\r\n")
    length = next((int(x.split(":")[1]) for x in lines if x.startswith("content-length")), 0)
    return Answer(int(head.split()[1]), head.lower(), await reader.readexactly(length))
