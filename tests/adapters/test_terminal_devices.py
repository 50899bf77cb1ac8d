"""Terminals are real ones: programs find a terminal, and nothing that holds on to one outlives it."""

import asyncio
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from adapters.processes.command import Command
from adapters.processes.host_spawner import HostFolders, host_spawner
from adapters.processes.isolation import Isolation
from adapters.processes.spawner import Spawner
from domain.agents.sandbox import Level, Sandbox
from domain.core.network import Network
from tests.adapters.conftest import BASE_ENVIRONMENT
from tests.adapters.tagged import of_tag, wait_until_gone
from tests.adapters.terminal_lab import opened
from tests.adapters.test_descendants import of_kinds

ROOT = Path(__file__).parents[2]
SIZE = (24, 120)
LOOK = f"""exec {sys.executable} -c '
import os
print([os.isatty(fd) for fd in (0, 1, 2)], tuple(os.get_terminal_size()))
os.write(os.open("/dev/tty", os.O_RDWR), b"it is the controlling one\\n")
'"""
SANDBOXED = Sandbox(level=Level.WORKSPACE_WRITE, network=Network.PORTS)
HOLDERS = """
import os, signal, subprocess, sys, time
for number in (signal.SIGHUP, signal.SIGTERM):
    signal.signal(number, signal.SIG_IGN)
for _ in range(int(sys.argv[2])):
    if os.fork() == 0:
        os.setsid()
        if os.fork():
            os._exit(0)
        time.sleep(600)
    os.wait()
print("all there", flush=True)
time.sleep(600)
"""
WORKER = """
import asyncio, os, sys
from pathlib import Path
from adapters.processes.isolation import Isolation
from adapters.processes.command import Command
from adapters.processes.spawner import Spawner
from tests.adapters.test_descendants import DESCENDANTS

async def main():
    spawner = Spawner(Path(sys.argv[1]), {"PATH": os.environ["PATH"]})
    argv = (sys.executable, "-c", DESCENDANTS, sys.argv[2] + ":main")
    starting = asyncio.create_task(spawner.start(Command(argv, Path("/"), terminal=(24, 120))))
    if sys.argv[3] == "starting":
        asyncio.get_running_loop().call_later(float(sys.argv[4]), os.kill, os.getpid(), 9)
        print("begun", flush=True)
    child = await starting
    line = await child.stdout.readline()
    print(line.decode().strip(), flush=True)
    await child.wait()

asyncio.run(main())
"""


@pytest.fixture
async def lab(spawner, tmp_path):
    async with opened(spawner, tmp_path / "lab") as lab:
        yield lab


def open_devices() -> int:
    """Count the terminals' ends that this process has open."""
    links = [link for link in Path("/proc/self/fd").iterdir() if link.is_symlink()]
    return sum("/ptmx" in str(link.readlink()) for link in links)


def zombies() -> set[int]:
    """Return the children of this process that nobody waits for."""
    children = psutil.Process().children()
    return {each.pid for each in children if each.status() == psutil.STATUS_ZOMBIE}


@pytest.mark.parametrize("sandbox", [None, SANDBOXED], ids=["off", "sandboxed"])
async def test_a_program_finds_a_terminal_that_controls_it(sandbox, data_dir, tmp_path):
    folder = tmp_path / "work"
    folder.mkdir()
    folders = HostFolders(data_dir, data_dir / "programs", tmp_path / "config")
    spawner = host_spawner(folders, BASE_ENVIRONMENT)
    asked = Command(("/bin/sh", "-c", LOOK), folder, terminal=SIZE, sandbox=sandbox)

    child = await spawner.start(replace(asked, workspace=folder))
    said = await child.stdout.read(-1)

    assert said.decode() == ("[True, True, True] (120, 24)\r\nit is the controlling one\r\n")
    assert await child.wait() == 0


async def test_without_namespaces_it_is_a_terminal_too(group_spawner, tmp_path):
    asked = Command(("/bin/sh", "-c", "test -t 0 && stty size; exit 3"), tmp_path, terminal=SIZE)
    child = await group_spawner.start(asked)

    assert (await child.stdout.read(-1), await child.wait()) == (b"24 120\r\n", 3)


async def test_colours_and_overwritten_lines_are_kept_and_lines_end_as_in_files(lab):
    stream = await lab.open(r"printf '\033[32mgreen\033[0m\n10%%\r'; sleep 0.2; printf '99%%\r\n'")
    await lab.terminals.wait(stream, 60)

    assert lab.terminals.output(stream).text == "\x1b[32mgreen\x1b[0m\n10%\r99%\n"


async def test_a_watcher_that_would_end_with_its_input_goes_on(lab):
    stream = await lab.open("echo watching; cat; echo its input ended")
    await lab.said(stream, "watching")

    assert (await lab.terminals.wait(stream, 0.3)).is_running
    assert lab.terminals.output(stream).text == "watching\n"


async def test_git_shows_its_log_without_a_pager(lab, repository):
    stream = await lab.open(f"git -C {repository} log --format=%s")
    await lab.terminals.wait(stream, 60)

    assert lab.terminals.output(stream).text == "first\n"


async def test_what_was_said_last_is_read_also_after_the_end(lab):
    stream = await lab.open("head -c 200000 /dev/zero | tr '\\0' x; echo; echo last")
    await lab.terminals.wait(stream, 60)

    assert lab.terminals.output(stream).text == f"{'x' * 200_000}\nlast\n"


async def test_a_script_that_ends_its_group_ends_alone(lab):
    stream = await lab.open("trap 'echo tidied; exit 4' TERM; sleep 600 & kill 0; wait")
    ended = await lab.terminals.wait(stream, 60)

    assert (ended.exit_code, lab.terminals.output(stream).text) == (4, "tidied\n")


async def test_a_thousand_deaf_daemons_end_with_their_terminal(lab):
    tag = f"holders-{os.getpid()}"
    program = lab.folder / "holders.py"
    program.write_text(HOLDERS)
    stream = await lab.open(f"exec {sys.executable} {program} {tag} 1000")
    await lab.said(stream, "all there")
    before = len(of_tag(tag))

    await lab.terminals.kill(stream)

    assert before > 1000
    assert not of_tag(tag)


async def test_an_ended_terminal_leaves_no_device_and_no_zombie(lab):
    before, of_others = open_devices(), zombies()
    for number in range(5):
        stream = await lab.open(f"setsid sleep 60 & echo {number}")
        await lab.terminals.wait(stream, 60)
    stream = await lab.open("echo up; exec sleep 4249")
    await lab.said(stream, "up")
    await lab.terminals.kill(stream)

    assert open_devices() == before
    assert zombies() <= of_others


async def test_what_does_not_start_leaves_no_device(data_dir, tmp_path):
    before = open_devices()
    spawner = Spawner(data_dir / "runs", BASE_ENVIRONMENT, Isolation("none", ("/no/such/program",)))

    with pytest.raises(FileNotFoundError):
        await spawner.start(Command(("true",), tmp_path, terminal=SIZE))

    assert open_devices() == before


@pytest.mark.parametrize("moment", ["0", "0.01", "up"])
def test_nothing_outlives_a_worker_killed_beside_a_terminal(moment, tmp_path):
    tag = f"killed-{os.getpid()}-{moment}"
    phase = ("up", "0") if moment == "up" else ("starting", moment)
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER, str(tmp_path / "runs"), tag, *phase],
        stdout=subprocess.PIPE,
        cwd=ROOT,
    )
    assert worker.stdout is not None
    said = worker.stdout.readline()
    before = of_kinds(tag)
    if moment == "up":
        worker.send_signal(signal.SIGKILL)
    worker.wait()
    worker.stdout.close()

    assert said == (b"ready\n" if moment == "up" else b"begun\n")
    assert all(before.values()) or moment != "up"
    asyncio.run(Spawner(tmp_path / "runs", BASE_ENVIRONMENT).reap_leftovers())
    assert not wait_until_gone(tag)
