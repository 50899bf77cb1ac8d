"""A team's server: Temporal, PostgreSQL, repositories and the API on one machine, workers on three hosts."""

import asyncio
import shutil
import socket
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import psutil

from adapters.part_readiness import answers_http, notes_polls
from settings import Settings, environment_of
from tests.adapters.remote_lab import GitServer
from tests.chaos.hosts.network import GATEWAY, Network, tree_of
from tests.e2e.engine import processes_of, until
from tests.free_ports import free_ports
from tests.postgresql.server import PostgresServer
from treadle.engine import prepare_data_dir, temporal_binary, temporal_command
from treadle.parts import api_part, worker_part

HOSTS = ("alpha", "beta", "gamma")
SILENT_SECONDS = 10
LOST_SECONDS = 20
STARTING_SECONDS = 90
SLOTS = 4
KEYS = ("payload.keys", "decision.key")


def is_open(host: str, port: int) -> bool:
    """Tell whether somebody listens."""
    with socket.socket() as probe:
        return probe.connect_ex((host, port)) == 0


class WorkerHost:
    """One host: a data folder, a namespace, and a worker."""

    def __init__(self, name: str, network: Network, settings: Settings, team: dict[str, str]):
        self.name = name
        self.settings = settings
        self._network = network
        self._environment = {**environment_of(settings), **team, "TREADLE_HOST_NAME": name}
        self._worker: subprocess.Popen[bytes] | None = None
        prepare_data_dir(settings)

    @property
    def worker(self) -> "subprocess.Popen[bytes]":
        """The process of its worker."""
        assert self._worker
        return self._worker

    @property
    def log(self) -> Path:
        """What its worker prints."""
        return self.settings.data_dir / "logs" / "worker.log"

    def launch(self) -> subprocess.Popen[bytes]:
        """Start its worker."""
        with self.log.open("ab") as output:
            self._worker = subprocess.Popen(
                [*self._network.inside(self.name), *worker_part(self.settings).command],
                env=self._environment,
                stdout=output,
                stderr=output,
            )
        return self._worker

    async def ready(self) -> None:
        """Wait until its worker polls."""
        await until(
            lambda: (
                self.worker.poll() is not None
                or notes_polls(self.settings.data_dir, self.worker.pid)
            )
        )
        assert self.worker.poll() is None, self.log.read_text()[-2000:]

    def processes(self) -> list[psutil.Process]:
        """Return all that runs on it: the worker, agents, commands and what they started."""
        found = {p.pid: p for p, _ in processes_of(self.settings.data_dir)}
        if self._worker is not None:
            found |= {p.pid: p for p in tree_of(self._worker.pid)}
        return list(found.values())

    def kill(self) -> None:
        """End all that runs on it at once, as a loss of power does."""
        for _ in range(3):  # what was started meanwhile, too
            for process in self.processes():
                with suppress(psutil.NoSuchProcess):
                    process.kill()
        if self._worker is not None:
            self._worker.wait()

    def stop(self) -> None:
        """End its worker well, then all that is left."""
        if self._worker is not None and self._worker.poll() is None:
            self._worker.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._worker.wait(30)
        self.kill()


class Team:
    """All of it, in a folder; `people` is the text of people.toml."""

    def __init__(self, folder: Path, people: str) -> None:
        api, self._temporal_port = free_ports(2)
        self.outside = folder / "outside"
        self.origins = folder / "origins"
        self._config = folder / "config"
        for made in (self.outside, self.origins, self._config):
            made.mkdir()
        (self._config / "people.toml").write_text(people)
        self.network = Network()
        self._postgres = PostgresServer(folder / "postgresql")
        self._git = GitServer(self.origins, GATEWAY)
        self._folder = folder
        self.settings = self._settings("api", api_port=api)
        prepare_data_dir(self.settings)
        self._own: list[subprocess.Popen[bytes]] = []
        self.hosts: dict[str, WorkerHost] = {}

    @property
    def journal_url(self) -> str:
        """The journal as all hosts reach it."""
        return self._postgres.url.replace("127.0.0.1", GATEWAY)

    def url(self, name: str) -> str:
        """Return where a bare repository of `origins` is served."""
        return f"{self._git.url}/{name}"

    def _settings(self, name: str, **more: Any) -> Settings:
        return Settings(
            data_dir=self._folder / name,
            journal_url=self.journal_url,
            temporal_port=self._temporal_port,
            is_temporal_ui_on=False,
            sandbox_writes=str(self.outside),
            repository_schemes="https ssh http",
            hub_url="origin",
            max_turns=SLOTS,
            **more,
        )

    def _environment(self) -> dict[str, str]:
        return {
            "TREADLE_CONFIG_DIR": str(self._config),
            "TEMPORAL_ADDRESS": f"{GATEWAY}:{self._temporal_port}",
            "TREADLE_HOST_SILENT_SECONDS": str(SILENT_SECONDS),
            "TREADLE_HOST_LOST_SECONDS": str(LOST_SECONDS),
        }

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Run all, from the moment that all parts answer."""
        try:
            await self._start()
            yield
        finally:
            await asyncio.to_thread(self._stop)

    async def _start(self) -> None:
        self._postgres.make()
        with (self._postgres.folder / "pg_hba.conf").open("a") as access:
            access.write(f"host all all {GATEWAY}/24 trust\n")
        self._postgres.start("-c", "listen_addresses=*")
        binary = temporal_binary()
        assert binary
        command = [
            "0.0.0.0" if word == "127.0.0.1" else word  # noqa: S104  (in a namespace of its own)
            for word in temporal_command(self.settings, binary)
        ]
        self._spawn(command, {})
        await until(lambda: is_open(GATEWAY, self._temporal_port))
        self._spawn(
            api_part(self.settings).command,
            {**environment_of(self.settings), **self._environment()},
        )
        async with asyncio.timeout(STARTING_SECONDS):
            while not await answers_http(self.settings.api_port, "/v1/health"):  # noqa: ASYNC110
                await asyncio.sleep(0.1)  # another process
        for name in HOSTS:
            self.network.attach(name)
            settings = self._settings(name)
            host = WorkerHost(name, self.network, settings, self._environment())
            for key in KEYS:
                shutil.copy2(self.settings.data_dir / key, settings.data_dir / key)
            self.hosts[name] = host
            host.launch()
        for host in self.hosts.values():
            await host.ready()

    def _spawn(self, command: Any, environment: dict[str, str]) -> None:
        name = "api" if environment else "temporal"
        with (self._folder / f"{name}.log").open("ab") as output:
            self._own.append(
                subprocess.Popen(command, env=environment or None, stdout=output, stderr=output)
            )

    def _stop(self) -> None:
        for host in self.hosts.values():
            host.stop()
        for process in reversed(self._own):
            process.terminate()
            process.wait(60)
        self._git.close()
        self._postgres.kill()
        self.network.close()

    def owner(self) -> httpx.AsyncClient:
        """Return a client of the API, with the owner's token."""
        return self.client(self.settings.token_file.read_text().strip())

    def client(self, token: str) -> httpx.AsyncClient:
        """Return a client of the API, with a token."""
        return httpx.AsyncClient(
            base_url=self.settings.api_url,
            headers={"Authorization": f"Bearer {token}", "X-Treadle": "1"},
            trust_env=False,
            timeout=40,  # longer than the API takes to say that nobody answers
            limits=httpx.Limits(max_connections=None),
        )
