"""`treadle demo`: a whole job on a small real repository, with the scripted agent."""

import contextlib
import itertools
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Generator, Iterator
from datetime import UTC, datetime
from pathlib import Path

import psutil
import typer
from rich.table import Table

import domain.reading.event_kinds  # noqa: F401  # pyright: ignore[reportUnusedImport]  (reads events by kind)
from adapters.port_leases import PORTS, is_free
from cli.core.client import Client, path_of
from cli.core.console import messages, print_json, say
from cli.core.errors import CommandError
from domain.conversations.events import AgentUpdate
from domain.core.approvals import ApprovalRequest
from domain.core.event import JournaledEvent
from domain.plans.status import PlanStatus
from domain.reading.event_kinds import JOURNALED
from domain.tasks.events import GateOpened, TaskOpened
from domain.threads.demo import AGENT, GOAL
from domain.threads.events import PlanCompleted, PlanProposed
from settings import Settings, environment_of
from treadle.engine import LAUNCH, read_state, running_engine, temporal_binary
from treadle.story import Story

TESTS = (sys.executable, "-m", "unittest")
START_SECONDS = 60
STOP_SECONDS = 60
JOB_SECONDS = 300
TICK_SECONDS = 0.2
LOG_NAME = "demo.log"


def demo(*, has_crashes: bool) -> None:
    """Make a repository and an engine of its own, have the job done, check it, and tell."""
    began = time.monotonic()
    folder = Path.cwd() / ".demo" / datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    settings = _settings(folder / "data")
    with _engine(settings):
        started = time.monotonic()
        say(
            f"Treadle is running at {settings.api_url} (started in {started - began:.1f} s)",
            style="bold",
        )
        job = Job(settings, has_crashes=has_crashes)
        repository = job.open()
        say(f"A small repository with a failing feature: {repository}", style="bold")
        _run_tests(repository, is_expected_to_pass=False)
        is_completed = job.run()
    say("The merged branch, in a fresh clone:", style="bold")
    clone = folder / "check"
    _git(folder, "clone", "--quiet", "--branch", job.story.branch, str(repository), str(clone))
    is_passing = _run_tests(clone, is_expected_to_pass=True)
    _tell(job, settings, time.monotonic() - began, is_completed=is_completed)
    if not (is_completed and is_passing):
        raise typer.Exit(1)


def begin(settings: Settings, *, as_json: bool) -> None:
    """Open the demo's thread on the engine that runs, for a person to see through."""
    opened = Client(settings).post("/v1/demo", {})
    if as_json:
        print_json(opened)
        return
    say(f"Thread {opened['thread_id']}", style="bold")
    say(f"It works on a small new repository. Watch it: treadle attach {opened['thread_id']}")


class Job:
    """Drives one thread through the API, as a person would: approves, and kills the worker."""

    def __init__(self, settings: Settings, *, has_crashes: bool) -> None:
        self.story = Story()
        self.thread = ""
        self.kills: list[str] = []
        self._settings = settings
        self._client = Client(settings)
        self._has_crashes = has_crashes
        self._killed: int | None = None
        self._began = time.monotonic()

    def open(self) -> Path:
        """Open the thread; returns its repository, which was made for it."""
        self._began = time.monotonic()
        self.thread = self._client.post("/v1/demo", {})["thread_id"]
        return Path(self._client.get(path_of("threads", self.thread))["repository"])

    def run(self) -> bool:
        """See the thread through; tells whether its plan completed."""
        self._say(f"$ treadle plan {GOAL!r} --agent {AGENT}")
        automatic: set[str] = set()
        for journaled in self._events():
            if line := self.story.tell(journaled):
                self._say(line)
            body = journaled.event.body
            if isinstance(body, AgentUpdate) and "session-" in journaled.event.stream:
                self._crash_once("in the middle of an agent's turn", journaled.event.stream)
            elif isinstance(body, PlanProposed):
                self._approve(body.request)
            elif isinstance(body, TaskOpened) and body.is_gate_automatic:
                automatic.add(journaled.event.stream)
            elif isinstance(body, GateOpened) and journaled.event.stream not in automatic:
                self._crash_once("while a task waits at its gate", "/")
                self._approve(body.request)
            elif isinstance(body, PlanCompleted):
                return body.final_status is PlanStatus.COMPLETED
        return False

    def _events(self) -> Iterator[JournaledEvent]:
        """Yield the thread's events; a lost connection is taken up where it was."""
        after = 0
        deadline = time.monotonic() + JOB_SECONDS
        path = path_of("threads", self.thread, "events")
        while time.monotonic() < deadline:
            self._tell_of_return()
            page = self._client.get(path, after=after)
            after = page["after"]
            yield from map(JOURNALED.validate_python, page["events"])
            time.sleep(0 if page["events"] else TICK_SECONDS)
        raise CommandError(
            f"the job did not end within {JOB_SECONDS} s; `treadle show {self.thread}`"
        )

    def _approve(self, request: ApprovalRequest) -> None:
        body = {
            "request_id": request.request_id,
            "content_hash": request.content_hash,
            "choice": "approve",
            "is_acknowledged": True,
        }
        self._client.post(path_of("threads", self.thread, "approvals"), body)

    def _crash_once(self, when: str, stream: str) -> None:
        """Kill the worker with -9, once for each moment; the supervisor starts it again."""
        is_task = stream.count("/") > 1 or stream == "/"
        if not self._has_crashes or not is_task or any(when in kill for kill in self.kills):
            return
        state = read_state(self._settings)
        worker = next(part for part in state.parts if part.name == "worker") if state else None
        if worker is None or worker.pid is None:
            return
        psutil.Process(worker.pid).kill()
        self.kills.append(f"kill -9 {worker.pid} (worker) {when}")
        self._say(self.kills[-1], style="bold red")
        self._killed = worker.pid

    def _tell_of_return(self) -> None:
        """Say once that the killed worker runs again."""
        if self._killed is None:
            return
        state = read_state(self._settings)
        worker = next(part for part in state.parts if part.name == "worker") if state else None
        if worker and worker.status == "running" and worker.pid != self._killed:
            self._killed = None
            self._say(f"the worker is up again (pid {worker.pid})", style="bold green")

    def _say(self, line: str, style: str = "") -> None:
        say(f"{time.monotonic() - self._began:6.1f} s  {line}", style=style)


@contextlib.contextmanager
def _engine(settings: Settings) -> Generator[None]:
    settings.data_dir.mkdir(parents=True, mode=0o700)
    log = settings.data_dir / LOG_NAME
    with log.open("wb") as output:
        process = subprocess.Popen(  # noqa: S603  (our own launcher)
            [*LAUNCH, "up"], env=environment_of(settings), stdout=output, stderr=output
        )
    try:
        deadline = time.monotonic() + START_SECONDS
        while (state := running_engine(settings)) is None or state.status != "running":
            if process.poll() is not None or time.monotonic() > deadline:
                raise CommandError(f"the engine did not start:\n{log.read_text()[-2000:]}")
            time.sleep(TICK_SECONDS)
        yield
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()


def _settings(data_dir: Path) -> Settings:
    ports = _free_ports(3)
    return Settings(
        data_dir=data_dir, api_port=ports[0], temporal_port=ports[1], temporal_ui_port=ports[2]
    )


def _free_ports(count: int) -> list[int]:
    """Return free ports, none of those that the kernel may give to another program before the engine listens."""
    by_chance = random.sample(PORTS, len(PORTS))  # two demos at once seldom try the same ones
    return list(itertools.islice(filter(is_free, by_chance), count))


def _run_tests(folder: Path, *, is_expected_to_pass: bool) -> bool:
    done = subprocess.run(  # noqa: S603  (Python's own test runner)
        TESTS, cwd=folder, capture_output=True, text=True, check=False
    )
    verdict = done.stderr.strip().splitlines()[-1]
    is_passing = done.returncode == 0
    style = "" if is_passing == is_expected_to_pass else "red"
    say(f"          $ python3 -m unittest    {verdict}", style=style)
    return is_passing


def _git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True)  # noqa: S603, S607


def _tell(job: Job, settings: Settings, total: float, *, is_completed: bool) -> None:
    story = job.story
    table = Table(box=None, padding=(0, 2), title="What it did", title_justify="left")
    for heading in ("task", "attempts", "took", "merged as"):
        table.add_column(heading)
    for task_id, merged in story.merged.items():
        took = f"{story.took(task_id):.1f} s"
        table.add_row(task_id, str(merged.attempts), took, merged.commit[:10])
    messages.print(table)
    phases = {
        "planning": story.seconds("thread_opened", "plan_proposed"),
        "tasks, gate and merges": story.seconds("plan_started", "plan_completed"),
        "all, with start, stop and checks": total,
    }
    for name, seconds in phases.items():
        say(f"  {name}: {seconds:.1f} s")
    for kill in job.kills:
        say(f"  {kill}")
    if job.kills and is_completed:
        say("  after which the job went on to its end")
    _tell_where_to_look(job, settings)


def _tell_where_to_look(job: Job, settings: Settings) -> None:
    treadle = (shutil.which("treadle") and "treadle") or sys.argv[0]
    temporal = (shutil.which("temporal") and "temporal") or temporal_binary()
    ports = f"TREADLE_API_PORT={settings.api_port} TREADLE_TEMPORAL_PORT={settings.temporal_port}"
    ui_port = settings.temporal_ui_port
    say("")
    say("To look deeper, start the demo's engine again:", style="bold")
    say(f"  export TREADLE_DATA_DIR={settings.data_dir} {ports} TREADLE_TEMPORAL_UI_PORT={ui_port}")
    say(f"  {treadle} up --detach")
    say(f"  {treadle} show {job.thread}    # tasks, commits, durations")
    say(f"  {treadle} logs {job.thread}    # the journal: every event, in order")
    say(f"  less {settings.data_dir / LOG_NAME}    # the engine of this demo: starts, restarts")
    say(f"  {treadle} open --temporal {job.thread}    # its workflow in Temporal's Web UI")
    say(f"  {temporal} workflow signal --address 127.0.0.1:{settings.temporal_port} \\")
    say(f"    --workflow-id {job.thread} --name open_session --input '{{}}'    # one more chat")
    say(f"  {treadle} down")
