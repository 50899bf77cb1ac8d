"""A started process with its pipes, begun and awaited by an OS thread of its own.

A parent-death signal comes when the *thread* that started a process ends (prctl(2)), and Landlock
confines a thread: one thread for each process, which lives as long as it does, suits both.
"""

import asyncio
import subprocess
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any

from adapters.processes.landlock import PortRules, restrict_thread


@dataclass(frozen=True)
class Start:
    """What to start; `rules` confine its network, `is_merged` sends standard error to the output."""

    argv: tuple[str, ...]
    cwd: Path
    environment: dict[str, str]
    is_merged: bool
    rules: PortRules | None = None


class _Pipe(asyncio.StreamReaderProtocol):
    """One end of a pipe; tells when it is closed."""

    def __init__(self, reader: asyncio.StreamReader, closed: Callable[[], None]) -> None:
        super().__init__(reader)
        self._on_end = closed
        self._held = reader  # asyncio holds it weakly

    def connection_lost(self, exc: Exception | None) -> None:
        """Note the end; called by the event loop."""
        super().connection_lost(exc)
        self._on_end()


class Process:
    """A running process. Its exit and the end of its pipes are told apart: a pipe can be held for ever."""

    stdin: asyncio.StreamWriter
    stdout: asyncio.StreamReader
    stderr: asyncio.StreamReader | None = None

    def __init__(self, popen: subprocess.Popen[bytes], exited: asyncio.Future[None]) -> None:
        self.exited = exited
        self.closed: asyncio.Future[None] = exited.get_loop().create_future()
        self.pid = popen.pid
        self._popen = popen
        self._transports: list[asyncio.BaseTransport] = []
        self._open_pipes = 0

    @property
    def returncode(self) -> int | None:
        """The exit code as subprocess gives it, None while it runs."""
        return self._popen.returncode if self.exited.done() else None

    async def connect(self, line_limit_bytes: int) -> None:
        """Connect the pipes to the event loop."""
        popen, loop = self._popen, asyncio.get_running_loop()
        transport, protocol = await loop.connect_write_pipe(
            lambda: _Pipe(asyncio.StreamReader(), lambda: None), _there(popen.stdin)
        )
        self._transports.append(transport)
        self.stdin = asyncio.StreamWriter(transport, protocol, None, loop)
        self.stdout = await self._reader(_there(popen.stdout), line_limit_bytes)
        if popen.stderr is not None:
            self.stderr = await self._reader(popen.stderr, line_limit_bytes)

    def kill(self) -> None:
        """Kill it; one that is gone is fine."""
        self._popen.kill()

    def close(self) -> None:
        """Close what is open of the pipes."""
        for transport in self._transports:
            transport.close()

    async def _reader(self, pipe: IO[bytes], limit: int) -> asyncio.StreamReader:
        reader = asyncio.StreamReader(limit)
        self._open_pipes += 1
        loop = asyncio.get_running_loop()
        transport, _ = await loop.connect_read_pipe(lambda: _Pipe(reader, self._one_closed), pipe)
        self._transports.append(transport)
        return reader

    def _one_closed(self) -> None:
        self._open_pipes -= 1
        if not self._open_pipes and not self.closed.done():
            self.closed.set_result(None)


async def start_process(start: Start, line_limit_bytes: int) -> Process:
    """Start a process with pipes, in a session of its own.

    Raises:
        OSError: It cannot be started, or not confined.
    """
    exited = asyncio.get_running_loop().create_future()
    begun: SimpleQueue[subprocess.Popen[bytes] | Exception] = SimpleQueue()
    Thread(target=_tend, args=(start, begun, exited), daemon=True).start()
    popen = begun.get()  # as long as a start takes, which is a moment
    if isinstance(popen, Exception):
        raise popen
    process = Process(popen, exited)
    try:
        await process.connect(line_limit_bytes)
    except BaseException:
        process.kill()
        process.close()
        raise
    return process


def _tend(start: Start, begun: SimpleQueue[Any], exited: asyncio.Future[None]) -> None:
    """Start a process and wait for its end; the whole life of a thread."""
    try:
        if start.rules is not None:
            restrict_thread(start.rules)
        popen = subprocess.Popen(  # noqa: S603 - the spawner's arguments
            start.argv,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT if start.is_merged else subprocess.PIPE,
            cwd=start.cwd,
            env=start.environment,
            start_new_session=True,
        )
    except Exception as error:  # noqa: BLE001 - a thread's entry: it is raised where it is awaited
        begun.put(error)
        return
    begun.put(popen)
    popen.wait()
    with suppress(RuntimeError):  # its event loop is closed: nobody asks any more
        exited.get_loop().call_soon_threadsafe(_done, exited)


def _done(exited: asyncio.Future[None]) -> None:
    if not exited.done():
        exited.set_result(None)


def _there(pipe: IO[bytes] | None) -> IO[bytes]:
    if pipe is None:
        raise RuntimeError("a process is started with pipes for input and output")
    return pipe
