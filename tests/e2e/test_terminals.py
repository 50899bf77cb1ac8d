"""Servers in terminals: asked by verification, seen by people, lost with a worker, gone with the task."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from adapters.port_leases import is_free
from domain.core.ids import ThreadId
from tests.e2e.ending import assert_nothing_left
from tests.e2e.engine import Engine, Stage, until
from tests.e2e.job import Job, make_repository

pytestmark = pytest.mark.e2e

SERVE = f"exec {sys.executable} -u -m http.server --bind 127.0.0.1 ${{ports.web}}"
WATCH = "echo watching; exec sleep 4848"
CREATE = {
    "call": "terminal_create",
    "with": {"command": SERVE, "label": "dev server", "port": "web", "required": True},
}
REPORT = {"call": "report_done", "with": {"summary": "it serves"}}


def scenario(stage: Stage) -> dict[str, Any]:
    plan = {
        "goal": "serve",
        "tasks": [
            {
                "id": "serve",
                "title": "Serve the folder",
                "gate": "auto",
                "ports": [{"id": "web", "description": "the server"}],
                "verification": [
                    {
                        "type": "http_health",
                        "label": "it answers",
                        "url": "http://127.0.0.1:${ports.web}/index.html",
                        "timeout": 20_000,
                    }
                ],
            }
        ],
    }
    return {
        "name": "server",
        "rules": [
            {
                "when": {"prompt": "planner"},
                "steps": [{"call": "propose_plan", "with": {"plan": plan}}],
            },
            {
                "when": {"task": "serve", "prompt": "task"},
                "steps": [
                    {"write": "index.html", "text": "hello\n"},
                    {"call": "request_port", "with": {"port_id": "web"}},
                    CREATE,
                    {"call": "run_verification", "with": {}},
                    {"run": stage.place("serve.working")},
                    REPORT,
                ],
            },
            {
                "when": {"task": "serve", "prompt": "verification-failed"},
                "steps": [CREATE, REPORT],
            },
            {
                "when": {"prompt": "message", "text": "watch"},
                "steps": [{"call": "terminal_create", "with": {"command": WATCH}}],
            },
        ],
    }


@pytest.fixture
async def serving(engine: Engine, http: httpx.AsyncClient, tmp_path: Path) -> Job:
    engine.kill("worker")  # and with it the agents of threads that other tests left open
    await engine.repair()
    job = Job(engine, http, tmp_path)
    job.repository = make_repository(tmp_path / "site", scenario(job.stage))
    body = {
        "repository": str(job.repository),
        "goal": "serve",
        "agent": "scripted",
        "is_planned": True,
    }
    job.thread = ThreadId((await job.post("/v1/threads", body))["thread_id"])
    return job


async def test_a_chats_terminal_is_shown_and_gone_with_its_thread(
    engine: Engine, http: httpx.AsyncClient, tmp_path: Path
):
    job = Job(engine, http, tmp_path)
    job.repository = make_repository(tmp_path / "chat", scenario(job.stage))
    body = {"repository": str(job.repository), "goal": "watch", "agent": "scripted"}
    opened = await job.post("/v1/threads", {**body, "is_planned": False})
    job.thread = ThreadId(opened["thread_id"])
    await job.seen("turn_ended", "session-1")
    path = f"/v1/threads/{job.thread}"
    [shown] = (await http.get(f"{path}/sessions/1/terminals")).json()["terminals"]
    output = f"{path}/sessions/1/terminals/1/output"
    async with asyncio.timeout(60):  # it may speak after the turn that has started it
        while not (said := (await http.get(output)).json()["text"]):
            pass

    assert (shown["status"], shown["stream"]) == ("running", f"{job.thread}/session-1/terminal-1")
    assert said == "watching\n"
    assert (await http.get(f"{path}/sessions/1/terminals/2")).status_code == 404
    assert (await http.get(f"{path}/sessions/7/terminals")).status_code == 404

    await job.post(f"{path}/archive")
    assert (await http.request("DELETE", path, json={})).is_success
    own = (job.thread, "sleep 4848")
    await until(lambda: not [w for w in engine.children() if any(name in w for name in own)])


async def test_a_server_in_a_terminal_is_verified_and_gone_with_the_task(serving: Job):
    job = serving
    job.stage.hold("serve.working")
    await job.approve(await job.seen("plan_proposed"))
    await job.stage.reached("serve.working")
    checked = await job.seen("verification_checked", "serve")
    port = (await job.seen("port_leased", "serve")).number
    path = f"/v1/threads/{job.thread}/tasks/serve/terminals"
    [shown] = (await job.http.get(path)).json()["terminals"]
    async with asyncio.timeout(60):  # it writes of a request after it has answered it
        while "GET /index.html" not in (output := await job.http.get(f"{path}/1/output")).text:
            pass

    assert (checked.passed, [s.passed for s in checked.steps]) == (True, [True, True])
    assert (shown["label"], shown["status"], shown["port"]) == ("dev server", "running", "web")
    assert "Serving HTTP" in output.json()["text"]

    job.stage.release("serve.working")
    await job.seen("plan_completed")
    [after] = (await job.http.get(path)).json()["terminals"]

    assert (after["status"], after["note"]) == ("exited", "ended with the task")
    assert is_free(port)
    await assert_nothing_left(job)


async def test_a_server_that_a_killed_worker_lost_is_missed_and_started_again(
    serving: Job, engine: Engine
):
    job = serving
    job.stage.hold("serve.working")
    await job.approve(await job.seen("plan_proposed"))
    await job.stage.reached("serve.working")
    await engine.kill_worker()
    job.stage.release("serve.working")
    await engine.repair()
    told = await job.seen("prompt_sent", "serve/session-1", number=2)
    await job.seen("plan_completed")
    answer = await job.http.get(f"/v1/threads/{job.thread}/tasks/serve/terminals")
    lost, again = answer.json()["terminals"]

    assert "terminal-1 (dev server): lost" in told.text
    assert (lost["status"], lost["note"][:5]) == ("exited", "lost:")
    assert again["note"] == "ended with the task"
    assert is_free((await job.seen("port_leased", "serve")).number)
    await assert_nothing_left(job)
