"""One worker on a data folder, and none whose event loop stands still."""

import asyncio
import os
import shutil
import signal
import sys
from pathlib import Path

import pytest

from adapters.host import HostTakenError, machine_of, only_worker

ROOT = Path(__file__).parents[2]
DEADLINE = 60

HOLDER = """
import asyncio, pathlib, sys
from adapters.host import only_worker
async def main():
    async with only_worker(pathlib.Path(sys.argv[1])):
        print("works", flush=True)
        await asyncio.Event().wait()
asyncio.run(main())
"""
BLOCKED = """
import asyncio, time
from adapters.host import end_at_a_standstill
async def main():
    watching = asyncio.create_task(end_at_a_standstill(6))
    await asyncio.sleep(2)
    print("lives while its loop turns", flush=True)
    time.sleep(600)
asyncio.run(main())
"""


async def started(code: str, *arguments: object) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", code, *map(str, arguments)),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


async def test_a_second_worker_is_told_who_holds_the_folder(tmp_path):
    first = await started(HOLDER, tmp_path)
    assert await first.stdout.readline() == b"works\n"

    with pytest.raises(HostTakenError, match=rf"another worker runs .*\(pid {first.pid}\)"):
        async with only_worker(tmp_path, patience=0.2):
            pass

    first.kill()
    await first.communicate()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
async def test_the_place_of_a_dead_worker_is_free(tmp_path, number):
    first = await started(HOLDER, tmp_path)
    assert await first.stdout.readline() == b"works\n"
    first.send_signal(number)

    async with only_worker(tmp_path, patience=DEADLINE):
        assert (tmp_path / "worker.lock").read_text() == str(os.getpid())

    await first.communicate()


async def test_a_process_whose_loop_stands_still_ends_and_says_where(tmp_path):
    process = await started(BLOCKED)

    said, trace = await asyncio.wait_for(process.communicate(), DEADLINE)

    assert said == b"lives while its loop turns\n"
    assert process.returncode == 1
    assert b"Timeout" in trace
    assert b"in main" in trace


def test_a_copied_data_folder_is_another_machine_to_a_journal(tmp_path: Path):
    original, copy = tmp_path / "data", tmp_path / "copy"
    original.mkdir()
    shutil.copytree(original, copy)

    assert machine_of(original) == machine_of(original)
    assert machine_of(copy) != machine_of(original)
