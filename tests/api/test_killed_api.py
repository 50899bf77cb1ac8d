"""The API is killed while it streams; whoever asks again at its last id misses nothing."""

import asyncio
import os
import sys
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
from httpx_sse import aconnect_sse

ROOT = Path(__file__).parents[2]
SERVE = "from api.server import main; main()"
EVENTS, AT_ONCE = 2_000, 20
AHEAD = EVENTS // 2
"""So many are written before the API is killed: it sends no others ahead of a slow reader."""


async def started(*command, environment=None):
    return await asyncio.create_subprocess_exec(
        sys.executable, *command, cwd=ROOT, env=environment, stdout=asyncio.subprocess.DEVNULL
    )


async def serve(settings):
    """Start an API of its own process, and wait until it answers."""
    values = {
        "TREADLE_DATA_DIR": settings.data_dir,
        "TREADLE_API_PORT": settings.api_port,
        "TREADLE_TEMPORAL_PORT": settings.temporal_port,
    }
    given = {**os.environ, **{name: str(value) for name, value in values.items()}}
    process = await started("-c", SERVE, environment=given)
    async with httpx.AsyncClient(base_url=settings.api_url) as http:
        while True:
            try:
                await http.get("/v1/health")
            except httpx.TransportError:
                assert process.returncode is None
                await asyncio.sleep(0.05)  # until it listens
            else:
                return process


async def read(settings, after, process=None):
    """Return what is streamed after a position: to the end, or until the API is killed under it."""
    found = []
    token = settings.token_file.read_text().strip()
    headers = {"Authorization": f"Bearer {token}", "Last-Event-ID": str(after)}
    path = "/v1/stream?topics=thread:thread-s,thread:thread-t,inbox,threads"
    async with (
        httpx.AsyncClient(base_url=settings.api_url, headers=headers, timeout=60) as client,
        aconnect_sse(client, "GET", path) as source,
    ):
        try:
            async for event in source.aiter_sse():
                if event.event == "journal":
                    found.append(int(event.id))
                if process is not None and len(found) == EVENTS // 3:
                    process.kill()
                if found and found[-1] == EVENTS:
                    return found
        except httpx.TransportError:
            assert process is not None
    return found


@asynccontextmanager
async def writing(settings, name, count):
    """Have another process write events meanwhile, all of them."""
    url = f"sqlite:///{settings.data_dir / 'journal.db'}"
    command = ("-m", "tests.adapters.journal_writer", url, name, str(count), str(AT_ONCE))
    writer = await started(*command)
    try:
        yield
        assert await writer.wait() == 0
    finally:
        if writer.returncode is None:
            writer.kill()
            await writer.wait()


async def test_a_killed_api_leaves_no_gap_and_no_repeat_in_a_stream(settings):
    first = await serve(settings)
    async with asyncio.timeout(120), writing(settings, "s", AHEAD):
        before = await read(settings, 0, first)
        await first.wait()
        async with writing(settings, "t", EVENTS - AHEAD):
            second = await serve(settings)
            try:
                after = await read(settings, before[-1])
            finally:
                second.kill()
                await second.wait()

    assert EVENTS // 3 <= len(before) <= AHEAD
    assert before + after == list(range(1, EVENTS + 1))
