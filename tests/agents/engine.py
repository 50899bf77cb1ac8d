"""A real engine for a test: server, worker and API, and one thread driven through REST."""

import os
import socket
import subprocess
import time
from contextlib import ExitStack, contextmanager
from pathlib import Path

import psutil

from cli.client import Client, path_of
from domain.events import JournaledEvent
from settings import Settings, environment_of
from treadle.engine import LAUNCH, log_file, read_state, running_engine

START_SECONDS = 60
STOP_SECONDS = 60
TICK_SECONDS = 0.1


@contextmanager
def engine(data_dir: Path, config_dir: Path):
    """Run `treadle up` on free ports with a configuration folder of its own."""
    api, temporal, ui = _free_ports(3)
    settings = Settings(
        data_dir=data_dir,
        api_port=api,
        temporal_port=temporal,
        temporal_ui_port=ui,
        heartbeat_seconds=2,
    )
    environment = {**environment_of(settings), "TREADLE_CONFIG_DIR": str(config_dir)}
    log = data_dir.with_suffix(".log")
    with log.open("wb") as output:
        process = subprocess.Popen([*LAUNCH, "up"], env=environment, stdout=output, stderr=output)
    try:
        deadline = time.monotonic() + START_SECONDS
        while (state := running_engine(settings)) is None or state.status != "running":
            assert process.poll() is None, log.read_text()
            assert time.monotonic() < deadline, log.read_text()
            time.sleep(TICK_SECONDS)
        yield settings
    finally:
        process.terminate()
        process.wait(STOP_SECONDS)


def kill_worker(settings: Settings) -> None:
    """Kill the worker with -9; the engine starts it again."""
    worker = next(part for part in read_state(settings).parts if part.name == "worker")
    psutil.Process(worker.pid).kill()


class Job:
    """One thread, its events, and a person who approves everything."""

    def __init__(self, settings: Settings, repository: Path, goal: str, agent: str) -> None:
        self.settings = settings
        self._client = Client(settings)
        body = {"repository": str(repository), "goal": goal, "agent": agent}
        self.thread = self._client.post("/v1/threads", body)["thread_id"]
        self.events: list[JournaledEvent] = []

    def until(self, is_wanted, *, seconds: float, approving: bool = True):
        """Read on until an event is wanted; returns it."""
        deadline = time.monotonic() + seconds
        path = path_of("threads", self.thread, "events")
        while time.monotonic() < deadline:
            after = self.events[-1].position if self.events else 0
            new = [
                JournaledEvent.model_validate(e)
                for e in self._client.get(path, after=after)["events"]
            ]
            self.events += new
            for journaled in new:
                request = getattr(journaled.event.body, "request", None)
                if request is not None and approving:
                    self._approve(request)
                if is_wanted(journaled.event):
                    return journaled.event
            time.sleep(0 if new else TICK_SECONDS)
        said = "\n".join(f"{e.event.stream} {str(e.event.body)[:300]}" for e in self.events[-25:])
        log = log_file(self.settings, "worker").read_text()[-3000:]
        raise AssertionError(f"nothing such within {seconds} s:\n{said}\n{log}")

    def of_kind(self, kind: str, stream: str = ""):
        """Return the bodies of a kind, of the streams that have `stream` in their name."""
        return [
            e.event.body
            for e in self.events
            if e.event.body.kind == kind and stream in e.event.stream
        ]

    def _approve(self, request) -> None:
        body = {
            "request_id": request.request_id,
            "content_hash": request.content_hash,
            "choice": "approve",
        }
        self._client.post(path_of("threads", self.thread, "approvals"), body)


def _free_ports(count: int) -> list[int]:
    with ExitStack() as stack:
        sockets = [
            stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)
        ]
        return [each.getsockname()[1] for each in sockets]
