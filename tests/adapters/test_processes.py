"""Children start, are capped, end with everything below them, and are reaped after a killed worker."""

import asyncio
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from adapters.capped_output import CappedOutput
from adapters.isolation import Isolation, probe_isolation
from adapters.processes import Command, Spawner
from adapters.run_ledger import MARKER, ProcessIdentity, Run, RunLedger, identify
from tests.adapters.conftest import BASE_ENVIRONMENT

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


def of_tag(tag: str) -> list[int]:
    """Return the processes whose arguments hold a tag, the dead ones left out."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdecimal() and int(entry.name) != os.getpid():
            try:
                is_tagged = tag.encode() in (entry / "cmdline").read_bytes()
            except OSError:
                continue
            if is_tagged and identify(int(entry.name)) is not None:
                found.append(int(entry.name))
    return found


def wait_until_gone(tag: str, seconds: float = 5) -> list[int]:
    deadline = time.monotonic() + seconds
    while (left := of_tag(tag)) and time.monotonic() < deadline:
        time.sleep(0.02)  # the kernel's work on processes that are no children of ours
    return left


@pytest.fixture
def group_spawner(data_dir: Path) -> Spawner:
    """What a machine without user namespaces gets."""
    setpriv = shutil.which("setpriv")
    prefix = (setpriv, "--pdeathsig", "KILL", "--") if setpriv else ()
    return Spawner(data_dir / "runs", BASE_ENVIRONMENT, Isolation("process group", prefix))


async def start_descendants(spawner: Spawner, tmp_path: Path, ending: str = "stay"):
    tag = f"tag-{tmp_path}"
    child = await spawner.start(
        Command((sys.executable, "-c", DESCENDANTS, tag, ending), tmp_path, is_merged=True)
    )
    assert await child.stdout.readline() == b"ready\n"
    return tag, child


def test_a_pid_namespace_works_here():
    assert probe_isolation().is_namespace


async def test_output_exit_code_and_input_come_through(spawner, tmp_path):
    done = await spawner.run(
        Command(("sh", "-c", "cat; echo oops >&2; exit 3"), tmp_path), stdin=b"hello"
    )

    assert (done.returncode, done.output.content(), done.errors) == (3, b"hello", "oops\n")


async def test_only_the_given_environment_reaches_a_child(spawner, tmp_path, monkeypatch):
    monkeypatch.setenv("SECRET_KEY", "hunter2")

    done = await spawner.run(Command(("env",), tmp_path, {"PORT": "1"}))

    names = {line.split("=")[0] for line in done.output.text().splitlines()}
    assert names - {"PWD"} == {*BASE_ENVIRONMENT, "PORT", MARKER}


async def test_a_signal_is_told_from_an_exit_code(spawner, tmp_path):
    done = await spawner.run(Command(("sh", "-c", "kill -9 $$"), tmp_path))

    assert (done.returncode, done.signal) == (None, signal.SIGKILL)


async def test_a_time_limit_ends_what_ignores_sigterm(spawner, tmp_path):
    beats = []
    tag = f"tag-{tmp_path}"
    script = f"trap '' TERM; sleep 600 & sleep 600 & : {tag}; wait; wait; wait"
    child = await spawner.start(Command(("sh", "-c", script), tmp_path))
    await child.stop(grace=0.1)
    assert of_tag(tag) == []

    done = await spawner.run(
        Command(("sleep", "600"), tmp_path), limit_seconds=1.2, beat=lambda: beats.append(1)
    )

    assert done.is_timed_out
    assert done.returncode is None
    assert beats


async def test_sigterm_gives_a_child_time_to_tidy_up(spawner, tmp_path):
    script = "trap 'echo tidied; exit 0' TERM; echo ready; while :; do sleep 0.05; done"
    child = await spawner.start(Command(("sh", "-c", script), tmp_path))
    await child.stdout.readline()

    await child.stop(grace=10)

    assert await child.stdout.read() == b"tidied\n"


async def test_cancelling_ends_the_command(spawner, tmp_path):
    tag = f"tag-{tmp_path}"
    started = asyncio.Event()
    running = asyncio.create_task(
        spawner.run(
            Command((sys.executable, "-c", "import time; time.sleep(600)", tag), tmp_path),
            beat=started.set,
        )
    )
    await started.wait()

    running.cancel()

    with pytest.raises(asyncio.CancelledError):
        await running
    assert of_tag(tag) == []


async def test_large_output_keeps_head_and_tail_and_marks_the_cut(spawner, tmp_path):
    script = "echo first; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo last"

    done = await spawner.run(Command(("sh", "-c", script), tmp_path), output_limit_bytes=10_000)

    text = done.output.text()
    assert text.startswith("first\n")
    assert text.endswith("last\n")
    assert "bytes cut" in text
    assert len(text) < 10_100


def test_capped_output_keeps_everything_up_to_its_limit():
    output = CappedOutput(10)
    for byte in b"0123456789":
        output.add(bytes([byte]))
    assert output.content() == b"0123456789"

    output.add(b"a")

    assert output.content() == b"01234\n[... 1 bytes cut ...]\n6789a"


async def test_two_megabytes_on_standard_error_do_not_hang_a_child(spawner, tmp_path):
    child = await spawner.start(
        Command(("sh", "-c", "head -c 2000000 /dev/zero >&2; echo end >&2"), tmp_path)
    )

    assert await child.wait() == 0

    assert child.stderr_tail().endswith("end\n")
    assert len(child.stderr_tail()) < 70_000


@pytest.mark.parametrize("kind", ["spawner", "group_spawner"])
async def test_a_child_that_leaves_its_pipe_to_a_daemon_still_ends(kind, request, tmp_path):
    spawner = request.getfixturevalue(kind)

    done = await asyncio.wait_for(
        spawner.run(Command(("sh", "-c", "setsid sleep 600 & echo done"), tmp_path)), 5
    )

    assert done.output.content() == b"done\n"


@pytest.mark.parametrize(
    ("program", "words"),
    [("no-such-program", "not in PATH"), ("./missing", "no such program"), ("./plain", "chmod")],
)
async def test_what_cannot_start_says_why(spawner, tmp_path, program, words):
    (tmp_path / "plain").write_text("text")

    with pytest.raises(OSError, match=words):
        await spawner.start(Command((program,), tmp_path))


async def test_children_are_started_from_the_loops_thread_only(spawner, tmp_path):
    errors = []

    def elsewhere():
        with pytest.raises(RuntimeError, match="event loop's thread") as caught:
            asyncio.run(spawner.start(Command(("true",), tmp_path)))
        errors.append(caught.value)

    thread = threading.Thread(target=elsewhere)
    thread.start()
    await asyncio.to_thread(thread.join)

    assert errors


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


WORKER = """
import asyncio, os, sys
from pathlib import Path
from adapters.isolation import Isolation
from adapters.processes import Command, Spawner

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


@pytest.fixture
def innocent():
    with subprocess.Popen(["sleep", "600"]) as process:
        yield process
        process.kill()


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
