"""Whether processes on loopback answer, told without the library that speaks with them."""

import asyncio
import os
from pathlib import Path

import psutil

from adapters.files.state_files import write_atomic

ANSWER_SECONDS = 2.0
WORKER_POLLS = "worker.polls"
"""The file of the data folder in which a worker notes its process once Temporal saw it poll."""

_HTTP2_START = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
"""The preface of a client, and its empty frame of settings (RFC 9113, 3.4)."""

_FRAME_HEADER_BYTES = 9
_SETTINGS = 4


async def speaks_http2(port: int) -> bool:
    """Tell whether an HTTP/2 server, as of gRPC, greets who connects to a port of loopback."""
    greeting = await _answer(port, _HTTP2_START, _FRAME_HEADER_BYTES)
    return len(greeting) == _FRAME_HEADER_BYTES and greeting[3] == _SETTINGS


async def answers_http(port: int, path: str) -> bool:
    """Tell whether a GET of a path on a port of loopback succeeds."""
    request = f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n"
    success = b"HTTP/1.1 200"
    return await _answer(port, request.encode(), len(success)) == success


def note_polls(data_dir: Path) -> None:
    """Note that this process is a worker that takes tasks."""
    write_atomic(data_dir / WORKER_POLLS, _life_of(os.getpid()))


def notes_polls(data_dir: Path, pid: int) -> bool:
    """Tell whether the worker of a process has noted that it takes tasks."""
    try:
        return (data_dir / WORKER_POLLS).read_text() == _life_of(pid)
    except (OSError, psutil.Error):
        return False


def _life_of(pid: int) -> str:
    """Return what tells a process from an earlier one of the same id, as there are in containers."""
    return f"{pid} {psutil.Process(pid).create_time()}"


async def _answer(port: int, request: bytes, count: int) -> bytes:
    """Return the first bytes of an answer; fewer, or none, where nobody answers in time."""
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            try:
                writer.write(request)
                return await reader.readexactly(count)
            finally:
                writer.close()
    except (OSError, TimeoutError, asyncio.IncompleteReadError):
        return b""
