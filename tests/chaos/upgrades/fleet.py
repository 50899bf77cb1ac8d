"""A team's parts on one machine: Temporal, an API, and the workers of two hosts, each replaced by another build."""

import asyncio
import os
import shutil
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
from temporalio.client import Client

from adapters.part_readiness import answers_http, notes_polls
from settings import Settings, environment_of
from tests.e2e.engine import http_of, processes_of, until
from tests.free_ports import free_ports
from treadle.engine import LAUNCH, log_file, prepare_data_dir, temporal_binary, temporal_command
from treadle.parts import temporal_answers

HOSTS = ("alpha", "beta")
OLD, NEW = "old", "new"
DEPLOYMENT = "treadle"
DRAIN_SECONDS = 60
ENDING_SECONDS = DRAIN_SECONDS + 30
KEYS = ("payload.keys", "decision.key")
AS_SYSTEMD = """
import os, sys
os.dup2(int(sys.argv[1]), 3, inheritable=True)
os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1"}
os.execv(sys.argv[2], sys.argv[2:])
"""
"""Starts a program with a socket, as a unit of systemd does."""


class Fleet:
    """All of it in a folder; the journal is the SQLite file of the first host."""

    def __init__(self, folder: Path) -> None:
        self.outside = folder / "outside"
        api, temporal = free_ports(2)
        self.settings = Settings(
            data_dir=folder / HOSTS[0],
            api_port=api,
            temporal_port=temporal,
            is_temporal_ui_on=False,
            sandbox_writes=str(self.outside),
            deployment=DEPLOYMENT,
            drain_seconds=DRAIN_SECONDS,
            idle_agent_seconds=5,  # chats stay open, and their agents end
        )
        self._config = folder / "config"
        for made in (self.outside, self._config):
            made.mkdir()
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        self._socket: socket.socket | None = None

    @property
    def journal(self) -> str:
        """The journal's URL, for the second host."""
        return f"sqlite+aiosqlite:///{self.settings.data_dir / 'journal.db'}"

    def settings_of(self, host: str) -> Settings:
        """Return the settings of a host."""
        if host == HOSTS[0]:
            return self.settings
        data_dir = self.settings.data_dir.with_name(host)
        return self.settings.model_copy(update={"data_dir": data_dir, "journal_url": self.journal})

    def _environment(self, host: str, build: str) -> dict[str, str]:
        settings = self.settings_of(host)
        own = {"TREADLE_HOST_NAME": host, "TREADLE_BUILD_ID": build}
        own |= {"TREADLE_DATA_DIR": str(settings.data_dir), "TREADLE_JOURNAL_URL": self.journal}
        return {**environment_of(settings), **own, "TREADLE_CONFIG_DIR": str(self._config)}

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run all with the old build, from the moment that all parts answer."""
        try:
            await self._start()
            yield
        finally:
            await asyncio.to_thread(self._stop)

    async def _start(self) -> None:
        prepare_data_dir(self.settings)
        binary = temporal_binary()
        assert binary
        self._spawn("temporal", temporal_command(self.settings, binary), dict(os.environ))
        async with asyncio.timeout(60):
            while not await temporal_answers(self.settings):  # noqa: ASYNC110  (another process)
                await asyncio.sleep(0.1)
        await self.start_api(OLD, is_held=False)
        for host in HOSTS:
            settings = self.settings_of(host)
            prepare_data_dir(settings)
            if settings.data_dir != self.settings.data_dir:
                for key in KEYS:
                    shutil.copy2(self.settings.data_dir / key, settings.data_dir / key)
            await self.start_worker(host, OLD)

    async def start_worker(self, host: str, build: str) -> None:
        """Start a host's worker of a build, and wait until it takes tasks."""
        data_dir = self.settings_of(host).data_dir
        worker = self._spawn(host, (*LAUNCH, "worker"), self._environment(host, build))
        await until(lambda: worker.poll() is not None or notes_polls(data_dir, worker.pid))
        assert worker.poll() is None, self.log(host)

    async def drain(self, host: str) -> None:
        """End a host's worker as an upgrade does, once what it carries out has ended."""
        await asyncio.to_thread(self._end, host)

    async def start_api(self, build: str, *, is_held: bool) -> None:
        """Start the API; its socket is its own, or held while there is none."""
        environment = self._environment(HOSTS[0], build)
        if is_held:
            if self._socket is None:
                self._socket = socket.create_server(("127.0.0.1", self.settings.api_port))
            number = self._socket.fileno()
            command = (sys.executable, "-c", AS_SYSTEMD, str(number), *LAUNCH, "api")
            self._spawn("api", command, environment, number)
        else:
            self._spawn("api", (*LAUNCH, "api"), environment)
        async with asyncio.timeout(60):
            while not await answers_http(self.settings.api_port, "/v1/health"):  # noqa: ASYNC110
                await asyncio.sleep(0.05)  # another process

    async def replace_api(self, build: str, *, is_held: bool) -> None:
        """End the API, and start another."""
        await asyncio.to_thread(self._end, "api")
        await self.start_api(build, is_held=is_held)

    def _spawn(
        self, name: str, command: Sequence[str], environment: dict[str, str], *held: int
    ) -> "subprocess.Popen[bytes]":
        with log_file(self.settings, name).open("ab") as output:
            started = subprocess.Popen(
                command, env=environment, stdout=output, stderr=output, pass_fds=held
            )
        self._processes[name] = started
        return started

    def log(self, name: str) -> str:
        """Return the end of what a part printed."""
        return log_file(self.settings, name).read_text()[-2000:]

    def _end(self, name: str) -> None:
        process = self._processes.pop(name)
        process.terminate()
        process.wait(ENDING_SECONDS)

    def _stop(self) -> None:
        for name in ("api", *HOSTS):
            if name in self._processes:
                process = self._processes.pop(name)
                process.kill()
                process.wait()
        if "temporal" in self._processes:
            self._end("temporal")
        if self._socket is not None:
            self._socket.close()

    def http(self) -> httpx.AsyncClient:
        """Return a client of the API, with the owner's token."""
        return http_of(self.settings)

    async def temporal(self) -> Client:
        """Return a client of Temporal that reads no payloads."""
        return await Client.connect(f"127.0.0.1:{self.settings.temporal_port}")

    def children(self) -> list[str]:
        """Return the command lines of agents, commands and their children that are alive."""
        own = {process.pid for process in self._processes.values()}
        folders = [self.settings_of(host).data_dir for host in HOSTS]
        return [w for folder in folders for p, w in processes_of(folder) if p.pid not in own]
