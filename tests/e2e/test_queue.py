"""Goals in the queue: their order and their dependencies outlive the worker that starts them."""

import asyncio
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.e2e.engine import DEADLINE_SECONDS, Engine, Stage
from tests.e2e.job import make_repository

pytestmark = pytest.mark.e2e

PLAN = {
    "goal": "Do it",
    "summary": "One task.",
    "tasks": [
        {
            "id": "work",
            "title": "Do it",
            "gate": "auto",
            "verification": [
                {"type": "command", "label": "it is there", "command": "test -e done"}
            ],
        }
    ],
}


@pytest.fixture
async def engine(tmp_path: Path) -> AsyncIterator[Engine]:
    """An engine of its own: what other tests left waiting would count against the limits."""
    folder = tmp_path / "engine"
    folder.mkdir()
    engine = Engine(folder)
    await engine.start("temporal", "api", "worker")
    yield engine
    engine.stop()


def scenario(stage: Stage) -> dict[str, Any]:
    task = [
        {"run": stage.note("begun")},
        {"run": stage.place("working")},
        {"write": "done", "text": "done\n"},
        {"call": "report_done", "with": {"summary": "done"}},
    ]
    plan = {"call": "propose_plan", "with": {"plan": PLAN}}
    return {
        "name": "one task",
        "rules": [
            {"when": {"role": "planner"}, "steps": [plan]},
            {"when": {"task": "work", "prompt": "task"}, "steps": task},
        ],
    }


async def approve_until(
    http: httpx.AsyncClient, is_enough: Callable[[dict[str, Any]], bool]
) -> dict[str, Any]:
    """Approve whatever is asked until the queue is as wanted; returns the queue."""
    async with asyncio.timeout(2 * DEADLINE_SECONDS):  # three threads, one after the other
        while True:
            queue = (await http.get("/v1/queue")).json()
            if is_enough(queue):
                return queue
            for shown in queue["entries"]:
                if shown["entry"]["state"] == "started":
                    await approve_all(http, f"/v1/threads/{shown['entry']['entry_id']}")
            await asyncio.sleep(0.2)


async def approve_all(http: httpx.AsyncClient, thread: str) -> None:
    for asked in (await http.get(thread)).json()["requests"]:
        shown = {key: asked["request"][key] for key in ("request_id", "content_hash")}
        said = {**shown, "choice": "approve", "is_acknowledged": True}
        await http.post(f"{thread}/approvals", json=said)


async def test_goals_start_in_order_and_once_though_the_worker_is_killed(
    engine: Engine, http: httpx.AsyncClient, tmp_path: Path
):
    stage = Stage(engine.outside / "queue")
    repository = str(make_repository(tmp_path / "app", scenario(stage)))
    limits = {"max_running": 1, "max_reviews": 1}  # so one waits for the other in any case
    assert (await http.post("/v1/queue/limits", json=limits)).is_success
    stage.hold("working")

    def goal(name: str, **more: Any) -> dict[str, Any]:
        waits = {"name": name, "repository": repository, "agent": "scripted", **more}
        return {"goal": f"goal {name}", **waits}

    items = [goal("b", after=["a"]), goal("a"), goal("c", priority=1)]
    answer = await http.post("/v1/queue", json={"items": items})
    assert answer.status_code == 202, answer.text
    second, first, front = answer.json()["entries"]
    await approve_until(http, lambda _: (stage.folder / "working.arrived").exists())
    await engine.kill_worker()
    stage.release("working")
    await engine.repair()

    queue = await approve_until(http, lambda queue: not queue["entries"])
    over = [shown["entry"] for shown in queue["over"]]
    over.sort(key=lambda entry: entry["started_at"])
    assert [entry["entry_id"] for entry in over] == [front, first, second]
    assert {entry["reason"] for entry in over} == {"completed"}
    assert stage.steps() == ["begun"] * 3
