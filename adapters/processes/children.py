"""One child process: its pipes, its standard error, its end and the end of all below it."""

import asyncio
import logging
import signal
from collections.abc import Callable
from contextlib import suppress
from itertools import count

from adapters.processes.capped_output import CappedOutput
from adapters.processes.isolation import Isolation
from adapters.processes.process import Process
from adapters.processes.run_ledger import Run, RunLedger, kill_exactly, look_for

STDERR_TAIL_BYTES = 65_536
_DRAIN_SECONDS = 2.0
_GRACE_SECONDS = 5.0
_LAST_SECONDS = 10.0
_SWEEPS, _SWEEPS_SECONDS = 20, 2.0
_SWEEP_SECONDS, _SLOW_SWEEP_SECONDS = 0.005, 0.02

logger = logging.getLogger(__name__)


class Child:
    """A running child. Everything below it ends with it, also when it ends by itself."""

    def __init__(
        self,
        process: Process,
        isolation: Isolation,
        ledger: RunLedger,
        run: Run | None,
        leave: Callable[[], None] | None = None,
    ) -> None:
        """Take a process over; `leave` is called when nothing is left of it."""
        self.stdin = process.stdin
        self.stdout = process.stdout
        self.pid = process.pid
        self._process = process
        self._isolation = isolation
        self._ledger = ledger
        self._run = run
        self._leave = leave
        self._errors = CappedOutput(STDERR_TAIL_BYTES, head_bytes=0)
        self._given_up = asyncio.Event()
        self._ended = asyncio.create_task(self._see_to_the_end())

    @property
    def returncode(self) -> int | None:
        """The exit code as subprocess gives it, None while the child runs."""
        code = self._process.returncode
        return -signal.SIGKILL if code is None and self._given_up.is_set() else code

    def stderr_tail(self) -> str:
        """Return the newest 64 KiB of standard error."""
        return self._errors.text()

    async def feed(self, content: bytes) -> None:
        """Write the whole input and close it; a child that does not read it is fine."""
        with suppress(BrokenPipeError, ConnectionResetError):
            self.stdin.write(content)
            await self.stdin.drain()
        self.stdin.close()

    async def wait(self) -> int:
        """Wait until the child, all below it and its pipes are gone; returns the exit code.

        Pipes that something still holds 2 s after the exit are closed, not waited for.
        """
        return await asyncio.shield(self._ended)

    async def is_over_within(self, seconds: float) -> bool:
        """Wait at most so long; tell whether the child is gone."""
        done, _ = await asyncio.wait({self._ended}, timeout=seconds)
        return bool(done)

    async def stop(self, grace: float = _GRACE_SECONDS) -> None:
        """End the child and all below it: SIGTERM, after `grace` seconds SIGKILL. Twice is fine.

        One that the kernel does not end is given up after 10 s more; the ledger keeps it.
        """
        if self.returncode is None:
            try:
                self._isolation.terminate(self.pid)
                await asyncio.wait({self._process.exited}, timeout=grace)
            finally:
                if self.returncode is None:
                    self._isolation.kill(self.pid)
        await asyncio.wait({self._process.exited}, timeout=_LAST_SECONDS)
        if self._process.returncode is None:
            logger.error("a process does not end when it is killed", extra={"pid": self.pid})
            self._given_up.set()
        await self.wait()

    async def _see_to_the_end(self) -> int:
        drain = asyncio.create_task(self._drain())
        await self._await_exit()
        if self._run is not None and self._may_have_left_some:
            await _end_marked(self._run.run_id)
        await asyncio.wait({self._process.closed}, timeout=_DRAIN_SECONDS)
        self._process.close()
        await drain
        if self._run is not None and not self._given_up.is_set():
            self._ledger.close(self._run)
        if self._leave is not None:
            self._leave()
        returncode = self.returncode
        if returncode is None:
            raise RuntimeError(f"process {self.pid} ended without an exit code")
        return returncode

    async def _await_exit(self) -> None:
        given_up = asyncio.create_task(self._given_up.wait())
        try:
            await asyncio.wait(
                {self._process.exited, given_up}, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            given_up.cancel()

    @property
    def _may_have_left_some(self) -> bool:
        """Whether others may live on: no namespace ends them, or bubblewrap died before it was made."""
        return not self._isolation.is_namespace or (self.returncode or 0) < 0

    async def _drain(self) -> None:
        if self._process.stderr is not None:
            await self._errors.fill_from(self._process.stderr)


async def _end_marked(run_id: str) -> None:
    """End what moved out of a child's process group; a fork may be faster than one sweep.

    On a busy machine what was killed, or just becomes another program, stands still for a while.
    """
    clock = asyncio.get_running_loop().time
    deadline = clock() + _SWEEPS_SECONDS
    for sweep in count(1):
        left, is_sure = look_for(run_id)
        if not left and is_sure:
            return
        for process in left:
            kill_exactly(process)
        if sweep >= _SWEEPS and clock() > deadline:
            return
        await asyncio.sleep(_SWEEP_SECONDS if sweep < _SWEEPS else _SLOW_SWEEP_SECONDS)
