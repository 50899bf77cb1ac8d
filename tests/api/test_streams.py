import asyncio
import contextlib

import httpx
import pytest
from httpx_sse import aconnect_sse

from api.app import create_app
from api.server import PortTakenError, Server, bound
from tests.api.conftest import event


@contextlib.asynccontextmanager
async def serving(settings):
    """A real server on a real port; yields its journal and a client."""
    app = create_app(settings)
    with bound(settings.api_port) as listener:
        server = Server(app)
        task = asyncio.create_task(server.serve(sockets=[listener]))
        token = settings.token_file.read_text().strip()
        async with httpx.AsyncClient(
            base_url=settings.api_url,
            headers={"Authorization": f"Bearer {token}", "X-Treadle": "1"},
            timeout=10,
        ) as client:
            try:
                await client.get("/v1/health")  # answered once the journal is open
                yield app.state.journal, client, server
            finally:
                server.should_exit = True
                await task


async def take(client, path, count, **headers):
    async with aconnect_sse(client, "GET", path, headers=headers) as source:
        source.response.raise_for_status()
        events = source.aiter_sse()
        async with asyncio.timeout(20):
            return [await anext(events) for _ in range(count)]


async def test_a_stream_taken_up_again_has_no_gap_and_no_repeat(settings):
    async with serving(settings) as (journal, client, _):
        writing = asyncio.create_task(write(journal, 300))
        seen = await take(client, "/v1/events", 100)
        while len(seen) < 300:
            last = seen[-1].id
            seen += await take(client, "/v1/events", 50, **{"Last-Event-ID": last})
        await writing

    assert [int(e.id) for e in seen] == list(range(1, 301))
    assert [e.json()["event"]["id"] for e in seen] == [f"thread-a:{n}" for n in range(300)]


async def write(journal, count):
    for number in range(count):
        await journal.append([event(number)])


async def test_a_thread_s_stream_holds_what_is_below_it_after_a_position(settings):
    async with serving(settings) as (journal, client, _):
        await journal.append([event(0), event(0, "thread-b"), event(0, "thread-a/t1")])
        whole = await take(client, "/v1/threads/thread-a/events/stream", 2)
        rest = await take(client, "/v1/threads/thread-a/events/stream?after=1", 1)

    assert [e.json()["event"]["stream"] for e in whole] == ["thread-a", "thread-a/t1"]
    assert rest[0].id == whole[1].id


async def test_streams_end_when_the_server_stops(settings):
    async with serving(settings) as (journal, client, server):
        await journal.append([event(0)])
        async with aconnect_sse(client, "GET", "/v1/events") as source:
            events = source.aiter_sse()
            await anext(events)
            server.should_exit = True
            async with asyncio.timeout(4):  # less than the server's grace
                rest = [e async for e in events]

    assert rest == []


async def test_a_last_event_id_that_is_no_position_is_refused(settings):
    async with serving(settings) as (_, client, _server):
        answer = await client.get("/v1/events", headers={"Last-Event-ID": "garbage"})
    assert answer.status_code == 422


async def test_a_taken_port_is_named_with_the_setting_that_changes_it(settings):
    with (
        bound(settings.api_port),
        pytest.raises(PortTakenError, match=rf"{settings.api_port}.*TREADLE_API_PORT"),
        bound(settings.api_port),
    ):
        pass


GET = b"GET /v1/threads HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n"
POST = GET.replace(b"GET", b"POST") + b"X-Treadle: 1\r\n"


@pytest.mark.parametrize(
    ("request_bytes", "status"),
    [
        (GET + b"\r\n", 200),
        (GET + b"Host: {host}\r\n\r\n", 400),
        (b"GET /v1/threads HTTP/1.1\r\nAuthorization: Bearer {token}\r\n\r\n", 400),
        (b"GET /v1/threads HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421),
        (GET + b"Origin: null\r\nOrigin: http://{host}\r\n\r\n", 403),
        (GET + b"Authorization: Bearer x\r\n\r\n", 401),
        (GET + b"X-Large: " + b"a" * 70_000 + b"\r\n\r\n", 431),
        (GET + b"X-Many: a\r\n" * 200 + b"\r\n", 431),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400),
        (b"GARBAGE\r\n\r\n", 400),
        (GET.replace(b"/v1/threads", b"/v1/threads/\xff\xfe") + b"\r\n", 400),
        (GET.replace(b"/v1/threads", b"/v1/threads/..%2f..%2f") + b"\r\n", 404),
        (GET.replace(b"/v1/threads", b"http://evil.example/v1/threads") + b"\r\n", 404),
        (POST + b"Content-Type: application/json\r\nContent-Length: -1\r\n\r\n", 400),
        (POST + b"Content-Type: application/json\r\nContent-Length: 300000\r\n\r\n", 413),
        (
            POST + b"Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            400,
        ),
        (POST + b"Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{]", 400),
    ],
)
async def test_hostile_bytes_are_answered_and_never_with_5xx(settings, request_bytes, status):
    async with serving(settings) as (_, client, _server):
        token = settings.token_file.read_bytes().strip()
        host = b"127.0.0.1:%d" % settings.api_port
        reader, writer = await asyncio.open_connection("127.0.0.1", settings.api_port)
        with contextlib.closing(writer):
            writer.write(request_bytes.replace(b"{host}", host).replace(b"{token}", token))
            async with asyncio.timeout(10):
                first_line = await reader.readline()
        still_there = await client.get("/v1/health")

    assert int(first_line.split()[1]) == status
    assert still_there.status_code == 200
