"""Plans that change while they run, and parts of them that plan on their own, end to end."""

import copy
import json
from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.core.ids import ThreadId
from tests.e2e.engine import DEADLINE_SECONDS, Engine
from tests.e2e.job import Job, git, make_repository

pytestmark = pytest.mark.e2e


def task(name: str, **more: Any) -> dict[str, Any]:
    check = {"type": "command", "label": f"{name} is there", "command": f"test -e {name}.txt"}
    return {"id": name, "title": f"Write {name}", "gate": "auto", "verification": [check], **more}


def planning(text: str, *tasks: dict[str, Any]) -> dict[str, Any]:
    plan = {"goal": text, "summary": text, "tasks": list(tasks)}
    return {
        "when": {"role": "planner", "prompt": "planner", "text": f"Goal\\n\\n{text}"},
        "steps": [{"call": "propose_plan", "with": {"plan": plan}}],
    }


def working(name: str) -> dict[str, Any]:
    return {
        "when": {"role": "task", "task": name},
        "steps": [
            {"write": f"{name}.txt", "text": f"{name}\n"},
            {"call": "report_done", "with": {"summary": f"wrote {name}"}},
        ],
    }


BOTH = {"type": "command", "label": "both are there", "command": "test -e one.txt -a -e two.txt"}
NODE = {
    "id": "halves",
    "title": "Build both halves",
    "description": "One and two.",
    "runs_as": "thread",
    "verification": [BOTH],
}
AMENDMENT = {
    "why": "three was forgotten",
    "base_version": 1,
    "changes": [
        {"change": "add", "task": task("three", depends_on=["one"])},
        {"change": "remove", "task_id": "two", "reason": "not needed"},
    ],
}
PLANNER = {
    "when": {"role": "planner", "prompt": "amendment-planner"},
    "steps": [
        {
            "call": "propose_amendment",
            "with": {
                "why": "as asked",
                "base_version": 2,
                "changes": [{"change": "add", "task": task("four", depends_on=["three"])}],
            },
        }
    ],
}
FAMILY = {
    "name": "a family",
    "rules": [
        planning("Build both halves", task("one"), task("two", gate="ask")),
        planning("Write everything", NODE, task("last", depends_on=["halves"])),
        *(working(name) for name in ("one", "two", "last")),
    ],
}
AMENDED = {
    "name": "amended",
    "rules": [
        planning("Write two files", task("one", gate="ask"), task("two", depends_on=["one"])),
        PLANNER,
        *(working(name) for name in ("one", "three", "four")),
    ],
}


@pytest.fixture
def job(engine: Engine, http: httpx.AsyncClient, tmp_path: Path) -> Job:
    return Job(engine, http, tmp_path)


async def begin(job: Job, script: dict[str, Any], goal: str) -> None:
    """Open a thread on a repository of its own, and approve its plan."""
    job.repository = make_repository(job.repository.parent / "changing", script)
    body = {
        "repository": str(job.repository),
        "goal": goal,
        "agent": "scripted",
        "is_planned": True,
    }
    job.thread = (await job.post("/v1/threads", body))["thread_id"]
    await job.approve(await job.seen("plan_proposed"))


def shown(engine: Engine, thread: str) -> str:
    done = engine.run("treadle", "show", thread, timeout=DEADLINE_SECONDS)
    assert done.returncode == 0, done.stderr
    return done.stdout


async def test_a_child_threads_work_lands_verified_on_its_parents_branch(
    engine: Engine, job: Job
) -> None:
    await begin(job, FAMILY, "Write everything")
    child = copy.copy(job)
    child.events = []
    opened = (await job.seen("child_opened")).model_dump()
    child.thread = ThreadId(opened["thread_id"])
    await job.seen("child_reported")
    await child.approve(await child.seen("plan_proposed"))
    gate = await child.seen("gate_opened", "two")
    assert f"{job.thread}, its task halves" in shown(engine, child.thread)
    assert child.thread in shown(engine, job.thread)
    await child.approve(gate)
    await job.seen("plan_completed")

    view = await job.view()
    files = git(job.repository, "ls-tree", "--name-only", view["branch"]).split()
    assert {"one.txt", "two.txt", "last.txt"} <= set(files)
    step = (await job.seen("merge_step_ended")).model_dump()
    assert (step["task_id"], step["result"]["passed"]) == ("halves", True)
    assert view["children"][0]["report"]["status"] == "completed"


async def test_a_running_plan_is_amended_by_a_file_and_by_a_planner(
    engine: Engine, job: Job
) -> None:
    await begin(job, AMENDED, "Write two files")
    gate = await job.seen("gate_opened", "one")
    told = engine.run(
        "treadle", "amend", job.thread, "--file", "-", input=json.dumps(AMENDMENT), timeout=60
    )
    assert told.returncode == 0, told.stderr
    assert "+ three: Write three" in told.stdout
    assert "- two: removed, Write two (not needed)" in told.stdout
    approved = engine.run("treadle", "approve", job.thread, "amendment-1", timeout=60)
    assert approved.returncode == 0, approved.stderr

    asked = engine.run("treadle", "amend", job.thread, "--text", "and a fourth", timeout=60)
    assert asked.returncode == 0, asked.stderr
    await job.approve(await job.seen("amendment_proposed", number=2))
    await job.approve(gate)
    await job.seen("plan_completed")

    view = await job.view()
    assert {t["task_id"]: t["status"] for t in view["tasks"]} == dict.fromkeys(
        ("one", "three", "four"), "completed"
    )
    history = engine.run("treadle", "amendments", job.thread, "--json", timeout=60)
    made = json.loads(history.stdout)
    assert [v["version"] for v in made["versions"]] == [1, 2, 3]
    assert [a["status"] for a in made["amendments"]] == ["approved", "approved"]
    stale = await job.http.post(
        f"/v1/threads/{job.thread}/amendments", json={"amendment": AMENDMENT}
    )
    assert (stale.status_code, stale.json()["type"]) == (409, "treadle:wrong_state")
