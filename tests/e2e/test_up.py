"""`treadle up` as a person has it: keeps its parts alive, leaves nothing behind, knows taken ports."""

import os
import re
import signal
import socket
import subprocess
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from settings import Settings, environment_of
from tests.e2e.engine import DEADLINE_SECONDS, remove, until
from tests.free_ports import free_ports
from treadle.engine import LAUNCH, EngineState, read_state

pytestmark = pytest.mark.e2e


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    api, temporal, ui = free_ports(3)
    return Settings(
        data_dir=tmp_path / "data", api_port=api, temporal_port=temporal, temporal_ui_port=ui
    )


@pytest.fixture
def up(settings: Settings) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [*LAUNCH, "up", "--json"],
        env=environment_of(settings),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    yield process
    process.kill()
    process.communicate()


async def test_a_killed_worker_is_started_again_and_ctrl_c_leaves_no_process(
    settings: Settings, up: subprocess.Popen[str]
):
    def parts() -> dict[str, tuple[str, int | None, int]]:
        state = read_state(settings)
        return {p.name: (p.status, p.pid, p.restarts) for p in state.parts} if state else {}

    await until(lambda: (s := read_state(settings)) is not None and s.status == "running")
    killed = parts()["worker"][1]
    os.kill(killed, signal.SIGKILL)
    await until(lambda: parts()["worker"][0] == "running" and parts()["worker"][1] != killed)
    assert parts()["worker"][2] == 1
    below = psutil.Process(up.pid).children(recursive=True)
    up.send_signal(signal.SIGINT)
    up.wait(DEADLINE_SECONDS)
    await until(lambda: not any(process.is_running() for process in below))  # killed, they go soon


def test_taken_ports_are_reported_with_their_holder_and_the_way_out(settings: Settings):
    for port, variable in (
        (settings.api_port, "TREADLE_API_PORT"),
        (settings.temporal_port, "TREADLE_TEMPORAL_PORT"),
    ):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", port))
            taken.listen()
            done = subprocess.run(
                [*LAUNCH, "up"],
                env=environment_of(settings),
                capture_output=True,
                text=True,
                check=False,
                timeout=DEADLINE_SECONDS,
            )
        assert done.returncode == 1
        assert f"port {port} is used by pid {os.getpid()}" in done.stderr
        assert variable in done.stderr


def test_a_killed_engine_is_not_taken_for_the_one_that_starts(settings: Settings):
    def detached() -> EngineState:
        done = subprocess.run(
            [*LAUNCH, "up", "--detach", "--json"],
            env=environment_of(settings),
            capture_output=True,
            check=True,
            timeout=2 * DEADLINE_SECONDS,
        )
        return EngineState.model_validate_json(done.stdout)

    first = detached()
    killed = psutil.Process(first.pid)
    killed.kill()
    killed.wait(DEADLINE_SECONDS)
    second = detached()
    try:
        assert second.pid != first.pid
        assert all(psutil.pid_exists(part.pid) for part in second.parts)
    finally:
        engine = psutil.Process(second.pid)
        engine.terminate()
        engine.wait(DEADLINE_SECONDS)


async def test_an_engine_whose_folder_is_removed_says_so_and_ends(
    settings: Settings, up: subprocess.Popen[str]
):
    await until(lambda: (s := read_state(settings)) is not None and s.status == "running")
    below = psutil.Process(up.pid).children(recursive=True)
    remove(settings.data_dir)
    _, said = up.communicate(timeout=DEADLINE_SECONDS)
    assert up.returncode == 1
    # the folder, or what the engine misses in it first while it is being removed
    gone = (
        rf"{re.escape(str(settings.data_dir))}(/\S+)? was removed or replaced while the engine ran"
    )
    assert re.search(gone, said)
    await until(lambda: not any(process.is_running() for process in below))
