"""An engine under its own supervisor, whose parts are killed from outside and come back by it."""

import asyncio
import os
import random
import signal
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import httpx
import psutil

from settings import Settings, environment_of
from tests.e2e.engine import http_of, processes_of, until
from tests.free_ports import free_ports
from treadle.engine import LAUNCH, prepare_data_dir, read_state, running_engine

AGENT = "scripted-agent"


class SupervisedEngine:
    """One `treadle up` on a folder and ports of its own."""

    def __init__(self, folder: Path) -> None:
        api, temporal, ui = free_ports(3)
        self.settings = Settings(
            data_dir=folder / "data",
            api_port=api,
            temporal_port=temporal,
            temporal_ui_port=ui,
            is_temporal_ui_on=False,
            sandbox_writes=str(folder / "outside"),
        )
        self.log = folder / "up.log"
        self.program: tuple[str, ...] = LAUNCH
        """What `treadle` is; another version's, to begin with, where an upgrade is tested."""
        (folder / "config").mkdir()
        self._environment = {
            **environment_of(self.settings),
            "TREADLE_CONFIG_DIR": str(folder / "config"),
        }
        prepare_data_dir(self.settings)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run it, from the moment that all parts answer to their end."""
        process = self._launch()
        try:
            await until(lambda: process.poll() is not None or self.is_up())
            assert process.poll() is None, self.log.read_text()[-2000:]
            yield
        finally:
            process.terminate()
            await asyncio.to_thread(process.wait, 60)

    def _launch(self) -> subprocess.Popen[bytes]:
        with self.log.open("wb") as output:
            return subprocess.Popen(
                [*self.program, "up"], env=self._environment, stdout=output, stderr=output
            )

    def is_up(self) -> bool:
        """Tell whether every part answers."""
        state = running_engine(self.settings)
        is_started = state is not None and state.status == "running"
        return is_started and all(part.status == "running" for part in state.parts)

    def http(self) -> httpx.AsyncClient:
        """Return a client of the API, with the token."""
        return http_of(self.settings)

    def strike(self, names: tuple[str, ...], chance: random.Random) -> bool:
        """Kill parts, or one agent by chance, with -9; tells whether any was there to be killed."""
        found = [self._processes(name) for name in names]
        victims = [chance.choice(processes) for processes in found if processes]
        for victim in victims:
            with suppress(psutil.NoSuchProcess):
                victim.kill()
        return bool(victims)

    async def stop_worker(self, seconds: float) -> bool:
        """Let the worker stand still for a time; tells whether there was one."""
        workers = self._processes("worker")
        for worker in workers:
            with suppress(psutil.NoSuchProcess):
                worker.send_signal(signal.SIGSTOP)
        await asyncio.sleep(seconds)  # the fault itself
        for worker in workers:
            with suppress(psutil.NoSuchProcess):
                worker.send_signal(signal.SIGCONT)
        return bool(workers)

    def _processes(self, name: str) -> list[psutil.Process]:
        if name == "agent":
            own = os.getpid()
            found = (p for p, words in processes_of(self.settings.data_dir) if AGENT in words)
            return [process for process in found if process.pid != own]
        state = read_state(self.settings)
        pids = [part.pid for part in state.parts if part.name == name] if state else []
        found: list[psutil.Process] = []
        for pid in filter(None, pids):
            with suppress(psutil.NoSuchProcess):
                found.append(psutil.Process(pid))
        return found

    def children(self) -> list[str]:
        """Return the command lines of agents, commands and their children that are alive."""
        state = read_state(self.settings)
        own = {part.pid for part in state.parts} | {state.pid} if state else set()
        return [w for p, w in processes_of(self.settings.data_dir) if p.pid not in own]
