"""A flow from its file to its branch: killed in the middle, its file edited, stopped and resumed."""

import asyncio
import json
from pathlib import Path
from typing import Any

import httpx
import pytest
from httpx_sse import aconnect_sse

from domain.core.event import JournaledEvent
from tests.e2e.engine import DEADLINE_SECONDS, Engine, Stage, until
from tests.e2e.job import git, make_repository

pytestmark = pytest.mark.e2e

ENDS = {"flow_completed", "flow_stopped", "flow_failed"}
AGENT = {"agentType": "coder", "identifier": "main"}
JUDGE = {"agentType": "judge", "identifier": "main"}


def says(text: str) -> list[dict[str, Any]]:
    return [{"role": "user", "content": [text]}]


FLOW = {
    "description": "Write until there are three lines.",
    "steps": [
        {"type": "llm", **AGENT, "messages": says("Plan it")},
        {"type": "startLoop", "label": "Work"},
        {"type": "llm", **AGENT, "label": "Write", "messages": says("Write a line")},
        {"type": "break", **JUDGE, "question": "Are there three lines?", "breakOn": "yes"},
        {"type": "endLoop"},
        {"type": "llm", **AGENT, "messages": says("Sum it up")},
    ],
}


@pytest.fixture
def stage(engine: Engine, tmp_path: Path) -> Stage:
    return Stage(engine.outside / tmp_path.name)


@pytest.fixture
def repository(stage: Stage, tmp_path: Path) -> Path:
    place = stage.place
    no, yes = ('{"answer": "no"}', '{"answer": "yes"}')
    rules = [
        {
            "when": {"text": "Write a line"},
            "steps": [
                {"run": "echo line >> lines.txt"},
                {"run": place("flow.writing")},
                {"say": "One more."},
            ],
        },
        {
            "when": {"prompt": "flow-question"},
            "turns": [[{"say": no}], [{"say": no}], [{"say": yes}]],
        },
        {"when": {}, "steps": [{"say": "Fine."}]},
    ]
    path = make_repository(tmp_path / "project", {"name": "flow", "rules": rules})
    (path / "flows").mkdir()
    (path / "flows" / "lines.json").write_text(json.dumps(FLOW))
    return path


async def begun(http: httpx.AsyncClient, repository: Path) -> str:
    body = {"working_folder": str(repository), "agent": "scripted"}
    answer = await http.post("/v1/flows/lines/runs", json=body)
    assert answer.status_code == 202, answer.text
    return answer.json()["conversation_id"]


async def events(http: httpx.AsyncClient, run: str) -> list[JournaledEvent]:
    rows = (await http.get(f"/v1/flow-runs/{run}/events", params={"limit": 1000})).json()["events"]
    return [JournaledEvent.model_validate(row) for row in rows]


async def still(http: httpx.AsyncClient, run: str, after: int = 0) -> dict[str, Any]:
    """Wait until a run stands still, and return its view."""
    path = f"/v1/flow-runs/{run}/events/stream"
    async with (
        asyncio.timeout(DEADLINE_SECONDS),
        aconnect_sse(http, "GET", path, params={"after": after}) as source,
    ):
        async for event in source.aiter_sse():
            if event.data and event.json()["event"]["body"]["kind"] in ENDS:
                break
    return (await http.get(f"/v1/flow-runs/{run}")).json()


def lines_on(repository: Path, branch: str) -> int:
    return len(git(repository, "show", f"{branch}:lines.txt").splitlines())


async def test_a_flow_survives_a_killed_worker_and_an_edit_of_its_file(
    engine: Engine, stage: Stage, http: httpx.AsyncClient, repository: Path
):
    stage.hold("flow.writing")
    run = await begun(http, repository)
    await stage.reached("flow.writing")
    await engine.kill_worker()
    (repository / "flows" / "lines.json").write_text('{"steps": [')
    stage.release("flow.writing")
    await engine.repair()
    view = await still(http, run)

    assert view["status"] == "completed", view["reason"]
    assert [c["turns"] for c in view["conversations"]] == [5, 3]
    assert [s["runs"] for s in view["steps"]] == [1, 0, 3, 3, 0, 1]
    bodies = [e.event.body for e in await events(http, run)]
    ids = [e.event.id for e in await events(http, run)]
    assert len(ids) == len(set(ids))
    asked = [b.text for b in bodies if b.kind == "prompt_sent" and "Write a line" in b.text]
    assert len([text for text in asked if not text.startswith("# Treadle: interrupted")]) == 3
    places = [b.place for b in bodies if b.kind == "turn_started"]
    assert [(p.step_index, p.loop_depth, p.iteration) for p in places] == [
        *[(0, 0, 0), (2, 1, 0), (3, 1, 0), (2, 1, 1), (3, 1, 1), (2, 1, 2), (3, 1, 2), (5, 0, 0)]
    ]
    assert lines_on(repository, view["branch"]) >= 3
    listed = (await http.get("/v1/flows", params={"repository": str(repository)})).json()["flows"]
    assert next(flow for flow in listed if flow["name"] == "lines")["disabled"]
    # the user's own checkout is never touched
    assert not git(repository, "status", "--porcelain", "lines.txt")


async def test_a_flow_is_stopped_in_the_middle_and_resumed_by_index(
    engine: Engine, stage: Stage, http: httpx.AsyncClient, repository: Path
):
    stage.hold("flow.writing")
    run = await begun(http, repository)
    await stage.reached("flow.writing")
    stop = await http.post(f"/v1/flow-runs/{run}/stop", json={})
    assert stop.status_code == 200
    view = await still(http, run)
    assert view["status"] == "stopped"
    assert view["place"]["step_index"] == 2
    stage.release("flow.writing")
    await until(lambda: not [c for c in engine.children() if "flow.writing" in c])
    (repository / "flows" / "lines.json").write_text(json.dumps({"steps": FLOW["steps"][:1]}))

    again = {"conversation_id": run, "resume_step_index": 4}
    resumed = await http.post("/v1/flows/lines/runs", json=again)
    assert (resumed.status_code, resumed.json()["status"]) == (202, "resumed")
    assert "has changed" in resumed.json()["warnings"][0]
    twice = await http.post("/v1/flows/lines/runs", json=again)
    assert twice.json()["type"] == "treadle:run_in_progress"
    view = await still(http, run, view["position"])

    assert (view["status"], view["execution"]) == ("completed", 2), view["reason"]
    sessions = {c["session_id"] for c in view["conversations"]}
    assert sessions == {f"{run}/session-1", f"{run}/session-2"}
    bodies = [e.event.body for e in await events(http, run)]
    later = [b.place for b in bodies if b.kind == "flow_step_started" and b.place.execution == 2]
    assert [(p.step_index, p.iteration) for p in later][:2] == [(2, 1), (3, 1)]
    assert later[-1].step_index == 5
    inside = await http.post(f"/v1/flow-runs/{run}/resume", json={"step_index": 3})
    assert inside.json()["type"] == "treadle:loop_mismatch"
    assert "resume at step 1" in inside.json()["detail"]
    gone = await http.request("DELETE", f"/v1/flow-runs/{run}", json={"is_forced": True})
    assert gone.json()["is_over"], gone.text
    assert (await http.get(f"/v1/flow-runs/{run}")).status_code == 404


async def test_flows_side_by_side_survive_a_killed_worker_and_a_stop(
    engine: Engine, stage: Stage, http: httpx.AsyncClient, repository: Path
):
    notes = [{"type": "llm", **JUDGE, "messages": says("Take notes")}]
    whole = [{"type": "subflow", "flowNames": ["writing", "notes"]}]
    for name, steps in (("writing", FLOW["steps"]), ("notes", notes), ("lines", whole)):
        (repository / "flows" / f"{name}.json").write_text(json.dumps({"steps": steps}))
    stage.hold("flow.writing")
    run = await begun(http, repository)
    await stage.reached("flow.writing")
    engine.kill("worker")
    await engine.repair()
    stop = await http.post(f"/v1/flow-runs/{run}/stop", json={})
    assert stop.status_code == 200
    stopped = await still(http, run)
    assert stopped["status"] == "stopped"
    parts = {each["flow_name"]: each["run_id"] for each in stopped["children"]}
    assert (await still(http, parts["writing"]))["status"] == "stopped"
    stage.release("flow.writing")
    (repository / "flows" / "writing.json").unlink()

    resumed = await http.post(f"/v1/flow-runs/{run}/resume", json={})
    assert "has changed" in resumed.json()["message"]
    view = await still(http, run, stopped["position"])

    assert view["status"] == "completed", view["reason"]
    assert [each["end"] for each in view["children"]] == ["completed"] * 2
    writing = (await http.get(f"/v1/flow-runs/{parts['writing']}")).json()
    assert (writing["parent"], writing["branch"]) == (run, view["branch"])
    assert lines_on(repository, view["branch"]) >= 3
