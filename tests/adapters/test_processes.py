"""Children start, get what they should, are capped, and end."""

import asyncio
import os
import resource
import signal
import sys
from dataclasses import replace

import pytest

from adapters.processes import children, run_ledger
from adapters.processes.capped_output import CappedOutput
from adapters.processes.command import Command
from adapters.processes.isolation import Cover, probe_isolation
from adapters.processes.process import Process
from adapters.processes.run_ledger import MARKER
from adapters.processes.spawner import Spawner
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.tagged import of_tag, wait_until_gone


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


async def test_cancelling_a_start_ends_what_was_forked_already(spawner, tmp_path, monkeypatch):
    """As bubblewrap forks, and its child waits for it: nothing else would end that."""
    tag, forked = f"tag-{tmp_path}", tmp_path / "forked"
    stand_in = tmp_path / "bwrap"
    stand_in.write_text(f"#!/bin/sh\nsh -c 'sleep 600; : {tag}' &\n: > {forked}\nwait\n")
    stand_in.chmod(0o755)
    isolation = replace(probe_isolation(), prefix=(str(stand_in),))
    spawner = Spawner(tmp_path / "runs", BASE_ENVIRONMENT, isolation)

    async def connect(_process: Process, _limit: int) -> None:
        while not forked.exists():  # noqa: ASYNC110  (another process)
            await asyncio.sleep(0.01)
        raise asyncio.CancelledError

    monkeypatch.setattr(Process, "connect", connect)
    with pytest.raises(asyncio.CancelledError):
        await spawner.start(Command(("true",), tmp_path))
    assert of_tag(tag) == []
    assert not list((tmp_path / "runs").glob("*.json"))


async def test_large_output_keeps_head_and_tail_and_marks_the_cut(spawner, tmp_path):
    script = "echo first; head -c 3000000 /dev/zero | tr '\\0' x; echo; echo last"

    done = await spawner.run(Command(("sh", "-c", script), tmp_path), output_limit_bytes=10_000)

    text = done.output.text()
    assert text.startswith("first\n")
    assert text.endswith("last\n")
    assert "bytes cut" in text
    assert len(text) < 10_100


@pytest.mark.parametrize("terminal", [None, (24, 120)], ids=["pipe", "terminal"])
async def test_what_a_slow_reader_had_no_room_for_is_there_after_the_end(
    terminal, spawner, tmp_path, monkeypatch
):
    monkeypatch.setattr(children, "_DRAIN_SECONDS", 0.1)
    script = "head -c 5000 /dev/zero; read line; echo last"
    asked = Command(("sh", "-c", script), tmp_path, terminal=terminal)
    child = await spawner.start(asked, line_limit_bytes=1000)
    await child.stdout.readexactly(1)
    child.stdin.write(b"\n")

    await child.wait()

    assert (await child.stdout.read()).rstrip().endswith(b"last")


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
        spawner.run(Command(("sh", "-c", "setsid sleep 600 & echo done"), tmp_path)), 60
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


@pytest.fixture
def covered(data_dir, tmp_path) -> Spawner:
    """A spawner whose children see a part of the data folder."""
    for folder in ("trust", "worktrees/a", "worktrees/b", "agents/home"):
        (data_dir / folder).mkdir(parents=True)
    for file in ("token", "journal.db", "trust/repository.json", "worktrees/b/theirs"):
        (data_dir / file).write_text("hunter2")
    (tmp_path / "config").mkdir()
    link = tmp_path / "link"
    link.symlink_to(data_dir)
    cover = Cover(link, shown=(link / "worktrees",), kept=(tmp_path / "config",))
    return Spawner(data_dir / "runs", BASE_ENVIRONMENT, cover=cover)


async def test_a_child_sees_its_own_part_of_the_data_folder_only(covered, data_dir, tmp_path):
    link = tmp_path / "link"
    script = f"""
        cd {data_dir}; echo *; cat token trust/*; ln token worktrees/a/twin; cat {link}/token
        echo forged > trust/repository.json; mkdir trust; echo x > worktrees/b/theirs; rm -r {data_dir}/*
        mv {data_dir} {tmp_path}/away; umount {data_dir}; echo x > {tmp_path}/config/templates
        cat worktrees/b/theirs; echo mine > {link}/worktrees/a/work; echo mine > agents/home/state
    """
    writes = (link / "agents" / "home",)
    command = Command(("sh", "-c", script), link / "worktrees" / "a", writes=writes)

    done = await covered.run(command)

    assert done.output.text().splitlines() == ["agents worktrees", "hunter2"]
    assert (data_dir / "trust" / "repository.json").read_text() == "hunter2"
    assert (data_dir / "worktrees" / "b" / "theirs").read_text() == "hunter2"
    assert (data_dir / "worktrees" / "a" / "work").read_text() == "mine\n"
    assert (data_dir / "agents" / "home" / "state").read_text() == "mine\n"
    assert not list((tmp_path / "config").iterdir())


async def test_git_of_treadles_own_sees_all_of_the_data_folder(covered, data_dir):
    command = Command(("cat", f"{data_dir}/token"), data_dir, is_uncovered=True)

    done = await covered.run(command)

    assert done.output.text() == "hunter2"


async def test_a_child_can_leave_no_core_dump_and_has_no_descriptor_of_ours(spawner, tmp_path):
    with (tmp_path / "open").open("wb"):
        done = await spawner.run(Command(("sh", "-c", "ulimit -c; ls /proc/$$/fd"), tmp_path))

    assert done.output.text().split() == ["0", "0", "1", "2"]


async def test_a_stopped_supervisor_ends_with_all_below_it(spawner, tmp_path):
    tag = f"tag-{tmp_path}"
    child = await spawner.start(Command(("sh", "-c", "echo ready; sleep 600; :", tag), tmp_path))
    await child.stdout.readline()
    os.kill(child.pid, signal.SIGSTOP)

    await child.stop(grace=0.1)

    assert wait_until_gone(tag) == []


async def test_a_process_that_becomes_another_program_is_looked_for_again(
    spawner, tmp_path, monkeypatch
):
    # what has no environment may be one that has none yet
    monkeypatch.setattr(run_ledger, "_NEW_SECONDS", 600)
    child = await spawner.start(Command(("env", "-i", "cat"), tmp_path))
    child.stdin.write(b"\n")
    await child.stdout.readline()
    assert not run_ledger.look_for("a-run").is_sure
    monkeypatch.setattr(run_ledger, "_NEW_SECONDS", 0)
    assert run_ledger.look_for("a-run").is_sure
    await child.stop()


async def test_a_child_that_cannot_be_written_down_does_not_stay(spawner, data_dir, tmp_path):
    tag = f"tag-{tmp_path}"
    command = Command(("sh", "-c", "read line", tag), tmp_path)
    child = await spawner.start(command)
    (entry,) = (data_dir / "runs").iterdir()
    size = entry.stat().st_size
    await child.stop()
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    # room for an entry without its process, as on a disk that is nearly full
    resource.setrlimit(resource.RLIMIT_FSIZE, (size - 15, hard))
    try:
        with pytest.raises(OSError, match="large"):
            await spawner.start(command)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))

    assert of_tag(tag) == []
    assert not list((data_dir / "runs").iterdir())
