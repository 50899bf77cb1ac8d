"""The one spawner: every child process of a worker starts, is watched and ends here."""

import asyncio
import os
import resource
import signal
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from shutil import which
from typing import NoReturn

from adapters.processes.capped_output import CappedOutput
from adapters.processes.children import Child
from adapters.processes.command import Command, Finished
from adapters.processes.confinement import Confinement
from adapters.processes.container_links import places_in, refuse_links
from adapters.processes.container_view import CONTROLLING, container_environment
from adapters.processes.entry import entering
from adapters.processes.fences import KEPT_FD, held_fence, refuse_stale
from adapters.processes.isolation import Cover, Isolation, probe_isolation
from adapters.processes.process import Start, start_process
from adapters.processes.readiness import ready, saying_ready
from adapters.processes.run_ledger import MARKER, Run, RunLedger
from adapters.processes.sandbox import HostView, SandboxUnavailableError
from domain.agents.sandbox import Level, Sandbox
from domain.core.ports import Beat

OUTPUT_LIMIT_BYTES = 64 << 20
_LINE_LIMIT_BYTES = 1 << 20
_BEAT_SECONDS = 1.0
_SIGNAL_BASE = 128
_REAP_SECONDS = 10.0
_SETUPS = 3
"""How often a sandbox is made before what fails is no matter of chance."""


class Spawner:
    """Starts children; made once in a worker.

    `base_environment` is all that every child gets of the worker's environment (PATH, HOME, LANG,
    TERM, TMPDIR): chosen by the caller, so that no secret reaches a child by accident. `cover` is
    what children see of Treadle's folders, as far as the isolation can see to it; `surroundings` what
    those in a sandbox see of the host, without which none can be in one.
    """

    def __init__(
        self,
        runs_folder: Path,
        base_environment: Mapping[str, str],
        isolation: Isolation | None = None,
        cover: Cover | None = None,
        host_view: HostView | None = None,
    ) -> None:
        self._ledger = RunLedger(runs_folder)
        self._cover = cover
        self._base_environment = dict(base_environment)
        self._isolation = isolation or probe_isolation()
        self.confinement = Confinement(self._isolation, host_view)
        # a core dump holds every secret of its process; children inherit the limit
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    @property
    def path(self) -> str:
        """The PATH of children that are given no other."""
        return self._base_environment.get("PATH", os.defpath)

    @property
    def has_namespace(self) -> bool:
        """Whether children see folders elsewhere than they are (`Command.shown_at`)."""
        return self._isolation.is_namespace

    @property
    def isolation(self) -> str:
        """Which isolation is in use and what it cannot do, for `treadle doctor`."""
        return self._isolation.summary

    async def start(self, command: Command, *, line_limit_bytes: int = _LINE_LIMIT_BYTES) -> Child:
        """Start a child with pipes or a terminal; its standard error is always drained.

        In an activity that holds a workspace the child is bound to its fence: it exits at once
        where a newer attempt took the workspace over. It inherits no descriptor but its pipes and
        the fence's.
        `line_limit_bytes` bounds what its output buffers and the lines that `readline` gives.

        Raises:
            OSError: It cannot be started, or its sandbox not be made: the message says what is missing.
        """
        start = self._start_of(command)
        if command.is_brief:
            return await self._spawn(_guarded(start), line_limit_bytes, None)
        if command.sandbox is None or command.sandbox.level is Level.OFF:
            if command.container is not None:
                view = self.confinement.unconfined(command.seat, command.container)
            else:
                view = (*self._isolation.plain, *self._covers(command))
            return await self._spawn_kept(start, view, line_limit_bytes, seen=command.shown_at)
        return await self._spawn_confined(command, command.sandbox, start, line_limit_bytes)

    async def run(
        self,
        command: Command,
        *,
        stdin: bytes = b"",
        limit_seconds: float | None = None,
        output_limit_bytes: int = OUTPUT_LIMIT_BYTES,
        beat: Beat | None = None,
    ) -> Finished:
        """Run a command to its end, or to the end of `limit_seconds`; beats every second.

        Cancelling ends the command with all below it before it returns.

        Raises:
            OSError: It cannot be started.
            SupersededError: A newer attempt took the workspace over, and ended it perhaps.
        """
        child = await self.start(command)
        output = CappedOutput(output_limit_bytes)
        work = asyncio.gather(output.fill_from(child.stdout), child.feed(stdin))
        try:
            is_timed_out = not await _is_over(child, limit_seconds, beat)
        finally:
            await child.stop()
            await work
        refuse_stale()
        number = None if is_timed_out else self._signal_of(child.returncode or 0, command)
        is_exit = number is None and not is_timed_out
        returncode = child.returncode if is_exit else None
        return Finished(returncode, number, is_timed_out, output, child.stderr_tail())

    async def reap_leftovers(self) -> list[str]:
        """End what dead workers left behind, before anything else starts; returns the run ids."""
        return await self._ledger.reap()

    async def keep_reaping(self, seconds: float = _REAP_SECONDS) -> NoReturn:
        """Reap for ever: a worker that was only stopped when this one began may be killed later."""
        while True:
            await asyncio.sleep(seconds)
            with suppress(OSError):  # a full disk, say: the next round tries again
                await self._ledger.reap()

    def _start_of(self, command: Command) -> Start:
        """Return what starts a command, before anything keeps it together."""
        inside = command.container
        if inside is None:
            environment = self._base_environment | dict(command.environment)
        else:
            environment = container_environment(self._base_environment, inside, command.environment)
        path = environment.get("PATH")
        program = command.argv[0]
        if inside is None or command.is_in_workspace:
            program = self._seen(command, command.program(path))
        if command.path:
            first = (self._seen(command, folder) for folder in command.folders)
            environment["PATH"] = os.pathsep.join((*first, path or os.defpath))
        argv = (*self._control(command, path), program, *command.argv[1:])
        terminal = command.terminal
        start = Start(argv, command.cwd, environment, command.is_merged, terminal=terminal)
        return replace(start, root=inside.root, enter=inside.enter) if inside else start

    def _covers(self, command: Command) -> tuple[str, ...]:
        at = command.shown_at and command.shown_at.parent.resolve() / command.shown_at.name
        shown = ("--bind", str(command.cwd), str(at)) if at else ()
        for there, seen in command.beside:
            shown = (*shown, *(("--bind", str(there), str(seen)) if there != seen else ()))
        if self._cover is None or command.is_uncovered:
            return shown
        own = (
            command.cwd,
            *(there for there, _ in command.beside),
            *command.writes,
            *command.caches,
        )
        return self._cover.arguments(own, shown)

    def _seen(self, command: Command, program: str) -> str:
        """Return where a program lies for its process."""
        is_moved = command.shown_at is not None and self.has_namespace
        file = Path(program)
        if not is_moved or command.shown_at is None or not file.is_relative_to(command.cwd):
            return program
        return str(command.shown_at / file.relative_to(command.cwd))

    def _control(self, command: Command, path: str | None) -> tuple[str, ...]:
        """Return what makes its terminal the one that controls a session inside of the namespace."""
        is_possible = command.terminal is not None and self._isolation.is_namespace
        if command.container is not None:
            return CONTROLLING if is_possible else ()
        setsid = which("setsid", path=path) if is_possible else None
        return (setsid, "--ctty") if setsid else ()

    async def _spawn_confined(
        self, command: Command, sandbox: Sandbox, start: Start, line_limit_bytes: int
    ) -> Child:
        """Start what is confined.

        Its sandbox fails where a server ends whose socket is to be covered: then it is made anew.
        """
        failures = 0
        while True:
            confined = self.confinement.confine(sandbox, command.seat, command.gate)
            environment = start.environment | confined.environment
            one = replace(start, environment=environment, rules=confined.rules)
            try:
                return await self._spawn_kept(
                    one, confined.arguments, line_limit_bytes, confined.leave, command.shown_at
                )
            except SandboxUnavailableError:
                failures += 1
                if failures == _SETUPS:
                    raise
            except BaseException:
                confined.leave()
                raise

    async def _spawn_kept(
        self,
        start: Start,
        view: Sequence[str],
        line_limit_bytes: int,
        leave: Callable[[], None] | None = None,
        seen: Path | None = None,
    ) -> Child:
        """Start what is kept together, and entered into the ledger."""
        fence, is_namespace = held_fence(), self._isolation.is_namespace
        argv = saying_ready(start.argv) if is_namespace else start.argv
        argv = self._isolation.wrap(argv, seen or start.cwd, view, KEPT_FD if fence else None)
        if start.root is not None and start.enter:
            argv = (*start.enter, *entering(start.root, start.rules, argv))
            start = replace(start, rules=None)
        elif start.root is not None:
            refuse_links(start.root, places_in(argv))
        run = self._ledger.open(f"{f'{fence.name}-' if fence else ''}{uuid.uuid4().hex}", start.cwd)
        environment = {**start.environment, MARKER: run.run_id}
        kept = replace(start, argv=argv, environment=environment)
        kept = replace(kept, spares_first=self._isolation.spares_first)
        try:
            child = await self._spawn(_guarded(kept), line_limit_bytes, run, leave)
        except BaseException:
            await self._ledger.abandon(run)
            raise
        return await ready(child) if is_namespace else child

    async def _spawn(
        self,
        start: Start,
        line_limit_bytes: int,
        run: Run | None,
        leave: Callable[[], None] | None = None,
    ) -> Child:
        process = await start_process(start, line_limit_bytes)
        child = Child(process, self._isolation, self._ledger, run, leave)
        if run is not None:
            try:
                self._ledger.started(run, child.pid)
            except OSError:
                await child.stop(grace=0)  # on a full disk: nobody would know of it
                raise
        return child

    def _signal_of(self, returncode: int, command: Command) -> int | None:
        """Return the signal that ended a command; bubblewrap tells it as a shell does, 128 + n."""
        if returncode < 0:
            return -returncode
        number = returncode - _SIGNAL_BASE
        is_told = self._isolation.is_namespace and not command.is_brief
        return number if is_told and number in signal.valid_signals() else None


def _guarded(start: Start) -> Start:
    """Bind a start to the fence that the running activity holds, if it holds one."""
    fence = held_fence()
    return replace(start, argv=fence.guarded(start.argv)) if fence else start


async def _is_over(child: Child, limit_seconds: float | None, beat: Beat | None) -> bool:
    """Wait for a child's end, beating; tell whether it came in time."""
    loop = asyncio.get_running_loop()
    deadline = None if limit_seconds is None else loop.time() + limit_seconds
    while True:
        left = _BEAT_SECONDS if deadline is None else min(_BEAT_SECONDS, deadline - loop.time())
        if await child.is_over_within(max(left, 0)):
            return True
        if deadline is not None and loop.time() >= deadline:
            return False
        if beat is not None:
            beat()
