"""Nothing below a child outlives it, nor a killed worker; the ledger reaps what could."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.processes import children
from adapters.processes.children import Child
from adapters.processes.command import Command
from adapters.processes.run_ledger import (
    Look,
    ProcessIdentity,
    Run,
    RunLedger,
    identify,
    kill_exactly,
    look_for,
)
from adapters.processes.spawner import Spawner
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.tagged import of_tag, wait_until_gone

ROOT = Path(__file__).parents[2]

KINDS = ("main", "plain", "deaf", "setsid", "daemon", "scrubbed", "stopped")
GONE_SECONDS = 60
"""How long the kernel may take on a busy machine to end what it was told to end."""

ENDINGS = ("finish", "abort", "timeout", "worker killed", "supervisor killed")

DESCENDANTS = """
import os, signal, subprocess, sys, time
from pathlib import Path

tag = sys.argv[1].removesuffix(":main")
sleeper = [sys.executable, "-c", "import time; time.sleep(600)"]

def start(kind, **how):
    return subprocess.Popen([*sleeper, f"{tag}:{kind}"], **how)

start("plain")
start("setsid", start_new_session=True)
start("scrubbed", env={}, start_new_session=True)
signal.signal(signal.SIGTERM, signal.SIG_IGN)
start("deaf")
signal.signal(signal.SIGTERM, signal.SIG_DFL)
read, write = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, [*sleeper, f"{tag}:daemon"])
    os._exit(0)
os.close(write)
os.wait()
os.read(read, 1)  # its end: the daemon runs its own program, whose command line has the tag
stopped = start("stopped")
stopped.send_signal(signal.SIGSTOP)
while Path(f"/proc/{stopped.pid}/stat").read_text().rpartition(")")[2].split()[0] != "T":
    time.sleep(0.001)
print("ready", flush=True)
sys.stdin.readline() or time.sleep(600)
"""
"""A tree of all kinds of descendants; its main process ends when it is given a line."""


def of_kinds(tag: str) -> dict[str, int]:
    """Count the living processes of each kind."""
    return {kind: len(of_tag(f"{tag}:{kind}")) for kind in KINDS}


def tree(tag: str, folder: Path) -> Command:
    return Command((sys.executable, "-c", DESCENDANTS, f"{tag}:main"), folder, is_merged=True)


async def start_tree(spawner: Spawner, tag: str, folder: Path) -> Child:
    child = await spawner.start(tree(tag, folder))
    assert await child.stdout.readline() == b"ready\n"
    return child


WORKER = """
import asyncio, os, sys
from pathlib import Path
from adapters.processes.isolation import Isolation
from adapters.processes.spawner import Spawner
from tests.adapters.test_descendants import start_tree

async def main():
    data_dir, tag, kind = sys.argv[1:]
    isolation = Isolation("process group") if kind == "group" else None
    spawner = Spawner(Path(data_dir), {"PATH": os.environ["PATH"]}, isolation)
    child = await start_tree(spawner, tag, Path("/"))
    print("ready", flush=True)
    await child.wait()

asyncio.run(main())
"""


def start_worker(data_dir: Path, tag: str, kind: str) -> subprocess.Popen[bytes]:
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(data_dir / "runs"), tag, kind],
        stdout=subprocess.PIPE,
        cwd=ROOT,
    )
    assert worker.stdout is not None
    assert worker.stdout.readline() == b"ready\n"
    return worker


def kill(worker: subprocess.Popen[bytes]) -> None:
    worker.kill()
    worker.wait()
    worker.stdout.close()


async def end_tree(ending: str, tag: str, folder: Path) -> dict[str, int]:
    """Start a tree, end it in one way; returns how many of each kind lived before."""
    if ending == "worker killed":
        worker = start_worker(folder, tag, "namespace")
        before = of_kinds(tag)
        kill(worker)
        return before
    spawner = Spawner(folder / "runs", BASE_ENVIRONMENT)
    if ending == "timeout":
        return await time_out(spawner, tag, folder)
    child = await start_tree(spawner, tag, folder)
    before = of_kinds(tag)
    if ending == "finish":
        await child.feed(b"end\n")
    elif ending == "abort":
        await child.stop(grace=0.2)
    else:
        os.kill(child.pid, signal.SIGKILL)
    await child.wait()
    return before


async def time_out(spawner: Spawner, tag: str, folder: Path, limit: float = 2) -> dict[str, int]:
    """Let a tree run into its time limit; a longer one where it did not get to stand."""
    running = asyncio.create_task(spawner.run(tree(tag, folder), limit_seconds=limit))
    before = of_kinds(tag)
    while not running.done():
        before = max(before, of_kinds(tag), key=lambda counts: sum(map(bool, counts.values())))
        await asyncio.wait({running}, timeout=0.1)
    assert (await running).is_timed_out
    return before if all(before.values()) else await time_out(spawner, tag, folder, limit * 2)


@pytest.fixture(scope="module")
def ended() -> dict[str, dict[str, tuple[int, int]]]:
    """What was seen of each tree; one tree per ending serves all kinds."""
    return {}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("ending", ENDINGS)
async def test_nothing_outlives_a_child(ending, kind, ended, tmp_path):
    if ending not in ended:
        tag = f"tag-{tmp_path}"
        before = await end_tree(ending, tag, tmp_path)
        wait_until_gone(tag, GONE_SECONDS)
        after = of_kinds(tag)
        ended[ending] = {k: (before[k], after[k]) for k in KINDS}

    before, after = ended[ending][kind]
    print(f"{ending}, {kind}: {before} before, {after} alive after")  # noqa: T201  (the table, with -rA)
    assert before
    assert after == 0


@pytest.fixture
def innocent():
    with subprocess.Popen(["sleep", "600"]) as process:
        yield process
        process.kill()


async def test_a_process_group_ends_all_that_kept_their_environment(group_spawner, tmp_path):
    tag = f"tag-{tmp_path}"
    child = await start_tree(group_spawner, tag, tmp_path)

    await child.stop(grace=0.2)

    left = of_tag(tag)
    assert left == of_tag(f"{tag}:scrubbed")  # has lost the mark: the fallback's known limit
    os.kill(left[0], signal.SIGKILL)


async def test_what_becomes_another_program_for_long_is_ended_too(
    group_spawner, tmp_path, monkeypatch
):
    tag, looks = f"tag-{tmp_path}", []

    def look(run_id: str) -> Look:
        """As on a busy machine: at first it has no environment, and nobody knows whose it is."""
        looks.append(run_id)
        return Look([], is_sure=False) if len(looks) < 60 else look_for(run_id)

    monkeypatch.setattr(children, "look_for", look)
    script = f"setsid sh -c 'echo ready; sleep 600; :' {tag} & wait"
    child = await group_spawner.start(Command(("sh", "-c", script), tmp_path))
    assert await child.stdout.readline() == b"ready\n"

    await child.stop(grace=0)

    assert of_tag(tag) == []


async def test_a_starting_worker_reaps_what_a_dead_one_left(data_dir, tmp_path, group_spawner):
    tag = f"tag-{tmp_path}"
    worker = start_worker(data_dir, tag, "group")
    assert await group_spawner.reap_leftovers() == []  # its worker lives

    kill(worker)
    reaped = await group_spawner.reap_leftovers()

    assert len(reaped) == 1
    left = of_tag(tag)
    assert left == of_tag(f"{tag}:scrubbed")
    os.kill(left[0], signal.SIGKILL)
    assert list((data_dir / "runs").iterdir()) == []


async def test_a_worker_reaps_what_one_leaves_that_dies_after_it_began(
    data_dir, tmp_path, group_spawner
):
    tag = f"tag-{tmp_path}"
    worker = start_worker(data_dir, tag, "group")
    assert await group_spawner.reap_leftovers() == []  # stopped or busy, but alive
    reaping = asyncio.create_task(group_spawner.keep_reaping(seconds=0.01))

    kill(worker)
    async with asyncio.timeout(60):
        while list((data_dir / "runs").iterdir()):  # noqa: ASYNC110  (another process)
            await asyncio.sleep(0.01)

    reaping.cancel()
    left = of_tag(tag)
    assert left == of_tag(f"{tag}:scrubbed")
    os.kill(left[0], signal.SIGKILL)


async def test_reaping_never_ends_an_innocent_process(data_dir, innocent):
    folder = data_dir / "runs"
    ledger = RunLedger(folder)
    identity = identify(innocent.pid)
    dead_worker = ProcessIdentity(pid=os.getpid(), start_time=1)
    run = ledger.open("run-1", Path("/"))
    reused_pid = ProcessIdentity(pid=innocent.pid, start_time=identity.start_time - 1)
    entries = [
        run.model_copy(update={"worker": dead_worker, "child": reused_pid}),
        run.model_copy(update={"run_id": "run-2", "boot_id": "earlier", "child": identity}),
    ]
    for entry in entries:
        (folder / f"{entry.run_id}.json").write_text(entry.model_dump_json())
    (folder / "torn.json").write_text('{"run_id": "ru')

    await ledger.reap()

    assert innocent.poll() is None
    assert list(folder.iterdir()) == []


def test_a_run_is_written_down_for_its_owner_only(data_dir):
    ledger = RunLedger(data_dir / "runs")

    run = ledger.open("run-1", Path("/"))
    ledger.started(run, os.getpid())

    file = data_dir / "runs" / "run-1.json"
    assert file.stat().st_mode & 0o777 == 0o600
    assert Run.model_validate_json(file.read_text()).child == identify(os.getpid())


def test_a_pid_that_was_given_to_another_is_not_killed(innocent):
    process = identify(innocent.pid)

    kill_exactly(process.model_copy(update={"start_time": process.start_time - 1}))
    kill_exactly(process.model_copy(update={"pid": 4_194_305}))  # nobody's
    assert innocent.poll() is None

    kill_exactly(process)
    assert innocent.wait(60) == -signal.SIGKILL
