"""Tracers below a child hold nothing up: its time limit wins, and nothing of it stays."""

import asyncio
import errno
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.processes.command import Command
from adapters.processes.fences import WorkspaceFences
from adapters.processes.host_spawner import HostFolders, host_spawner
from adapters.processes.isolation import Isolation
from adapters.processes.run_ledger import ProcessIdentity, RunLedger, identify, is_past_its_end
from adapters.processes.spawner import Spawner
from domain.agents.sandbox import Sandbox, SandboxRules
from domain.core.workspaces import Claim
from tests.adapters import tracing
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.tagged import of_tag, wait_until_gone

TRACER = Path(tracing.__file__)
EXIT = hex(tracing.TRACE_EXIT)
LIMIT_SECONDS = 1.5
AT_MOST_SECONDS = 90
"""Far below what a hang takes, far above what a busy machine needs."""

SANDBOXES = {"sandbox": SandboxRules().of(None, None), "none": Sandbox()}

HANGS = {
    "the first process": f"$TRACE seize 1 {EXIT} & wait",
    "the first process, stopped": f"$TRACE attach 1 {EXIT} & wait",
    "its parent": f"$TRACE seize $PPID {EXIT} & wait",
    "from a daemon": f"setsid sh -c 'setsid $TRACE seize 1 {EXIT} & :' & wait; sleep 600",
    "the command": f"$TRACE attach $$ {EXIT} & wait",
    "a chain": f"sleep 600 & $TRACE seize $! {EXIT} & $TRACE seize $! {EXIT} & wait",
    "two that trace each other": "sleep 0.2; $TRACE seize $$ 0 & a=$!; exec $TRACE seize $a 0",
    "a stopped first process": "kill -STOP 1; kill -STOP -1; sleep 600",
    "a vfork without an exec": "$VFORK & wait; sleep 600",
    "by a forbidden name": "kill -STOP $PPID $$; sleep 600",
}
VFORK = "import ctypes, signal; signal.signal(15, signal.SIG_IGN); ctypes.CDLL(None).vfork() or signal.pause()"


@pytest.fixture
def grounds(tmp_path) -> Path:
    return workspace(tmp_path, "own")


def workspace(tmp_path: Path, name: str) -> Path:
    folder = tmp_path / "data" / "worktrees" / name
    folder.mkdir(parents=True)
    shutil.copy(TRACER, folder / "tracing.py")
    (folder / "vfork.py").write_text(VFORK)
    return folder


@pytest.fixture
def confined(tmp_path) -> Spawner:
    folders = HostFolders(tmp_path / "data", tmp_path / "data" / "programs", tmp_path / "config")
    return host_spawner(folders, {**BASE_ENVIRONMENT, "HOME": str(tmp_path / "home")})


def command(folder: Path, script: str, sandbox: Sandbox) -> Command:
    environment = {
        "TRACE": f"{sys.executable} {folder}/tracing.py",
        "VFORK": f"{sys.executable} {folder}/vfork.py",
    }
    argv = ("/bin/sh", "-c", script, f"tag-{folder}")
    return Command(argv, folder, environment, is_merged=True, sandbox=sandbox)


@pytest.mark.parametrize("sandbox", SANDBOXES)
async def test_the_time_limit_wins_and_nothing_stays(confined, tmp_path, sandbox):
    places = {hang: workspace(tmp_path, str(i)) for i, hang in enumerate(HANGS)}
    hanging = [command(places[h], script, SANDBOXES[sandbox]) for h, script in HANGS.items()]

    async with asyncio.timeout(AT_MOST_SECONDS):
        ends = await asyncio.gather(
            *(confined.run(one, limit_seconds=LIMIT_SECONDS) for one in hanging)
        )

    assert [end.is_timed_out for end in ends] == [True] * len(HANGS)
    left = {hang: wait_until_gone(str(place), 30) for hang, place in places.items()}
    assert {hang: pids for hang, pids in left.items() if pids} == {}


@pytest.mark.parametrize("sandbox", SANDBOXES)
@pytest.mark.parametrize("how", ["seize", "attach"])
async def test_nobody_traces_the_first_process_of_its_namespace(confined, grounds, how, sandbox):
    tracer = command(grounds, f"exec $TRACE {how} 1 0", SANDBOXES[sandbox])
    child = await confined.start(tracer)

    said = await asyncio.wait_for(child.stdout.readline(), AT_MOST_SECONDS)
    await child.stop(grace=0)

    assert said.decode() == f"refused: {errno.EPERM}\n"


@pytest.mark.parametrize("sandbox", SANDBOXES)
@pytest.mark.parametrize("how", ["seize", "attach"])
async def test_an_agent_traces_processes_of_its_own(confined, grounds, how, sandbox):
    script = f"sleep 600 & exec $TRACE {how} $! {EXIT}"
    child = await confined.start(command(grounds, script, SANDBOXES[sandbox]))

    said = await asyncio.wait_for(child.stdout.readline(), AT_MOST_SECONDS)
    await child.stop(grace=0)

    assert said == b"traced\n"
    assert wait_until_gone(str(grounds), 30) == []


async def test_a_command_that_ends_leaves_no_tracer(confined, grounds):
    script = f"$TRACE seize 1 {EXIT} & sleep 0.5"

    async with asyncio.timeout(AT_MOST_SECONDS):
        done = await confined.run(command(grounds, script, Sandbox()))

    assert done.returncode == 0
    assert wait_until_gone(str(grounds), 30) == []


# --- what a kill does not end


@pytest.fixture
async def kept_at_its_end():
    """Trace a process from outside so that its end does not come before the test's."""
    tracers: list[subprocess.Popen[bytes]] = []

    def trace(pid: int) -> None:
        argv = [sys.executable, str(TRACER), "seize", str(pid), EXIT]
        tracers.append(subprocess.Popen(argv, stdout=subprocess.PIPE))
        assert tracers[-1].stdout is not None
        assert tracers[-1].stdout.readline() == b"traced\n"

    yield trace
    for tracer in tracers:
        tracer.kill()
        tracer.communicate()


async def test_a_child_that_no_kill_ends_is_given_up(
    confined, grounds, kept_at_its_end, data_dir_of_runs
):
    child = await confined.start(command(grounds, "echo ready; sleep 600", Sandbox()))
    await child.stdout.readline()
    kept_at_its_end(child.pid)

    async with asyncio.timeout(AT_MOST_SECONDS):
        await child.stop(grace=0)

    assert child.returncode == -signal.SIGKILL
    assert len(list(data_dir_of_runs.glob("*.json"))) == 1  # for a later worker to end


@pytest.fixture
def data_dir_of_runs(tmp_path) -> Path:
    return tmp_path / "data" / "runs"


@pytest.fixture
def marked():
    """A process with a run's mark."""
    environment = {"TREADLE_RUN": "run-1", "PATH": os.defpath}
    process = subprocess.Popen(["sleep", "600"], env=environment)
    yield process
    process.kill()
    process.wait()


@pytest.fixture
def stuck(marked, kept_at_its_end):
    """A process with a run's mark that a kill does not end."""
    kept_at_its_end(marked.pid)
    return marked


async def test_a_workspace_is_not_kept_by_what_only_its_tracer_keeps(
    tmp_path, spawner, kept_at_its_end
):
    fences = WorkspaceFences(tmp_path / "fences")
    async with fences.held("w", Claim(order=1)):
        child = await spawner.start(Command(("sleep", "600"), tmp_path, is_brief=True))
        kept_at_its_end(child.pid)

    async with asyncio.timeout(AT_MOST_SECONDS), fences.held("w", Claim(order=1, attempt=2)):
        assert is_past_its_end(child.pid)


async def test_reaping_goes_on_past_what_only_its_tracer_keeps(tmp_path, stuck):
    ledger = RunLedger(tmp_path / "runs")
    run = ledger.open("run-1", tmp_path)
    dead = ProcessIdentity(pid=os.getpid(), start_time=1)
    entry = run.model_copy(update={"worker": dead, "child": identify(stuck.pid)})
    (tmp_path / "runs" / "run-1.json").write_text(entry.model_dump_json())

    async with asyncio.timeout(AT_MOST_SECONDS):
        reaped = await ledger.reap()

    assert reaped == ["run-1"]
    assert is_past_its_end(stuck.pid)


def test_a_process_that_runs_is_not_past_its_end():
    process = subprocess.Popen(["sleep", "600"])
    try:
        assert not is_past_its_end(process.pid)
        process.send_signal(signal.SIGSTOP)
        assert not is_past_its_end(process.pid)
    finally:
        process.kill()
        process.wait()


# --- bubblewrap that dies before its namespace is bound


DYING = """#!/bin/sh
setsid sh -c 'sleep 600; :' "$TAG" &
kill -9 $$
"""
"""Stands for a bubblewrap that is killed when its first process waits for it (0.11: for ever)."""


async def test_a_first_process_that_waits_for_a_dead_bubblewrap_is_ended(tmp_path):
    program, tag = tmp_path / "bwrap", f"tag-{tmp_path}"
    program.write_text(DYING)
    program.chmod(0o755)
    isolation = Isolation("dying", (str(program),), is_namespace=True)
    spawner = Spawner(tmp_path / "runs", BASE_ENVIRONMENT, isolation)

    child = await spawner.start(Command(("true",), tmp_path, {"TAG": tag}))
    async with asyncio.timeout(AT_MOST_SECONDS):
        await child.wait()

    assert of_tag(tag) == []
    assert list((tmp_path / "runs").iterdir()) == []
