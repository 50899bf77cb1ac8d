"""Rivals plan side by side, a person compares, sends back, edits and selects; nothing else starts."""

import json
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from tests.e2e.engine import Engine
from tests.e2e.job import Job, make_repository

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

PACKET = "Only this packet."
CHECK = {"type": "command", "label": "written", "command": "test -s note.txt"}
CHECKED = {"gate": "auto", "verification": [CHECK]}
RING = {
    "summary": "Round and round",
    "approach": "In a circle",
    "tasks": [
        {"id": "a", "title": "A", "depends_on": ["b"], "area": ["note.txt"], **CHECKED},
        {"id": "b", "title": "B", "depends_on": ["a"], **CHECKED},
    ],
}
TASK = {"id": "note", "title": "Write a note", "gate": "auto", "verification": [CHECK]}
NOTE = {"summary": "A note", "approach": "Straight", "key_risk": "None", "tasks": [TASK]}
BETTER = {**NOTE, "approach": "Straighter"}


def rule(prompt: str, *steps: dict[str, Any]) -> dict[str, Any]:
    return {"when": {"prompt": prompt}, "steps": list(steps)}


def fenced(text: str) -> dict[str, str]:
    return {"say": f"Here is my plan.\n\n```json\n{text}\n```\n"}


FIRST = {
    "rules": [
        rule("planner", {"call": "propose_plan", "with": {"plan": RING}}),
        rule("critic", {"say": "I would approve it. Task note is small."}),
        rule("task", {"write": "note.txt", "text": "x\n"}, {"call": "report_done", "with": {"summary": "done"}}),
    ]
}  # fmt: skip
RIVAL = {
    "rules": [
        rule("planner", {"write": "stray.txt", "text": "x\n"}, fenced('{"summary": "A note",}')),
        rule("plan-refused", fenced(json.dumps(NOTE))),
        rule("planner-feedback", fenced(json.dumps(BETTER))),
    ]
}


@pytest.fixture
def planning(engine: Engine, http: httpx.AsyncClient, tmp_path: Path) -> Job:
    """A repository whose agent plans in a circle, and a rival without tools that plans straight."""
    script = tmp_path / "rival.yaml"
    script.write_text(yaml.safe_dump(RIVAL))
    profile = yaml.safe_load(Path("templates/agents/scripted.yaml").read_text())
    profile["set_environment"] |= {"TREADLE_SCENARIO": str(script)}
    (engine.config / "agents" / "rival.yaml").write_text(
        yaml.safe_dump({**profile, "name": "rival"})
    )
    job = Job(engine, http, tmp_path)
    job.repository = make_repository(tmp_path / "planned", FIRST)
    return job


async def read(job: Job, path: str) -> Any:
    answer = await job.http.get(f"/v1/threads/{job.thread}/plans{path}")
    assert answer.is_success, answer.text
    return answer.json()


async def test_a_person_compares_rivals_sends_one_back_edits_and_selects(planning: Job):
    job = planning
    await job.open()
    plans = f"/v1/threads/{job.thread}/plans"
    await job.post(f"{plans}/planners", {"agent": "rival"})
    await job.seen("plan_proposed", number=2)
    views = await read(job, "")
    straight = next(v["proposed"] for v in views if v["planner"] == "rival")
    revision = straight["revision"]
    assert [v["is_waiting"] for v in views] == [True, True]

    side = await read(job, "/compare")
    assert {p["planner"] for p in side["plans"]} == {"scripted", "rival"}
    assert {p["approach"] for p in side["plans"]} == {"In a circle", "Straight"}

    request = straight["request"]
    body = {key: request[key] for key in ("request_id", "content_hash")}
    sent_back = {**body, "choice": "reject", "feedback": "straighter, please"}
    await job.post(f"/v1/threads/{job.thread}/approvals", sent_back)
    better = await job.seen("plan_proposed", number=3)
    diff = await read(job, f"/{revision}/diff/3")
    assert [c["after"] for c in diff["changes"]["fields"]] == ["Straighter"]

    await job.post(f"{plans}/3/critiques", {"agent": "scripted"})
    assert "Task note is small" in (await job.seen("plan_critiqued")).text
    await job.post(f"{plans}/3/edits", {"handoff": PACKET})
    edited = await job.seen("plan_proposed", number=4)
    assert edited.session_id == better.session_id
    await job.approve(edited)

    await job.seen("plan_completed")
    view = await job.view()
    assert [t["task_id"] for t in view["tasks"]] == ["note"]
    kinds = [e.event.body.kind for e in job.events]
    assert kinds.count("plan_superseded") == 2
    assert "plan_refused" in kinds
    written = [e.event.body for e in job.events if e.event.body.kind == "agent_update"]
    is_refused = any("could not write" in str(body.update) for body in written)
    assert is_refused or "planner_wrote" in kinds
    prompts = [e.event.body.text for e in job.events if e.event.body.kind == "prompt_sent"]
    (told,) = [text for text in prompts if "# Treadle: task note" in text]
    assert PACKET in told
    assert "Straighter" not in told


async def test_a_fixed_plan_starts_only_when_its_warnings_were_acknowledged(planning: Job):
    job = planning
    await job.open()
    await job.seen("plan_proposed")
    shown = job.engine.run("treadle", "plan", "show", job.thread)
    assert "cycle: the dependency of 'b' on 'a' was removed: a → b → a" in shown.stdout

    refused = job.engine.run("treadle", "approve", job.thread)
    assert (refused.returncode, "--acknowledge" in refused.stderr) == (1, True)
    assert not (await job.view())["tasks"]
    taken = job.engine.run("treadle", "approve", job.thread, "--acknowledge")
    assert taken.returncode == 0, taken.stderr
    await job.seen("plan_completed")
