"""What one caller may take of a running server."""

import asyncio
import contextlib
import socket
import stat
import time

import httpx
import pytest
from httpx_sse import aconnect_sse
from limits import RateLimitItemPerSecond

from api.core.rates import Limits
from settings import Settings
from tests.api.conftest import event
from tests.api.serving import filled, heard, say, serving
from tests.api.test_hostile_input import get, post
from tests.free_ports import free_ports

PAUSE = b"/v1/threads/thread-a/pause"


async def test_half_sent_headers_stop_nobody_and_are_gone_in_time(settings):  # T26
    limits = Limits(connections=256, read_seconds=2)
    async with serving(settings, limits=limits) as (_, http, server):
        slow = [await asyncio.open_connection("127.0.0.1", settings.api_port) for _ in range(300)]
        for _, writer in slow:
            writer.write(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
        assert (await http.get("/v1/threads")).status_code == 200
        assert len(server.server_state.connections) <= 256
        async with asyncio.timeout(60):
            ended = await asyncio.gather(
                *(reader.read() for reader, _ in slow), return_exceptions=True
            )
        for _, writer in slow:
            writer.close()
        assert (await http.get("/v1/threads")).status_code == 200
    assert all(isinstance(e, ConnectionError) or not e or b" 408 " in e[:20] for e in ended)


async def test_the_connection_that_has_been_idle_longest_makes_room_for_a_new_one(settings):
    async with serving(settings, limits=Limits(connections=3)) as (_, _http, server):
        request = filled(settings, get())
        oldest, other = [
            await asyncio.open_connection("127.0.0.1", settings.api_port) for _ in range(2)
        ]
        for reader, writer in (other, oldest):
            writer.write(request)
            await heard(reader)
        new = await asyncio.open_connection("127.0.0.1", settings.api_port)
        newer = await asyncio.open_connection("127.0.0.1", settings.api_port)
        assert await other[0].read() == b"", "the client's own goes first, then this one"
        oldest[1].write(request)
        assert (await heard(oldest[0])).status == 200
        assert len(server.server_state.connections) <= 3
        for _, writer in (oldest, other, new, newer):
            writer.close()


async def test_a_slow_body_is_answered_408(settings):
    async with serving(settings, limits=Limits(read_seconds=0.5)):
        answer = await say(settings, post(b"{}", PAUSE)[:-1])
    assert (answer.status, answer.problem) == (408, "body_too_slow")


async def test_too_many_writes_are_told_when_to_come_again(settings):
    async with serving(settings, limits=Limits(writes=RateLimitItemPerSecond(3, 60))) as (
        _,
        http,
        _s,
    ):
        answers = [await http.post("/v1/nothing", json={}) for _ in range(4)]
        reads = await http.get("/v1/threads")
    assert [a.status_code for a in answers] == [404, 404, 404, 429]
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 60
    assert reads.status_code == 200


async def test_guessing_the_token_becomes_slow(settings):
    limits = Limits(wrong_tokens=RateLimitItemPerSecond(2, 60), penalty_seconds=0.4)
    wrong = get().replace(b"Bearer {token}", b"Bearer wrong")
    async with serving(settings, limits=limits):
        for _ in range(2):
            await say(settings, wrong)
        began = time.monotonic()
        answer = await say(settings, wrong)
    assert answer.problem == "token_wrong"
    assert time.monotonic() - began >= 0.4


async def test_streams_are_counted_and_given_back(settings):
    async with serving(settings, limits=Limits(streams=1)) as (journal, http, _):
        await journal.append([event(0)])
        async with aconnect_sse(http, "GET", "/v1/events") as source:
            messages = source.aiter_sse()  # one that nobody holds closes its stream
            await anext(messages)
            refused = await http.get("/v1/events")
        async with asyncio.timeout(60):
            while True:
                async with aconnect_sse(http, "GET", "/v1/events") as again:
                    if again.response.status_code == 200:
                        break
                    await again.response.aread()
    assert (refused.status_code, refused.json()["type"]) == (429, "treadle:too_many_streams")


async def test_a_reader_who_takes_nothing_is_cut_off(settings):
    async with serving(settings, limits=Limits(unread_seconds=0.5)) as (journal, _, server):
        for first in range(0, 4000, 500):
            await journal.append([event(first + n, "thread-" + "a" * 900) for n in range(500)])
        token = settings.token_file.read_text().strip()
        with contextlib.closing(
            socket.create_connection(("127.0.0.1", settings.api_port))
        ) as reader:
            reader.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            host = f"127.0.0.1:{settings.api_port}"
            asked = (
                f"GET /v1/events HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\r\n"
            )
            reader.sendall(asked.encode())
            async with asyncio.timeout(60):
                while not server.server_state.tasks:  # noqa: ASYNC110  (nothing tells)
                    await asyncio.sleep(0.01)
                await asyncio.wait(list(server.server_state.tasks))


async def test_the_socket_is_private_and_asks_the_same(settings):
    async with serving(settings) as (_, http, _s):
        assert stat.S_IMODE(settings.api_socket.stat().st_mode) == 0o600
        transport = httpx.AsyncHTTPTransport(uds=str(settings.api_socket))
        async with httpx.AsyncClient(transport=transport, base_url=settings.api_url) as private:
            assert (await private.get("/v1/threads")).status_code == 401
            assert (await private.get("/v1/threads", headers=http.headers)).status_code == 200
            foreign = {**http.headers, "Host": "evil.example"}
            assert (await private.get("/v1/threads", headers=foreign)).status_code == 421
    assert not settings.api_socket.exists()


ROUTES = {
    "/v1/threads": 200,
    "/v1/openapi.json": 200,
    "/v1/events": 200,
    "/": 200,
    "/docs": 404,
    "/static/app.js": 404,
    "/v1/nothing": 404,
    "/ws": 404,
}
UPGRADE = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
HEADERS = {
    "none": (lambda b: b, None),
    "foreign host": (lambda b: b.replace(b"Host: {host}", b"Host: evil.example"), 421),
    "foreign origin": (lambda b: b[:-2] + b"Origin: http://evil.example\r\n\r\n", 403),
    "own origin": (lambda b: b[:-2] + b"Origin: http://{host}\r\n\r\n", None),
    "cross site": (lambda b: b[:-2] + b"Sec-Fetch-Site: cross-site\r\n\r\n", 403),
    "no token": (lambda b: b.replace(b"Authorization: Bearer {token}\r\n", b""), 401),
    "upgrade": (lambda b: b[:-2] + UPGRADE + b"\r\n", None),
    "foreign upgrade": (
        lambda b: b[:-2] + UPGRADE + b"Origin: http://evil.example\r\n\r\n",
        403,
    ),
    "preflight": (
        lambda b: (
            b.replace(b"GET", b"OPTIONS")[:-2]
            + b"Origin: http://evil.example\r\nAccess-Control-Request-Method: POST\r\n\r\n"
        ),
        403,
    ),
}


@pytest.fixture(scope="module")
async def door(tmp_path_factory):

    settings = Settings(
        data_dir=tmp_path_factory.mktemp("door") / "data",
        api_port=free_ports(1)[0],
        temporal_port=free_ports(1)[0],
    )
    async with serving(settings) as (journal, _, _server):
        await journal.append([event(0)])
        yield settings


@pytest.mark.parametrize("headers", HEADERS)
@pytest.mark.parametrize("route", ROUTES)
async def test_the_gate_stands_before_every_route(door, route, headers):
    change, refused = HEADERS[headers]
    reader, writer = await asyncio.open_connection("127.0.0.1", door.api_port)
    with contextlib.closing(writer):
        writer.write(filled(door, change(get(route.encode()))))
        async with asyncio.timeout(60):
            answer = await heard(reader)
    assert answer.status == (refused or ROUTES[route])
    assert "frame-ancestors 'none'" in answer.head
    assert "access-control" not in answer.head
