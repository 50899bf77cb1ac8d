"""An engine whose parts a test starts and kills one by one: the real server, worker and API."""

import asyncio
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import psutil

from adapters.processes.run_ledger import MARKER
from adapters.processes.unix_sockets import COVER
from settings import Settings, environment_of
from tests.e2e.traced_requests import TracedTransport
from tests.free_ports import free_ports
from treadle.engine import log_file, prepare_data_dir, temporal_binary
from treadle.parts import api_part, temporal_part, worker_part

DEADLINE_SECONDS = 60
PROGRAM = str(Path(sys.executable).with_name("treadle"))
SHIM = """#!/bin/sh
# git, which stops at a merge where a test holds it
case " $* " in
  *" merge-tree "*) {before_merge} ;;
esac
{git} "$@"
code=$?
case " $* " in
  *" update-ref --no-deref refs/heads/"*) {after_merge} ;;
esac
exit $code
"""


async def until(is_true: Callable[[], bool]) -> None:
    """Wait for another process, where there is no event to await."""
    async with asyncio.timeout(DEADLINE_SECONDS):
        while not is_true():  # noqa: ASYNC110  (another process)
            await asyncio.sleep(0.02)


def remove(folder: Path) -> None:
    """Remove a folder, also while something that ends writes there."""
    gives_up = time.monotonic() + DEADLINE_SECONDS
    while folder.exists():
        shutil.rmtree(folder, ignore_errors=time.monotonic() < gives_up)


def is_locked(database: Path) -> bool:
    """Tell whether somebody holds the right to write for longer than a transaction takes."""
    with closing(sqlite3.connect(database, timeout=1, isolation_level=None)) as connection:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            return True
        return False


class Stage:
    """Places where processes of a job stop while a test holds them, and what they have done."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()

    def place(self, name: str) -> str:
        """Return the shell words that stop at a place while it is held."""
        held, arrived = self.folder / f"{name}.held", self.folder / f"{name}.arrived"
        return (
            f"if [ -e {held} ]; then touch {arrived}; while [ -e {held} ]; do sleep 0.02; done; fi"
        )

    def note(self, step: str) -> str:
        """Return the shell words that write down that a step ran."""
        return f"echo {step} >> {self.folder / 'steps'}"

    def steps(self) -> list[str]:
        """Return which steps ran, in order, as often as they ran."""
        return (self.folder / "steps").read_text().splitlines()

    def hold(self, *names: str) -> None:
        """Stop whoever comes to these places."""
        for name in names:
            (self.folder / f"{name}.held").touch()

    async def reached(self, name: str) -> None:
        """Wait until somebody has stopped at a place."""
        await until((self.folder / f"{name}.arrived").exists)

    def release(self, *names: str) -> None:
        """Let pass again."""
        for name in names:
            (self.folder / f"{name}.held").unlink(missing_ok=True)


class Engine:
    """The parts of one engine, each a process of its own."""

    def __init__(self, folder: Path, **more: Any) -> None:
        """Prepare an engine in an empty folder; `more` are settings."""
        ports = free_ports(3)
        self.outside = folder / "outside"
        """A folder outside of all workspaces that sandboxed processes may write: their notes."""
        self.outside.mkdir()
        self.settings = Settings(
            data_dir=folder / "data",
            api_port=ports[0],
            temporal_port=ports[1],
            temporal_ui_port=ports[2],
            sandbox_writes=str(self.outside),
            **{
                "is_temporal_ui_on": False,
                "repository_schemes": "https ssh file",
                "hub_url": "origin",
                **more,
            },
        )
        self.stage = Stage(folder / "merges")
        self.config = folder / "config"
        (self.config / "agents").mkdir(parents=True)
        self.environment = {
            **environment_of(self.settings),
            "TREADLE_CONFIG_DIR": str(self.config),
            "PATH": f"{self._git(folder / 'bin')}{os.pathsep}{os.environ['PATH']}",
        }
        self._processes: dict[str, subprocess.Popen[bytes]] = {}
        prepare_data_dir(self.settings)
        parts = (temporal_part(self.settings), worker_part(self.settings), api_part(self.settings))
        self._parts = {part.name: part for part in parts}

    def _git(self, folder: Path) -> Path:
        """Put a git that can be held before and after it moves a branch into a folder."""
        found = subprocess.run(["which", "git"], capture_output=True, text=True, check=True)
        folder.mkdir()
        shim = folder / "git"
        places = {name: self.stage.place(name) for name in ("before_merge", "after_merge")}
        shim.write_text(SHIM.format(git=found.stdout.strip(), **places))
        shim.chmod(0o755)
        return folder

    async def start(self, *names: str) -> None:
        """Start parts and wait until they answer."""
        for name in names:
            self._spawn(name)
        for name in names:
            await self._answer(name)

    def _spawn(self, name: str) -> None:
        with log_file(self.settings, name).open("ab") as output:
            self._processes[name] = subprocess.Popen(
                self._parts[name].command, env=self.environment, stdout=output, stderr=output
            )

    async def _answer(self, name: str) -> None:
        process = self._processes[name]
        async with asyncio.timeout(DEADLINE_SECONDS):
            while not await self._parts[name].is_ready(process.pid):
                assert process.poll() is None, log_file(self.settings, name).read_text()[-2000:]
                await asyncio.sleep(0.05)

    def kill(self, *names: str) -> None:
        """Kill parts with -9, all at once."""
        for name in names:
            self._processes[name].send_signal(signal.SIGKILL)
        for name in names:
            self._processes.pop(name).wait()

    async def kill_worker(self) -> None:
        """Kill the worker with -9, and wait for the end of all that it ran, which the kernel takes a moment for.

        What a test lets pass at a place meanwhile would go on with its work.
        """
        self.kill("worker")
        await self.emptied()

    @contextmanager
    def hung(self, name: str) -> Iterator[None]:
        """Have a part do nothing meanwhile: it lives, takes connections, and answers none.

        It holds no lock of the journal either, which would hang the others too.
        """
        process = self._processes[name]
        process.send_signal(signal.SIGSTOP)
        while is_locked(self.settings.data_dir / "journal.db"):
            process.send_signal(signal.SIGCONT)
            process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            process.send_signal(signal.SIGCONT)

    async def repair(self) -> None:
        """Start what does not run."""
        await self.start(*(name for name in self._parts if name not in self._processes))

    def stop(self) -> None:
        """End all parts, the worker first."""
        for name in [n for n in ("worker", "api", "temporal") if n in self._processes]:
            process = self._processes.pop(name)
            process.terminate()
            process.wait(DEADLINE_SECONDS)

    def http(self) -> httpx.AsyncClient:
        """Return a client of the API, with the token."""
        return http_of(self.settings)

    def run(self, *command: str, **more: object) -> subprocess.CompletedProcess[str]:
        """Run a program as a person would in the engine's environment: `treadle`, `temporal`."""
        programs = str(Path(temporal_binary() or "").parent)
        environment = {**self.environment, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False, **more
        )

    async def emptied(self, of: str = "") -> None:
        """Wait until no agent, command or child of theirs is alive; a failure names what is.

        Of one thread, or one task, these are the sandboxes that are called like `thread-a_task_`.
        """
        try:
            await until(lambda: not self.children(of))
        except TimeoutError:
            raise AssertionError("still there:\n" + "\n".join(self._states(of))) from None

    def _states(self, of: str) -> list[str]:
        """Return what each process that is left waits for, and whose child it is."""
        found: list[str] = []
        for process, words in self._left(of):
            with suppress(OSError, psutil.Error):
                waits = Path(f"/proc/{process.pid}/wchan").read_text()
                found.append(
                    f"{process.pid} of {process.ppid()} {process.status()} {waits} {words}"
                )
        return found

    def children(self, of: str = "") -> list[str]:
        """Return the command lines of agents, commands and their children that are alive."""
        return [words for _, words in self._left(of)]

    def _left(self, of: str) -> list[tuple[psutil.Process, str]]:
        own = {process.pid for process in self._processes.values()}
        found = processes_of(self.settings.data_dir)
        return [(p, words) for p, words in found if p.pid not in own and of in words]


def http_of(settings: Settings) -> httpx.AsyncClient:
    """Return a client of an engine's API, with the token."""
    token = settings.token_file.read_text().strip()
    return httpx.AsyncClient(
        base_url=settings.api_url,
        headers={"Authorization": f"Bearer {token}", "X-Treadle": "1"},
        transport=TracedTransport(trust_env=False),
        trust_env=False,
        timeout=40,  # longer than the API takes to say that nobody answers
    )


def processes_of(data_dir: Path) -> Iterator[tuple[psutil.Process, str]]:
    """Find processes, with their command lines, by the engine's folder.

    It is in their working directory, command or environment. Sandboxes of other engines name this
    one's sockets, too: those that they cover.
    """
    for process in psutil.process_iter():
        try:
            words, folder = process.cmdline(), process.cwd()
            is_ours = MARKER in process.environ() or str(data_dir) in folder
        except psutil.Error:
            continue
        shown = [word for before, word in pairwise(["", *words]) if before != COVER]
        if is_ours and words and str(data_dir) in " ".join([*shown, folder]):
            yield process, " ".join(words)
