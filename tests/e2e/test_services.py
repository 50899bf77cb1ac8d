"""Services of a recipe: found running by agents and by verification, and gone with the task."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from adapters.port_leases import is_free, leases_in
from domain.core.ids import ThreadId
from tests.e2e.ending import assert_nothing_left
from tests.e2e.engine import Engine, Stage, until
from tests.e2e.job import Job, git, make_repository

pytestmark = pytest.mark.e2e

FETCH = (
    f"{sys.executable} -c 'import os, urllib.request;"
    ' print(urllib.request.urlopen("http://127.0.0.1:" + os.environ["TREADLE_PORT_WEB"] + "/index.html")'
    ".read().decode().strip())'"
)
RECIPE = f"""
[services.web]
command = 'exec {sys.executable} -u -m http.server --bind 127.0.0.1 "$TREADLE_PORT_WEB"'
port = "web"
health = "/index.html"
timeout = 20
depends_on = ["log"]

[services.log]
command = "echo begun; exec sleep 4747"
"""
BROKEN = """
[services.web]
command = "echo no such database; exit 7"
port = "web"
for = ["verification"]
"""


def scenario(stage: Stage) -> dict[str, Any]:
    step = {"type": "command", "label": "it is served", "command": f'test "$({FETCH})" = right'}
    plan = {
        "goal": "serve",
        "tasks": [{"id": "serve", "title": "Serve", "gate": "auto", "verification": [step]}],
    }
    return {
        "name": "served",
        "rules": [
            {
                "when": {"prompt": "planner"},
                "steps": [{"call": "propose_plan", "with": {"plan": plan}}],
            },
            {
                "when": {"task": "serve", "prompt": "task"},
                "steps": [
                    {"write": "index.html", "text": "right\n"},
                    {"run": f'test "$({FETCH})" = right'},
                    {"run": stage.place("serve.working")},
                    {"call": "report_done", "with": {"summary": "it serves"}},
                ],
            },
            {
                "when": {"task": "serve", "prompt": "verification-failed"},
                "steps": [
                    {"run": stage.place("serve.failed")},
                    {"call": "report_done", "with": {"summary": "again"}},
                ],
            },
        ],
    }


async def begun(engine: Engine, http: httpx.AsyncClient, folder: Path, recipe: str) -> Job:
    job = Job(engine, http, folder)
    job.repository = make_repository(folder / "site", scenario(job.stage))
    (job.repository / ".treadle" / "workspace.toml").write_text(recipe)
    (job.repository / "index.html").write_text("wrong\n")
    git(job.repository, "add", "--all")
    git(job.repository, *("-c", "user.name=T", "-c", "user.email=t@x"), "commit", "-qm", "Serve")
    place = {"repository": str(job.repository)}
    found = (await http.get("/v1/recipes", params=place)).json()["found"]
    trusted = {**place, "content_hash": found["content_hash"]}
    assert (await http.post("/v1/recipes/trust", json=trusted)).is_success
    body = {**place, "goal": "serve", "agent": "scripted", "is_planned": True}
    job.thread = ThreadId((await job.post("/v1/threads", body))["thread_id"])
    await job.approve(await job.seen("plan_proposed"))
    return job


def sleepers(engine: Engine) -> list[str]:
    """Return the processes of the service that has no port."""
    return [line for line in engine.children() if "sleep 4747" in line]


async def test_an_agent_and_a_step_find_the_services_running_also_after_a_kill(
    engine: Engine, http: httpx.AsyncClient, tmp_path: Path
):
    engine.kill("worker")  # and with it the agents of threads that other tests left open
    await engine.repair()
    job = await begun(engine, http, tmp_path, RECIPE)
    job.stage.hold("serve.working")
    await job.stage.reached("serve.working")
    prompt = await job.seen("prompt_sent", "serve/session-1")
    leases = leases_in(engine.settings.data_dir / "ports.json")
    [number] = [each.port for each in leases if each.owner.startswith(f"{job.thread}/")]
    assert f"web runs at http://127.0.0.1:{number}" in prompt.text
    assert sleepers(engine)

    await engine.kill_worker()
    await until(lambda: is_free(number))
    job.stage.release("serve.working")
    await engine.repair()
    ended = await job.seen("verification_step_ended", "serve")
    assert ended.result.passed, ended.result.output
    await job.seen("plan_completed")

    assert is_free(number)
    assert not sleepers(engine)
    await assert_nothing_left(job)


async def test_a_person_starts_opens_reads_and_stops_a_service_and_the_task_ends_it(
    engine: Engine, http: httpx.AsyncClient, tmp_path: Path
):
    job = await begun(engine, http, tmp_path, RECIPE)
    job.stage.hold("serve.working")
    await job.stage.reached("serve.working")
    path = f"/v1/threads/{job.thread}/tasks/serve/services"
    listed = (await http.get(path)).json()["services"]
    assert [(s["name"], [r["user"] for r in s["runs"]]) for s in listed] == [
        *(("web", ["agent"]), ("log", ["agent"])),
    ]
    assert (await http.post(f"{path}/start", json={"names": ["no"]})).status_code == 422

    started = await job.post(f"{path}/start", {"names": ["web"]})
    [person] = [r for r in started["services"][0]["runs"] if r["user"] == "person"]
    assert person["state"] == "healthy", person
    async with httpx.AsyncClient(trust_env=False, timeout=60) as browser:
        assert (await browser.get(f"{person['url']}/index.html")).text == "right\n"
    async with asyncio.timeout(60):  # it writes of a request after it has answered it
        output = f"{path}/{person['number']}/output"
        while "GET /index.html" not in (await http.get(output)).json()["text"]:
            pass

    stopped = await job.post(f"{path}/stop")
    [person] = [r for r in stopped["services"][0]["runs"] if r["user"] == "person"]
    assert (person["state"], person["note"]) == ("exited", "stopped by a person")
    [agent] = [r for r in stopped["services"][0]["runs"] if r["user"] == "agent"]
    assert agent["state"] == "healthy"

    await job.post(f"{path}/start", {"names": ["web"]})
    job.stage.release("serve.working")
    await job.seen("plan_completed")
    ended = (await http.get(path)).json()["services"]
    assert {r["state"] for each in ended for r in each["runs"]} == {"exited"}
    assert (await http.post(f"{path}/start", json={})).status_code == 409
    await assert_nothing_left(job)


async def test_a_service_that_is_not_healthy_fails_verification_with_its_last_words(
    engine: Engine, http: httpx.AsyncClient, tmp_path: Path
):
    job = await begun(engine, http, tmp_path, BROKEN)
    job.stage.hold("serve.failed")
    ended = await job.seen("verification_step_ended", "serve")

    assert not ended.result.passed
    assert "service web: exited with code 7 before it was healthy" in ended.result.output
    assert "no such database" in ended.result.output
