"""Services of recipes: real processes in their order, healthy or told why not, and gone at the end."""

import os
import signal
import sys

import httpx
import psutil
import pytest

from adapters.port_leases import is_free
from adapters.processes.fences import WorkspaceFences
from domain.core.ids import StreamId
from domain.core.workspaces import Claim
from domain.recipes.recipe import User
from domain.recipes.services import ServiceState
from tests.adapters.service_lab import SERVE, SPEC, TASK, ServiceLab, served

WEB = {"command": SERVE, "port": "web", "health": "/page.txt"}


@pytest.fixture
async def lab(spawner, data_dir, tmp_path):
    async with served(ServiceLab(spawner, data_dir, tmp_path / "lab")) as lab:
        (lab.folder / "page.txt").write_text("hello\n")
        yield lab


def fetched(url: str) -> str:
    return httpx.get(f"{url}/page.txt", trust_env=False, timeout=60).text


async def ended(lab, stream: StreamId) -> None:
    """Wait until a service's own end is known."""
    [running] = [each for each in lab.services._running.values() if each.entry.stream == stream]
    await running.live.ended


async def test_a_service_answers_on_its_port_once_it_is_started_and_is_gone_when_stopped(lab):
    lab.have(web=WEB)
    web = (await lab.start())["web"]

    assert (web.run.state, web.port, web.is_new) == (ServiceState.HEALTHY, "web", True)
    assert fetched(web.run.url) == "hello\n"
    assert await lab.kinds(web.stream) == ["terminal_opened", "service_checked"]

    again = (await lab.start())["web"]
    assert (again.stream, again.is_new) == (web.stream, False)

    await lab.services.stop(TASK, User.PERSON, "stopped")
    assert is_free(web.run.number)
    assert (await lab.kinds(web.stream))[-1] == "terminal_ended"
    assert not list((lab.data_dir / "services").iterdir())


async def test_it_starts_after_what_it_depends_on_is_healthy(lab):
    look = f"{sys.executable} -c \"import socket, os; socket.create_connection(('127.0.0.1', int(os.environ['TREADLE_PORT_DB'])))\""
    db = {"command": SERVE.replace("WEB", "DB"), "port": "db"}
    web = {**WEB, "command": f"{look} && {SERVE}", "depends_on": ["db"]}
    lab.have(web=web, db=db)
    started = await lab.start(names=("web",))

    assert list(started) == ["db", "web"]
    assert all(each.is_healthy for each in started.values())


async def test_one_that_exits_is_told_with_its_last_words_and_holds_back_what_needs_it(lab):
    lab.have(
        db={"command": "echo no disk; exit 3", "port": "db"},
        web={**WEB, "depends_on": ["db"]},
    )
    started = await lab.start()

    assert started["db"].run.failure == "exited with code 3 before it was healthy"
    assert started["db"].output == "no disk"
    assert started["web"].run.failure == "not started: it needs db, which is not healthy"
    assert started["web"].stream == ""


async def test_one_that_answers_wrongly_is_ended_after_its_time(lab):
    lab.have(web={**WEB, "health": "/missing", "timeout": 10})  # Python starts within it
    web = (await lab.start())["web"]

    assert web.run.state is ServiceState.FAILED
    assert "not healthy within 10 s; last: HTTP 404" in web.run.failure
    assert "GET /missing" in web.output
    assert is_free(web.run.number)
    assert lab.beats


async def test_one_that_died_is_started_again_on_its_number(lab):
    lab.have(web=WEB)
    web = (await lab.start())["web"]
    [listening] = [
        each.pid
        for each in psutil.net_connections("tcp")
        if (each.laddr[1], each.status) == (web.run.number, psutil.CONN_LISTEN)
    ]
    os.kill(listening, signal.SIGKILL)
    await ended(lab, web.stream)

    again = (await lab.start())["web"]

    assert (again.is_new, again.run.number) == (True, web.run.number)
    assert again.stream != web.stream
    assert fetched(again.run.url) == "hello\n"


async def test_users_have_their_own_and_all_end_with_their_owner(lab, data_dir):
    lab.have(web=WEB)
    claim = Claim(order=1)
    async with WorkspaceFences(data_dir / "fences").held(SPEC.workspace_id, claim):
        agent = (await lab.start(User.AGENT))["web"]
        verifying = (await lab.start(User.VERIFICATION))["web"]
        person = (await lab.start(User.PERSON))["web"]
        ports = await lab.services.ports(SPEC, User.AGENT)

    numbers = {each.run.number for each in (agent, verifying, person)}
    assert all(each.is_healthy for each in (agent, verifying, person))
    assert len(numbers) == 3
    assert ports == {"web": agent.run.number}

    await lab.services.stop(TASK, User.VERIFICATION, "verified")
    assert is_free(verifying.run.number)
    assert fetched(agent.run.url) == "hello\n"

    await lab.services.end_all(TASK, "ended with the task")
    assert all(map(is_free, numbers))


async def test_it_runs_in_its_folder_with_its_environment(lab):
    (lab.folder / "sub").mkdir()
    (lab.folder / "sub" / "page.txt").write_text("below\n")
    tool = lab.folder / "bin" / "greet"
    tool.parent.mkdir()
    tool.write_text('#!/bin/sh\ntest "$GREETING" = "hi there"\n')
    tool.chmod(0o755)
    command = f"greet && {SERVE}"
    lab.have(web={**WEB, "command": command, "cwd": "sub", "environment": {"GREETING": "hi there"}})
    web = (await lab.start())["web"]

    assert web.is_healthy, web
    assert fetched(web.run.url) == "below\n"


async def test_a_new_worker_tells_what_a_dead_one_lost(lab):
    lab.have(web=WEB)
    web = (await lab.start())["web"]
    after = lab.restarted()
    await after.reclaim()

    kinds = await lab.kinds(web.stream)
    assert kinds == ["terminal_opened", "service_checked", "terminal_ended"]
    bodies = [entry.event.body for entry in await lab.journal.read(web.stream)]
    [over] = [body for body in bodies if body.kind == "terminal_ended"]
    assert over.terminal.note == "lost: the worker that kept it was stopped"
