"""Runs shell commands: their output while they run, and their end with all that they started."""

import asyncio
import ctypes
import os
import shutil
import signal
import sys
import uuid
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from treadle_agent.providers import SECRETS

MARK = "TREADLE_AGENT_COMMAND"
UPDATE_SECONDS = 0.5
LIVE_BYTES = 8 << 10
HEAD_BYTES, TAIL_BYTES = 8 << 10, 24 << 10
MAX_LOG_BYTES = 64 << 20
KILL_ROUNDS = 20
PR_SET_CHILD_SUBREAPER = 36

QUIET = {
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_EDITOR": "true",
    "TERM": "dumb",
}
"""So that no command waits for a person at a terminal."""

Tell = Callable[[str], Awaitable[None]]


@dataclass(frozen=True)
class Finished:
    """How a command ended; `problem` says why it was ended, where it was."""

    output: str
    exit_code: int
    problem: str = ""


class Shell:
    """The commands of one session, in its folder; their output goes to files in `logs`.

    What a command leaves running in the background runs on, until `end`.
    """

    def __init__(self, cwd: Path, logs: Path) -> None:
        self._cwd = cwd
        self._logs = logs
        self._mark = uuid.uuid4().hex
        self._count = 0

    async def run(self, command: str, seconds: float, tell: Tell) -> Finished:
        """Run a command to its end or its time limit; `tell` gets its newest output as it comes.

        Cancelling ends it with all below it.

        Raises:
            OSError: It can't be started.
        """
        self._count += 1
        mark = f"{self._mark}/{self._count}/"
        self._logs.mkdir(parents=True, exist_ok=True)
        log = self._logs / f"command-{self._count}.log"
        with log.open("wb") as out:
            process = await asyncio.create_subprocess_exec(
                *(shutil.which("bash") or "/bin/sh", "-c", command),
                cwd=self._cwd,
                env=_environment() | {MARK: mark},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
        try:
            problem = await _watch(process, log, seconds, tell)
            if problem:
                await end_marked(mark, process.pid)
            return Finished(_clipped(log), await process.wait(), problem)
        except asyncio.CancelledError:
            await asyncio.shield(end_marked(mark, process.pid))
            raise

    async def end(self) -> None:
        """End all that commands left running, and remove their logs."""
        if self._count:
            await end_marked(self._mark, None)
        shutil.rmtree(self._logs, ignore_errors=True)


def adopt_orphans() -> None:
    """Have processes whose parent ended become children of this one, where the kernel can (Linux)."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


async def end_marked(mark: str, leader: int | None) -> None:
    """Kill all processes that carry a mark, and those of a leader's group."""
    if leader is not None:
        with suppress(OSError):
            os.killpg(leader, signal.SIGKILL)
    for _ in range(KILL_ROUNDS):  # one that forks at this moment is met in the next round
        found = _marked(mark)
        for pid in found:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if not found:
            return
        await asyncio.sleep(0.02)
        _reap(pid for pid in found if pid != leader)  # whose exit is waited for


async def _watch(process: asyncio.subprocess.Process, log: Path, seconds: float, tell: Tell) -> str:
    """Wait for the end of a command; returns why it must be ended, if it must."""
    loop, shown_bytes = asyncio.get_running_loop(), 0
    deadline = loop.time() + seconds
    waiting = asyncio.create_task(process.wait())
    try:
        while True:
            left = min(UPDATE_SECONDS, max(deadline - loop.time(), 0))
            await asyncio.wait({waiting}, timeout=left)
            if (size := _size(log)) != shown_bytes:
                shown_bytes = size
                await tell(_tail(log, LIVE_BYTES))
            if waiting.done():
                return ""
            if loop.time() >= deadline:
                return f"it was ended after {seconds:g} s"
            if size > MAX_LOG_BYTES:
                return f"it was ended after it had written {size >> 20} MiB"
    finally:
        waiting.cancel()


def _environment() -> dict[str, str]:
    """Return this process's environment without what is not for commands."""
    own = ("TREADLE_AGENT_", "OTEL_")
    kept = {
        name: value
        for name, value in os.environ.items()
        if name not in SECRETS and not name.startswith(own)
    }
    return kept | QUIET


def _marked(mark: str) -> list[int]:
    """Return the processes whose environment carries a mark, or one that begins with it."""
    sign = f"{MARK}={mark}".encode()
    found: list[int] = []
    for entry in Path("/proc").glob("[0-9]*") if sys.platform == "linux" else ():
        with suppress(OSError):
            if sign in (entry / "environ").read_bytes() and int(entry.name) != os.getpid():
                found.append(int(entry.name))
    return found


def _reap(pids: Iterable[int]) -> None:
    """Take the exit of adopted orphans, which nobody else waits for."""
    for pid in pids:
        with suppress(OSError):
            os.waitpid(pid, os.WNOHANG)


def _size(log: Path) -> int:
    return log.stat().st_size


def _tail(log: Path, limit: int) -> str:
    with log.open("rb") as file:
        file.seek(max(0, _size(log) - limit))
        return file.read(limit).decode(errors="replace")


def _clipped(log: Path) -> str:
    """Return the output, its middle cut out where it is long."""
    size = _size(log)
    if size <= HEAD_BYTES + TAIL_BYTES:
        return _tail(log, size)
    with log.open("rb") as file:
        head = file.read(HEAD_BYTES).decode(errors="replace")
    cut = size - HEAD_BYTES - TAIL_BYTES
    note = f"\n[... {cut} bytes cut; the whole output is in {log} ...]\n"
    return head + note + _tail(log, TAIL_BYTES)
