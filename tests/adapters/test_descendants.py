"""Nothing below a child outlives it, nor a killed worker; the ledger reaps what could."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.processes.run_ledger import ProcessIdentity, Run, RunLedger, identify
from adapters.processes.spawner import Command, Spawner
from tests.adapters.tagged import of_tag, wait_until_gone

ROOT = Path(__file__).parents[2]

DESCENDANTS = """
import os, signal, subprocess, sys, time
script = "import os, signal, sys, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(600)"
child = [sys.executable, "-c", "import time; time.sleep(600)", sys.argv[1]]
subprocess.Popen(child)
subprocess.Popen(child, start_new_session=True)
subprocess.Popen([sys.executable, "-c", script, sys.argv[1]])
subprocess.Popen(child, env={}, start_new_session=True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execv(sys.executable, child)
    os._exit(0)
os.wait()
print("ready", flush=True)
if sys.argv[2] == "stay":
    time.sleep(600)
"""
"""Plain, setsid, TERM-ignoring, environment-scrubbed and double-forked descendants."""


async def start_descendants(spawner: Spawner, tmp_path: Path, ending: str = "stay"):
    tag = f"tag-{tmp_path}"
    child = await spawner.start(
        Command((sys.executable, "-c", DESCENDANTS, tag, ending), tmp_path, is_merged=True)
    )
    assert await child.stdout.readline() == b"ready\n"
    return tag, child


WORKER = """
import asyncio, os, sys
from pathlib import Path
from adapters.processes.isolation import Isolation
from adapters.processes.spawner import Command, Spawner

async def main():
    data_dir, tag, kind, script = sys.argv[1:]
    isolation = Isolation("process group") if kind == "group" else None
    spawner = Spawner(Path(data_dir), {"PATH": os.environ["PATH"]}, isolation)
    child = await spawner.start(
        Command((sys.executable, "-c", script, tag, "stay"), Path("/"), is_merged=True)
    )
    await child.stdout.readline()
    print("ready", flush=True)
    await child.wait()

asyncio.run(main())
"""


def start_worker(data_dir: Path, tag: str, kind: str) -> subprocess.Popen[bytes]:
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(data_dir / "runs"), tag, kind, DESCENDANTS],
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


@pytest.fixture
def innocent():
    with subprocess.Popen(["sleep", "600"]) as process:
        yield process
        process.kill()


async def test_stopping_leaves_no_descendant(spawner, tmp_path, data_dir):
    tag, child = await start_descendants(spawner, tmp_path)
    assert len(of_tag(tag)) >= 6

    await child.stop(grace=0.2)

    assert wait_until_gone(tag, 2) == []
    assert list((data_dir / "runs").iterdir()) == []


async def test_a_child_that_ends_leaves_no_descendant(spawner, tmp_path):
    tag, child = await start_descendants(spawner, tmp_path, "end")

    await child.wait()

    assert wait_until_gone(tag, 2) == []


async def test_a_process_group_ends_all_that_kept_their_environment(group_spawner, tmp_path):
    tag, child = await start_descendants(group_spawner, tmp_path)

    await child.stop(grace=0.2)

    left = of_tag(tag)
    assert len(left) == 1  # the one that scrubbed its environment: the fallback's known limit
    os.kill(left[0], signal.SIGKILL)


def test_killing_a_worker_ends_all_its_descendants(data_dir, tmp_path):
    tag = f"tag-{tmp_path}"
    worker = start_worker(data_dir, tag, "namespace")
    assert len(of_tag(tag)) >= 7

    kill(worker)

    assert wait_until_gone(tag) == []


async def test_a_starting_worker_reaps_what_a_dead_one_left(data_dir, tmp_path, group_spawner):
    tag = f"tag-{tmp_path}"
    worker = start_worker(data_dir, tag, "group")
    assert await group_spawner.reap_leftovers() == []  # its worker lives

    kill(worker)
    reaped = await group_spawner.reap_leftovers()

    assert len(reaped) == 1
    left = of_tag(tag)
    assert len(left) == 1  # scrubbed its environment
    os.kill(left[0], signal.SIGKILL)
    assert list((data_dir / "runs").iterdir()) == []


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
