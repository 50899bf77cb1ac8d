"""Whether the parts of an engine answer, seen from outside."""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from adapters import part_readiness
from adapters.part_readiness import answers_http, note_polls, notes_polls, speaks_http2
from tests.free_ports import free_ports

SETTINGS_FRAME = bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))


@asynccontextmanager
async def answering(greeting: bytes) -> AsyncGenerator[int]:
    """A server that sends bytes to whoever connects, then closes; none, and it stays silent."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if greeting:
            writer.write(greeting)
        else:
            await reader.read()
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()[1]


@pytest.mark.parametrize(
    ("greeting", "answers"),
    [
        (SETTINGS_FRAME, True),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", False),
        (b"\0\0", False),
        (b"", False),
    ],
    ids=["settings", "another protocol", "cut off", "silent"],
)
async def test_a_server_speaks_http2_when_it_greets(monkeypatch, greeting: bytes, answers: bool):
    monkeypatch.setattr(part_readiness, "ANSWER_SECONDS", 0.2 if not greeting else 10)
    async with answering(greeting) as port:
        assert await speaks_http2(port) is answers


@pytest.mark.parametrize(("status", "answers"), [(b"200 OK", True), (b"503 No", False)])
async def test_http_answers_when_it_succeeds(status: bytes, answers: bool):
    async with answering(b"HTTP/1.1 " + status + b"\r\n\r\n") as port:
        assert await answers_http(port, "/v1/health") is answers


async def test_nobody_answers_on_a_free_port():
    (port,) = free_ports(1)
    assert not await speaks_http2(port)
    assert not await answers_http(port, "/")


def test_only_the_process_that_noted_it_polls(tmp_path: Path):
    assert not notes_polls(tmp_path, os.getpid())
    note_polls(tmp_path)
    assert notes_polls(tmp_path, os.getpid())
    assert not notes_polls(tmp_path, os.getpid() + 1)


def test_an_earlier_process_of_the_same_id_tells_nothing_of_this_one(tmp_path: Path):
    (tmp_path / part_readiness.WORKER_POLLS).write_text(f"{os.getpid()} 1700000000.0")
    assert not notes_polls(tmp_path, os.getpid())
