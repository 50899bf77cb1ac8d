"""The image and compose.yaml, run by Podman: the demo's job, with kill -9 of containers on the way."""

import os
from pathlib import Path

import pytest

from tests.deploy.containers import SANDBOX, Container, composition, container, podman
from tests.deploy.job import TOKEN, Job, answers, see_through
from tests.deploy.web_ui import see_in_web_ui
from tests.free_ports import free_ports

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(900)]


async def test_a_job_survives_the_kill_of_its_container(image: str):
    (port,) = free_ports(1)
    options = (*SANDBOX, f"--publish=127.0.0.1:{port}:{port}", f"--env=TREADLE_API_PORT={port}")
    with container(f"treadle-test-{os.getpid()}", image, *options) as engine:
        await answers(port, engine.log)

        async def crash() -> None:
            engine.kill()
            podman("wait", engine.name)
            podman("start", engine.name)

        async with Job(port, engine.run("cat", TOKEN).strip()) as job:
            await see_through(job, engine, crash)
        await see_in_web_ui(engine, port, job.thread)
        assert engine.run("id", "-u").strip() == "1000"
        assert "No problems found" in engine.run("treadle", "doctor")
        assert engine.run("treadle", "open").count(f"http://treadle.localhost:{port}/") == 1


async def test_an_engine_in_compose_survives_the_kill_of_each_container(
    image: str, postgres: str, tmp_path: Path
):
    name = f"treadle-test-{os.getpid()}"
    (port,) = free_ports(1)
    variables = {
        "TREADLE_IMAGE": image,
        "POSTGRES_IMAGE": postgres,
        "POSTGRES_PASSWORD": "a-password",
        "TREADLE_PROC": "unmask=ALL",
        "TREADLE_REPOSITORIES": str(tmp_path),
        "TREADLE_API_PORT": str(port),
    }
    parts = {
        part: Container(f"{name}_{part}_1") for part in ("worker", "api", "temporal", "postgres")
    }
    with composition(name, variables):
        await answers(port, lambda: "".join(part.log() for part in parts.values()))

        async def crash() -> None:
            for part in parts.values():
                part.kill()  # compose.yaml has each started again

        async with Job(port, parts["api"].run("cat", TOKEN).strip()) as job:
            await see_through(job, parts["worker"], crash)
        await see_in_web_ui(parts["worker"], port, job.thread)


@pytest.mark.parametrize("command", ["up", "worker"])
def test_a_container_without_the_means_of_bubblewrap_says_how_it_is_started(
    image: str, command: str
):
    done = podman("run", "--rm", image, command, is_checked=False)

    told = done.stdout + done.stderr
    assert done.returncode == 1
    assert "Can't mount proc" in told
    assert f"Start the container with `{' '.join(SANDBOX)}`" in told
