import asyncio
import os
import signal
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from settings import Settings
from tests.treadle.conftest import saved, sleeper
from treadle.engine import EngineError
from treadle.supervisor import FIRST_TRIES, Supervisor

DEADLINE = 60


async def until(is_true) -> None:
    """Wait for another process; there is no event to await."""
    async with asyncio.timeout(DEADLINE):
        while not is_true():  # noqa: ASYNC110  (another process)
            await asyncio.sleep(0.02)


async def test_a_killed_part_is_started_again(supervisor: Supervisor):
    await supervisor.start([sleeper("worker")])
    part = supervisor.state.parts[0]
    first = part.pid
    os.kill(first, signal.SIGKILL)
    await until(lambda: part.restarts == 1 and part.status == "running" and part.pid != first)
    await supervisor.stop()
    assert not psutil.pid_exists(part.pid)


async def test_a_spare_takes_over_from_a_killed_part_and_another_one_loads(
    supervisor: Supervisor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("treadle.supervisor.SPARE_SECONDS", 0)
    loads = "import os, sys, pathlib, time\nprint(os.getpid(), flush=True)\n"
    waits = "sys.stdin.readline() or sys.exit()\npathlib.Path(sys.argv[1], str(os.getpid())).touch()\ntime.sleep(600)"
    part = sleeper("worker", loads + waits)
    part = replace(part, command=(*part.command, str(tmp_path)), has_spare=True)

    def loaded() -> list[int]:
        return [
            int(pid)
            for pid in (
                supervisor.state.parts[0].log
                and Path(supervisor.state.parts[0].log).read_text().split()
            )
            or []
        ]

    await supervisor.start([part])
    await until(lambda: len(loaded()) == 2)
    shown = supervisor.state.parts[0]
    first = shown.pid
    [spare] = {*loaded()} - {first}  # which of them was first to load is a matter of chance
    assert not (tmp_path / str(spare)).exists()
    os.kill(first, signal.SIGKILL)
    await until(lambda: shown.pid == spare and (tmp_path / str(spare)).exists())
    await until(lambda: len(loaded()) == 3)
    await supervisor.stop()

    assert not [pid for pid in loaded() if psutil.pid_exists(pid)]


async def test_a_part_killed_ten_times_in_a_row_is_back_soon(supervisor: Supervisor):
    await supervisor.start([sleeper("worker")])
    part = supervisor.state.parts[0]
    for restarts in range(1, 11):
        os.kill(part.pid, signal.SIGKILL)
        await until(lambda: part.restarts == restarts and part.status in {"starting", "running"})  # noqa: B023
    await supervisor.stop()


async def test_a_part_that_exits_at_the_start_is_reported_with_its_last_words(
    supervisor: Supervisor,
):
    part = sleeper("worker", "import sys; sys.exit('no such journal')")
    with pytest.raises(EngineError, match=r"(?s)worker exited with code 1.*no such journal"):
        await supervisor.start([replace(part, is_ready=never)])
    await supervisor.stop()


async def never(_: int) -> bool:
    return False


async def test_a_part_that_lacks_what_it_needs_is_tried_until_that_is_back(
    supervisor: Supervisor, tmp_path: Path
):
    """The first dies while the second, which cannot live without it, starts."""
    back = tmp_path / "back"
    first = sleeper("temporal")
    needy = f"import pathlib, sys, time; pathlib.Path({str(back)!r}).exists() or sys.exit(1); time.sleep(600)"
    asked: list[bool] = []

    async def has_needs() -> bool:
        if not asked:
            os.kill(supervisor.state.parts[0].pid, signal.SIGKILL)
        asked.append(True)
        if len(asked) > FIRST_TRIES and supervisor.state.parts[0].restarts:
            back.touch()
        return False

    async def is_ready(_: int) -> bool:
        return back.exists()

    second = replace(sleeper("worker", needy), is_ready=is_ready, has_needs=has_needs)
    await supervisor.start([first, second])

    assert [part.status for part in supervisor.state.parts][1] == "running"
    assert supervisor.state.parts[0].restarts == 1
    await supervisor.stop()


async def test_stop_ends_a_part_that_ignores_term(supervisor: Supervisor, tmp_path: Path):
    mark = tmp_path / "deaf"
    deaf = (
        "import signal, time, pathlib\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        f"pathlib.Path({str(mark)!r}).touch()\n"
        "time.sleep(600)"
    )
    part = sleeper("worker", deaf)
    await supervisor.start([replace(part, patience=0.1)])
    await until(mark.exists)
    await supervisor.stop()
    assert not psutil.pid_exists(supervisor.state.parts[0].pid)


async def test_engine_json_says_what_runs(supervisor: Supervisor, settings: Settings):
    await supervisor.start([sleeper("worker"), sleeper("api")])
    parts = saved(settings)["parts"]
    assert [(p["name"], p["status"]) for p in parts] == [("worker", "running"), ("api", "running")]
    await supervisor.stop()
    assert [p["status"] for p in saved(settings)["parts"]] == ["stopped", "stopped"]


def test_children_die_with_a_killed_supervisor(tmp_path: Path):
    code = (
        "import asyncio, pathlib, sys\n"
        "from treadle.children import spawn\n"
        "async def main():\n"
        "    child = await spawn([sys.executable, '-c', 'import time; time.sleep(600)'],\n"
        f"                        pathlib.Path({str(tmp_path / 'log')!r}))\n"
        "    print(child.pid, flush=True)\n"
        "    await child.wait()\n"
        "asyncio.run(main())\n"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    child = psutil.Process(int(parent.stdout.readline()))
    parent.kill()
    parent.wait()
    parent.stdout.close()
    child.wait(DEADLINE)
    assert not child.is_running()
