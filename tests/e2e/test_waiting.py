"""Refused turns and task plans from end to end: real agents' processes, REST, and a killed worker."""

from pathlib import Path
from typing import Any

import httpx
import pytest

from domain.conversations.events import PromptSent
from tests.e2e.ending import INTERRUPTED
from tests.e2e.engine import Engine
from tests.e2e.job import Job, make_repository

pytestmark = pytest.mark.e2e

OTHER = """\
command: ["${treadle}", scripted-agent]
set_environment: {TREADLE_SCRIPTED_STATE: "${home}"}
provider: other
is_scripted: true
"""


def task(name: str, **more: Any) -> dict[str, Any]:
    step = {"type": "file_exists", "label": "written", "path": f"{name}.txt"}
    return {"id": name, "title": name, "gate": "auto", "verification": [step], **more}


def work(name: str, *first: dict[str, Any]) -> dict[str, Any]:
    steps = [*first, {"write": f"{name}.txt", "text": "done\n"}]
    steps += [{"call": "report_done", "with": {"summary": name}}]
    return {"when": {"task": name, "prompt": "task"}, "steps": steps}


SCENARIO = {
    "name": "limits",
    "rules": [
        {
            "when": {"prompt": "planner"},
            "steps": [
                {
                    "call": "propose_plan",
                    "with": {
                        "plan": {
                            "goal": "Wait",
                            "approach": "Both.",
                            "tasks": [
                                task("limited", plan_approval="user"),
                                task("free", agent="other"),
                            ],
                        }
                    },
                }
            ],
        },
        {
            "when": {"prompt": "task-plan"},
            "steps": [{"call": "propose_task_plan", "with": {"plan": {"steps": ["Write it."]}}}],
        },
        work(
            "limited",
            {"write": "begun.txt", "text": "1\n"},
            {"limit": {"retry_after": 7200}},
            {"limit": {"retry_after": 1}},
        ),
        work("free"),
    ],
}


async def test_a_limit_is_waited_for_over_a_killed_worker_and_skipped(
    engine: Engine, http: httpx.AsyncClient, tmp_path: Path
) -> None:
    (engine.config / "agents").mkdir(parents=True, exist_ok=True)
    (engine.config / "agents" / "other.yaml").write_text(OTHER)
    job = Job(engine, http, tmp_path)
    job.repository = make_repository(tmp_path / "limits", SCENARIO)
    await job.begin()
    await job.approve(await job.seen("task_plan_asked", "limited"))
    delayed = await job.seen("turn_delayed", "limited")
    await job.seen("task_merged")  # the other provider's task goes on

    engine.kill("worker")
    await engine.start("worker")
    here = f"/v1/threads/{job.thread}/tasks/limited"
    waiting = (await http.get(here)).json()
    refused = await http.post(f"{here}/switch-agent", json={"agent": "nobody"})
    await job.post(f"{here}/skip-wait")
    await job.seen("plan_completed")

    assert delayed.model_dump()["provider"] == "scripted"
    assert waiting["doing"].startswith("waiting for scripted until")
    assert (refused.status_code, refused.json()["type"].rsplit(":", 1)[-1]) == (
        422,
        "unknown_agent",
    )
    done = (await http.get(here)).json()
    assert (done["status"], done["plan"]["steps"]) == ("completed", ["Write it."])
    assert {s["role"] for s in done["sessions"]} == {"task", "task_planner"}
    assert "begun.txt" in done["snapshot"]["files"]
    sent = [j.event.body for j in job.events if isinstance(j.event.body, PromptSent)]
    (turn,) = {body.turn_id for body in sent if body.text.startswith(INTERRUPTED)}
    asked, *again = [body.text for body in sent if body.turn_id == turn]
    assert "limited" in asked
    assert len(again) == 2, "one for each wait"
    assert not any("What was asked" in text or "report_done" in text for text in again)
