"""Keeps an engine's processes alive: starts them in order, restarts what dies, ends all on stop."""

import asyncio
import contextlib
import os
import signal
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

from settings import Settings
from treadle.children import PRIVATE, end, spawn
from treadle.engine import (
    EngineError,
    EngineState,
    PartState,
    log_file,
    write_state,
)
from treadle.logs import begin_log, keep_logs_small, last_lines

READY_SECONDS = 60.0
POLL_SECONDS = 0.1
FIRST_TRIES = 2
FIRST_BACKOFF_SECONDS = 0.2
LONGEST_BACKOFF_SECONDS = 10.0
SPARE_SECONDS = 3.0
"""How long a part has been running before its spare loads: others start at that time, too."""
STEADY_SECONDS = 30.0
"""A process that lived this long starts its backoff again."""


async def nothing_needed() -> bool:
    """Answer for a part that needs no other."""
    return True


@dataclass(frozen=True)
class Part:
    """One process to keep: how it starts, when it answers, how long it may take to end.

    `has_needs` tells whether what it cannot live without answers. The files it makes are for their
    owner alone unless `umask` says otherwise; -1 is the mask that the engine was started with.
    With `has_spare` its process loads its code, then waits for a line on its standard input: a
    second one that waits takes over at once from one that dies.
    """

    name: str
    command: tuple[str, ...]
    where: str
    is_ready: Callable[[int], Awaitable[bool]]
    patience: float = 10.0
    has_needs: Callable[[], Awaitable[bool]] = nothing_needed
    has_spare: bool = False
    umask: int = PRIVATE


class Supervisor:
    """Runs the parts of one engine; `state` is what the status screen and engine.json show."""

    def __init__(self, settings: Settings, state: EngineState) -> None:
        self.state = state
        self._settings = settings
        self._stopping = asyncio.Event()
        self._running: list[tuple[Part, asyncio.Task[None]]] = []
        self._processes: dict[str, asyncio.subprocess.Process] = {}
        self._spares: dict[str, asyncio.subprocess.Process] = {}
        self._loading: asyncio.Task[None] | None = None
        self._rotating: asyncio.Task[None] | None = None

    async def start(self, parts: Sequence[Part]) -> None:
        """Start parts together and wait until all of them answer.

        Raises:
            EngineError: One exited or did not answer in time; has the end of its log.
        """
        logs = [log_file(self._settings, part.name) for part in parts]
        self._rotating = asyncio.create_task(keep_logs_small(logs))
        waiting: list[asyncio.Task[None]] = []
        for part in parts:
            shown = PartState(name=part.name, status="starting", where=part.where)
            shown.log = str(log_file(self._settings, part.name))
            self.state.parts.append(shown)
            begin_log(Path(shown.log))
            await self._spawn(part, shown)
            waiting.append(asyncio.create_task(self._begin(part, shown)))
        try:
            await asyncio.gather(*waiting)
        finally:
            for task in waiting:
                task.cancel()  # one that still starts its part would outlive the stop

    async def stop(self) -> None:
        """End all parts, the last started first; returns when no process is left."""
        self._stopping.set()
        self.state.status = "stopping"
        self._save()
        for _, keeper in self._running:
            keeper.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await keeper
        if self._loading is not None:
            with contextlib.suppress(OSError):  # the data folder was removed: nothing was loaded
                await self._loading
        for spare in self._spares.values():
            await end(spare, 1.0)
        patience = {part.name: part.patience for part, _ in self._running}
        for name, process in reversed(self._processes.items()):
            await end(process, patience.get(name, 1.0))
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            self._show(self._shown(name), "stopped")
        if self._rotating is not None:
            self._rotating.cancel()

    async def _spawn(self, part: Part, shown: PartState) -> asyncio.subprocess.Process:
        process = self._spares.pop(part.name, None)
        if process is None or process.returncode is not None:
            process = await self._load(part)
        if process.stdin is not None:
            process.stdin.write(b"go\n")
        self._processes[part.name] = process
        shown.pid = process.pid
        with contextlib.suppress(psutil.NoSuchProcess):
            shown.started = psutil.Process(process.pid).create_time()
        self._show(shown, "starting")
        return process

    async def _load(self, part: Part) -> asyncio.subprocess.Process:
        log = log_file(self._settings, part.name)
        stdin = asyncio.subprocess.PIPE if part.has_spare else asyncio.subprocess.DEVNULL
        command = (*part.command, "--spare") if part.has_spare else part.command
        return await spawn(command, log, umask=part.umask, stdin=stdin)

    async def _begin(self, part: Part, shown: PartState) -> None:
        """Wait until a part answers, and keep it from then on: others may be starting still."""
        await self._first_answer(part, shown)
        if self._stopping.is_set():
            return
        self._running.append((part, asyncio.create_task(self._keep(part, shown))))

    async def _first_answer(self, part: Part, shown: PartState) -> None:
        """Wait until a part answers; one that exits is tried once more.

        An exit counts only while what the part needs answers.
        """
        deadline = time.monotonic() + READY_SECONDS
        tries_left = FIRST_TRIES
        process = self._processes[part.name]
        while process.returncode is not None or not await part.is_ready(process.pid):
            if time.monotonic() > deadline:
                raise EngineError(self._words(part, f"did not respond for {READY_SECONDS:.0f} s"))
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(process.wait(), POLL_SECONDS)
            if process.returncode is None:
                continue
            tries_left -= await part.has_needs()
            if not tries_left:
                raise EngineError(self._words(part, f"exited with code {process.returncode}"))
            await asyncio.sleep(FIRST_BACKOFF_SECONDS)
            process = await self._spawn(part, shown)
        self._show(shown, "running")

    async def _keep(self, part: Part, shown: PartState) -> None:
        """Restart a part whenever it dies: soon when it was killed, ever more slowly when it exits."""
        backoff = FIRST_BACKOFF_SECONDS
        while True:
            began = time.monotonic()  # a spare was loaded long before
            watch = asyncio.create_task(self._watch(part, shown))
            try:
                await self._processes[part.name].wait()
            finally:
                watch.cancel()
            was_killed = self._processes[part.name].returncode == -signal.SIGKILL
            if was_killed or time.monotonic() - began > STEADY_SECONDS:
                backoff = FIRST_BACKOFF_SECONDS
            shown.restarts += 1
            self._show(shown, "restarting")
            await asyncio.sleep(backoff)
            backoff = min(backoff * 2, LONGEST_BACKOFF_SECONDS)
            await self._spawn(part, shown)

    async def _watch(self, part: Part, shown: PartState) -> None:
        while shown.pid and not await part.is_ready(shown.pid):  # noqa: ASYNC110  (another process)
            await asyncio.sleep(POLL_SECONDS)
        if shown.status != "running":
            self._show(shown, "running")
        if part.has_spare:
            await asyncio.sleep(SPARE_SECONDS)
            if self._loading is not None:
                await self._loading
            self._loading = asyncio.create_task(self._load_spare(part))

    async def _load_spare(self, part: Part) -> None:
        """Load the process that takes over; not to be cancelled, it would be left behind."""
        if part.name not in self._spares:
            self._spares[part.name] = await self._load(part)

    def _shown(self, name: str) -> PartState:
        return next(part for part in self.state.parts if part.name == name)

    def _show(self, shown: PartState, status: str) -> None:
        shown.status = status
        self._save()

    def _save(self) -> None:
        # on a full disk, or when the folder was removed, the parts are kept and ended all the same
        with contextlib.suppress(OSError):
            write_state(self._settings, self.state)

    def _words(self, part: Part, what: str) -> str:
        log = log_file(self._settings, part.name)
        return f"{part.name} {what}; the end of {log}:\n{last_lines(log)}"
