import asyncio
import socket

import pytest
from httpx_sse import aconnect_sse

from api.core.listeners import PortTakenError, bound
from tests.api.conftest import event
from tests.api.serving import serving


async def take(client, path, count, **headers):
    async with aconnect_sse(client, "GET", path, headers=headers) as source:
        source.response.raise_for_status()
        events = source.aiter_sse()
        async with asyncio.timeout(60):
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
            server.config.timeout_graceful_shutdown = 600  # only it would end them otherwise
            server.should_exit = True
            async with asyncio.timeout(60):
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


async def test_what_is_sent_waits_for_no_acknowledgement(settings):
    met = asyncio.get_running_loop().create_future()

    def take(_, writer):
        connection = writer.get_extra_info("socket")
        met.set_result(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
        writer.close()

    with bound(settings.api_port) as listener:
        async with await asyncio.start_server(take, sock=listener):
            _, writer = await asyncio.open_connection("127.0.0.1", settings.api_port)
            assert await met
            writer.close()
