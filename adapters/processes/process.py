"""A started process with its pipes or its terminal, begun and awaited by an OS thread of its own.

A parent-death signal comes when the *thread* that started a process ends (prctl(2)), and Landlock
confines a thread: one thread for each process, which lives as long as it does, suits both.
"""

import asyncio
import errno
import os
import subprocess
import termios
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import IO, Any

from adapters.processes.first_process import spare_first_process
from adapters.processes.landlock import PortRules, restrict_thread

_HELD_BYTES = 1 << 20
"""The most that a pipe of an ordinary user holds."""


@dataclass(frozen=True)
class Start:
    """What to start; `rules` confine its network, `is_merged` sends standard error to the output.

    One that `spares_first` cannot trace the first process of its namespace, nor can what it starts.
    With a `terminal`, its rows and columns, it has one in place of pipes, for all three. In the
    container with its files at `root`, the words of `enter` go before what keeps it together.
    """

    argv: tuple[str, ...]
    cwd: Path
    environment: dict[str, str]
    is_merged: bool
    rules: PortRules | None = None
    terminal: tuple[int, int] | None = None
    spares_first: bool = False
    root: Path | None = None
    enter: tuple[str, ...] = ()


@dataclass(frozen=True)
class _Begun:
    """A process and our ends of what it reads and writes."""

    popen: subprocess.Popen[bytes]
    stdin: IO[bytes]
    stdout: IO[bytes]
    stderr: IO[bytes] | None

    def close(self) -> None:
        """Close our ends, also those that no event loop has taken."""
        for pipe in filter(None, (self.stdin, self.stdout, self.stderr)):
            pipe.close()


class _Pipe(asyncio.StreamReaderProtocol):
    """One end of a pipe or a terminal; tells when it is closed."""

    def __init__(self, reader: asyncio.StreamReader, closed: Callable[[], None]) -> None:
        super().__init__(reader)
        self._on_end = closed
        self._held = reader  # asyncio holds it weakly

    def connection_lost(self, exc: Exception | None) -> None:
        """Note the end; called by the event loop."""
        # how a terminal ends that no process has open any more; what it said before is still to be read
        is_hung_up = isinstance(exc, OSError) and exc.errno == errno.EIO
        super().connection_lost(None if is_hung_up else exc)
        self._on_end()


class Process:
    """A running process. Its exit and the end of its pipes are told apart: a pipe can be held for ever."""

    stdin: asyncio.StreamWriter
    stdout: asyncio.StreamReader
    stderr: asyncio.StreamReader | None = None

    def __init__(self, begun: _Begun, exited: asyncio.Future[None]) -> None:
        self.exited = exited
        self.closed: asyncio.Future[None] = exited.get_loop().create_future()
        self.pid = begun.popen.pid
        self._begun = begun
        self._popen = begun.popen
        self._transports: list[asyncio.BaseTransport] = []
        self._read: list[tuple[asyncio.BaseTransport, asyncio.StreamReader, IO[bytes]]] = []
        self._open_pipes = 0

    @property
    def returncode(self) -> int | None:
        """The exit code as subprocess gives it, None while it runs."""
        return self._popen.returncode if self.exited.done() else None

    async def connect(self, line_limit_bytes: int) -> None:
        """Connect the pipes to the event loop."""
        begun, loop = self._begun, asyncio.get_running_loop()
        transport, protocol = await loop.connect_write_pipe(
            lambda: _Pipe(asyncio.StreamReader(), lambda: None), begun.stdin
        )
        self._transports.append(transport)
        self.stdin = asyncio.StreamWriter(transport, protocol, None, loop)
        self.stdout = await self._reader(begun.stdout, line_limit_bytes)
        if begun.stderr is not None:
            self.stderr = await self._reader(begun.stderr, line_limit_bytes)

    def kill(self) -> None:
        """Kill it; one that is gone is fine."""
        self._popen.kill()

    def close(self) -> None:
        """Close what is open of the pipes; what they hold by now is still read."""
        for transport, reader, pipe in self._read:
            if not transport.is_closing():
                _take_rest(reader, pipe)
        for transport in self._transports:
            transport.close()

    async def _reader(self, pipe: IO[bytes], limit: int) -> asyncio.StreamReader:
        reader = asyncio.StreamReader(limit)
        self._open_pipes += 1
        loop = asyncio.get_running_loop()
        transport, _ = await loop.connect_read_pipe(lambda: _Pipe(reader, self._one_closed), pipe)
        self._transports.append(transport)
        self._read.append((transport, reader, pipe))
        return reader

    def _one_closed(self) -> None:
        self._open_pipes -= 1
        if not self._open_pipes and not self.closed.done():
            self.closed.set_result(None)


def _take_rest(reader: asyncio.StreamReader, pipe: IO[bytes]) -> None:
    """Read what a pipe holds, which is not much, and no more: somebody may write to it for ever."""
    left = _HELD_BYTES
    with suppress(OSError):  # nothing more for now, or a terminal that no process has open
        while left > 0 and (chunk := os.read(pipe.fileno(), left)):
            reader.feed_data(chunk)
            left -= len(chunk)


async def start_process(start: Start, line_limit_bytes: int) -> Process:
    """Start a process with pipes or a terminal, in a session of its own.

    Raises:
        OSError: It cannot be started, or not confined.
    """
    exited = asyncio.get_running_loop().create_future()
    answer: SimpleQueue[_Begun | Exception] = SimpleQueue()
    Thread(target=_tend, args=(start, answer, exited), daemon=True).start()
    begun = answer.get()  # as long as a start takes, which is a moment
    if isinstance(begun, Exception):
        raise begun
    process = Process(begun, exited)
    try:
        await process.connect(line_limit_bytes)
    except BaseException:
        process.kill()
        process.close()
        begun.close()
        raise
    return process


def _tend(start: Start, answer: SimpleQueue[Any], exited: asyncio.Future[None]) -> None:
    """Start a process and wait for its end; the whole life of a thread."""
    try:
        if start.spares_first:
            spare_first_process()
        if start.rules is not None:
            restrict_thread(start.rules)
        begun = (
            _with_pipes(start) if start.terminal is None else _with_terminal(*start.terminal, start)
        )
    except Exception as error:  # noqa: BLE001 - a thread's entry: it is raised where it is awaited
        answer.put(error)
        return
    answer.put(begun)
    begun.popen.wait()
    with suppress(RuntimeError):  # its event loop is closed: nobody asks any more
        exited.get_loop().call_soon_threadsafe(_done, exited)


def _with_pipes(start: Start) -> _Begun:
    errors = subprocess.STDOUT if start.is_merged else subprocess.PIPE
    popen = _popen(start, subprocess.PIPE, subprocess.PIPE, errors)
    if popen.stdin is None or popen.stdout is None:
        raise RuntimeError("a process is started with pipes for input and output")
    return _Begun(popen, popen.stdin, popen.stdout, popen.stderr)


def _with_terminal(rows: int, columns: int, start: Start) -> _Begun:
    """Start a process with a terminal; only the process keeps the terminal's own end open."""
    ours, its = os.openpty()
    try:
        termios.tcsetwinsize(its, (rows, columns))
        popen = _popen(start, its, its, its)
    except BaseException:
        os.close(ours)
        raise
    finally:
        os.close(its)
    return _Begun(popen, os.fdopen(os.dup(ours), "wb", 0), os.fdopen(ours, "rb", 0), None)


def _popen(start: Start, stdin: int, stdout: int, stderr: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(  # noqa: S603 - the spawner's arguments
        start.argv,
        bufsize=0,
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        cwd=start.cwd,
        env=start.environment,
        start_new_session=True,
    )


def _done(exited: asyncio.Future[None]) -> None:
    if not exited.done():
        exited.set_result(None)
