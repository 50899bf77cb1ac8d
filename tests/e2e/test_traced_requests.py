"""A request that fails on its connection says how far it came."""

import asyncio

import httpx
import pytest

from tests.e2e.traced_requests import TracedTransport


async def _answer_once(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer the first request of a connection, and close it at the next one."""
    await reader.readuntil(b"\r\n\r\n")
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    await reader.readuntil(b"\r\n\r\n")
    writer.close()


async def test_an_error_says_whether_its_connection_was_new_and_its_request_sent() -> None:
    server = await asyncio.start_server(_answer_once, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()[:2]
    async with server, httpx.AsyncClient(transport=TracedTransport()) as client:
        await client.get(f"http://{host}:{port}/first")
        with pytest.raises(httpx.TransportError) as raised:
            await client.get(f"http://{host}:{port}/second")
    (note,) = raised.value.__notes__
    assert note.startswith("GET /second: ")
    assert "connect_tcp" not in note, "it was kept"
    assert "http11.send_request_body.complete" in note
    assert "http11.receive_response_headers.failed" in note
