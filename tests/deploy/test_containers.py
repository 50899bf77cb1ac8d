"""The image and compose.yaml, run by Podman: the demo's job, with kill -9 of containers on the way."""

import asyncio
import json
import os
import time
from collections.abc import Awaitable, Callable

import httpx
import pytest

from tests.deploy.containers import SANDBOX, Container, composition, container, podman
from tests.deploy.job import Job
from tests.free_ports import free_ports

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(900)]

START_SECONDS = 120
TOKEN = "/home/treadle/.local/share/treadle/token"  # a path
CHECK = "git clone --quiet --branch {branch} {repository} /tmp/check && cd /tmp/check && python3 -m unittest"


async def answers(port: int, log: Callable[[], str]) -> None:
    """Wait until an API answers on its published port."""
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", trust_env=False) as http:
        deadline = time.monotonic() + START_SECONDS
        while not await is_well(http):
            assert time.monotonic() < deadline, log()[-4000:]
            await asyncio.sleep(0.2)


async def is_well(http: httpx.AsyncClient) -> bool:
    try:
        return (await http.get("/v1/health")).is_success
    except httpx.TransportError:
        return False


async def see_through(job: Job, inside: Container, crash: Callable[[], Awaitable[None]]) -> None:
    """Run the demo's job with a crash in a task's turn, and check what it merged."""
    await job.begin()
    await job.seen("agent_update", "/")
    await crash()
    completed = await job.seen("plan_completed")
    shown = json.loads(inside.run("treadle", "show", job.thread, "--json"))
    check = CHECK.format(branch=shown["branch"], repository=await job.repository())
    done = podman("exec", inside.name, "sh", "-c", check)

    assert completed["final_status"] == "completed"
    assert done.stderr.rstrip().endswith("OK"), done.stdout + done.stderr
    levels = {e["body"]["level"] for e in job.events if e["body"]["kind"] == "sandbox_applied"}
    assert levels <= {"workspace-write", "read-only"}
    assert levels


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
        assert engine.run("id", "-u").strip() == "1000"
        assert "No problems found" in engine.run("treadle", "doctor")
        assert engine.run("treadle", "open").count(f"http://treadle.localhost:{port}/") == 1


async def test_an_engine_in_compose_survives_the_kill_of_each_container(image: str, postgres: str):
    name = f"treadle-test-{os.getpid()}"
    ports = free_ports(2)
    variables = {
        "TREADLE_IMAGE": image,
        "POSTGRES_IMAGE": postgres,
        "POSTGRES_PASSWORD": "a-password",
        "TREADLE_PROC": "unmask=ALL",
        "TREADLE_API_PORT": str(ports[0]),
        "TREADLE_TEMPORAL_UI_PORT": str(ports[1]),
    }
    parts = {
        part: Container(f"{name}_{part}_1") for part in ("worker", "api", "temporal", "postgres")
    }
    with composition(name, variables):
        await answers(ports[0], lambda: "".join(part.log() for part in parts.values()))

        async def crash() -> None:
            for part in parts.values():
                part.kill()  # compose.yaml has each started again

        async with Job(ports[0], parts["api"].run("cat", TOKEN).strip()) as job:
            await see_through(job, parts["worker"], crash)


@pytest.mark.parametrize("command", ["up", "worker"])
def test_a_container_without_the_means_of_bubblewrap_says_how_it_is_started(
    image: str, command: str
):
    done = podman("run", "--rm", image, command, is_checked=False)

    told = done.stdout + done.stderr
    assert done.returncode == 1
    assert "Can't mount proc" in told
    assert f"Start the container with `{' '.join(SANDBOX)}`" in told
