"""Whose server listens on a port: the task's own, however it was started, or somebody else's."""

import asyncio
import os
import socket
import sys
from contextlib import asynccontextmanager

import pytest

from adapters.port_leases import FilePortLeases, is_free
from adapters.processes.command import Command
from adapters.processes.fences import WorkspaceFences
from adapters.processes.listeners import Listeners
from adapters.verification.verifier import StepVerifier
from domain.core.workspaces import Claim
from domain.verification.ports import StepPlace
from domain.verification.steps import StepType, VerificationStep
from tests.adapters.terminal_lab import TURN
from tests.free_ports import free_ports

MINE = TURN.workspace.workspace_id
SERVE = f"{sys.executable} -m http.server --bind 127.0.0.1"


@pytest.fixture
def listeners(data_dir):
    return Listeners(data_dir / "fences")


@pytest.fixture
def port():
    return free_ports(1)[0]


@pytest.fixture
def serving(spawner, data_dir):
    """Serve on a port by a shell line, started for a workspace."""
    fences = WorkspaceFences(data_dir / "fences")

    @asynccontextmanager
    async def serving(line, port, workspace=MINE):
        async with fences.held(workspace, Claim(order=1)):
            child = await spawner.start(Command(("/bin/sh", "-c", line), data_dir))
        try:
            async with asyncio.timeout(60):
                while is_free(port):  # noqa: ASYNC110 - a server tells nobody
                    await asyncio.sleep(0.02)
            yield
        finally:
            await child.stop(grace=0.1)

    return serving


@pytest.mark.parametrize("line", ["exec {serve}", "env -i setsid {serve} & sleep 600"])
async def test_the_tasks_own_server_is_no_stranger(listeners, serving, port, line):
    async with serving(line.format(serve=f"{SERVE} {port}"), port):
        assert await listeners.foreign(port, MINE) == ""


async def test_another_tasks_server_is_one(listeners, serving, port):
    async with serving(f"exec {SERVE} {port}", port, "thread-x/task-2/run-1"):
        assert "python" in await listeners.foreign(port, MINE)


async def test_so_is_a_program_that_nobody_started_for_a_task(listeners):
    with socket.create_server(("127.0.0.1", 0)) as mine:
        port = mine.getsockname()[1]
        assert f"(process {os.getpid()})" in await listeners.foreign(port, MINE)
    assert await listeners.foreign(port, MINE) == ""


async def test_a_lease_whose_number_a_stranger_took_gets_another(data_dir):
    leases = FilePortLeases(data_dir)
    first = await leases.lease(MINE, "web")
    with socket.create_server(("127.0.0.1", first)):
        second = await leases.lease(MINE, "web")

    assert second != first
    assert await leases.lease(MINE, "web") == second


async def test_a_lease_whose_own_server_listens_stays(data_dir, serving):
    leases = FilePortLeases(data_dir)
    port = await leases.lease(MINE, "web")
    async with serving(f"exec {SERVE} {port}", port):
        assert await leases.lease(MINE, "web") == port


async def test_one_that_was_given_back_is_had_again_with_its_number(data_dir):
    leases = FilePortLeases(data_dir)
    port, other = await leases.lease(MINE, "web"), await leases.lease(MINE, "db")
    await leases.release(MINE, "web")
    await leases.release(MINE, "web")

    assert await leases.lease(MINE, "db") == other
    assert await leases.lease(MINE, "web") == port
    assert await leases.owners() == {MINE}


async def test_a_health_check_believes_no_stranger(spawner, listeners, data_dir):
    async def answer(reader, writer):
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        url = "http://127.0.0.1:${ports.web}/"
        step = VerificationStep(id="s", type=StepType.HTTP_HEALTH, url=url, timeout=60_000)
        place = StepPlace(data_dir, TURN.workspace, {"web": port})
        result, output = await StepVerifier(spawner, listeners).run_step(step, place, lambda: None)

    assert not result.passed
    assert f"port {port} is served by" in output
    assert f"(process {os.getpid()}), which was not started for this task" in output
