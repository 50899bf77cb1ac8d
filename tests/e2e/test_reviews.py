"""Agents review the work of another: real processes, real tools, a view of the commit that is shown."""

from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml

from tests.e2e.engine import Engine
from tests.e2e.job import Job, git, make_repository

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(180)]

GAP = {"file": "note.txt", "line": 1, "severity": "major", "text": "It says nothing of why."}
NIT = {"file": "note.txt", "severity": "note", "text": "Short, and right."}


def review(**fields: Any) -> dict[str, Any]:
    return {"type": "review_agent", "prompt": "Does it say why?", **fields}


def submit(verdict: str, *findings: dict[str, Any]) -> dict[str, Any]:
    sent = {"verdict": verdict, "summary": "I read it.", "findings": list(findings)}
    return {"call": "submit_review", "with": sent}


def rule(when: dict[str, Any], *steps: dict[str, Any]) -> dict[str, Any]:
    return {"when": when, "steps": list(steps)}


def scenario(*steps: dict[str, Any]) -> dict[str, Any]:
    task = {"id": "note", "title": "Write a note", "verification": list(steps)}
    plan = {"goal": "A note", "approach": "Straight", "tasks": [task]}
    done = {"call": "report_done", "with": {"summary": "wrote the note"}}
    reviewed = {"prompt": "review"}
    return {
        "rules": [
            rule({"prompt": "planner"}, {"call": "propose_plan", "with": {"plan": plan}}),
            rule({"prompt": "task"}, {"write": "note.txt", "text": "A note.\n"}, done),
            rule(
                {"prompt": "verification-failed", "text": "note.txt:1 .major.: It says nothing"},
                {"write": "note.txt", "text": "A note, because.\n"},
                done,
            ),
            # what it found before is put to the reviewer again
            rule({**reviewed, "text": "It says nothing of why"}, submit("approve", NIT)),
            rule(
                reviewed,
                {"run": "echo hacked > note.txt; echo x > stray.txt; git commit -qam x"},
                {"run": "grep -q 'A note' note.txt || grep -q hacked note.txt"},
                submit("request_changes", GAP),
            ),
        ]
    }


class Reviewed(Job):
    """A thread of one task, and agents beside the scripted one."""

    def add_agent(self, folder: Path, name: str, script_of: dict[str, Any]) -> None:
        script = folder / f"{name}.yaml"
        script.write_text(yaml.safe_dump(script_of))
        profile = yaml.safe_load(Path("templates/agents/scripted.yaml").read_text())
        profile["set_environment"] |= {"TREADLE_SCENARIO": str(script)}
        (self.engine.config / "agents" / f"{name}.yaml").write_text(
            yaml.safe_dump({**profile, "name": name})
        )

    async def start(self, folder: Path, *steps: dict[str, Any]) -> None:
        self.repository = make_repository(folder / "reviewed", scenario(*steps))
        await self.begin()

    async def task(self) -> dict[str, Any]:
        answer = await self.http.get(f"/v1/threads/{self.thread}/tasks/note")
        assert answer.is_success, answer.text
        return answer.json()


@pytest.fixture
def reviewed(engine: Engine, http: httpx.AsyncClient, tmp_path: Path) -> Reviewed:
    return Reviewed(engine, http, tmp_path)


async def test_what_a_reviewer_finds_is_fixed_and_shown_at_the_gate(
    reviewed: Reviewed, tmp_path: Path
):
    await reviewed.start(tmp_path, review(label="Reasons"))
    opened = await reviewed.seen("gate_opened", "note")

    first, second = (await reviewed.task())["attempts"]
    assert [f["text"] for f in first["steps"][0]["findings"]] == [GAP["text"]]
    (result,) = second["steps"]
    assert (result["passed"], result["reviewed_by"]) == (True, "scripted")
    assert result["findings"] == [{**NIT, "line": None}]
    # nothing that the reviewer wrote is in what is merged
    await reviewed.approve(opened)
    await reviewed.seen("task_merged")
    branch = (await reviewed.view())["branch"]
    assert git(reviewed.repository, "show", f"{branch}:note.txt") == "A note, because.\n"
    assert "stray.txt" not in git(reviewed.repository, "ls-tree", "--name-only", branch)


async def test_reviewers_that_ramble_or_die_pass_nothing_and_fail_nothing(
    reviewed: Reviewed, tmp_path: Path
):
    ramble = {"say": 'All fine!\n\n```json\n{"ok": true}\n```\n'}
    reviewed.add_agent(tmp_path, "rambling", {"rules": [rule({}, ramble)]})
    reviewed.add_agent(tmp_path, "dying", {"start": {"exit": 3, "stderr": "no key"}})
    await reviewed.start(
        tmp_path,
        review(label="Nice to have", agent="dying", required=False),
        review(label="Reasons", prompt="Is it there?", agent="rambling"),
    )
    ended = (await reviewed.seen("verification_ended", "note")).model_dump()

    held = "Reasons by rambling was not made: the reviewer ended 3 turns without a review"
    assert (ended["passed"], ended["held"]) == (False, held)
    view = await reviewed.task()
    assert (view["is_review_held"], view["turns"]) == (True, 1)
    assert held in view["doing"]
    dead, _ = view["attempts"][0]["steps"]
    assert (dead["is_executed"], dead["is_required"]) == (False, False)
    assert "no key" in dead["output"]

    path = f"/v1/threads/{reviewed.thread}/tasks/note/switch-agent"
    await reviewed.post(path, {"agent": "scripted", "command_id": "switch-1"})

    await reviewed.seen("gate_opened", "note")
    assert [len(a["steps"]) for a in (await reviewed.task())["attempts"]] == [2, 2, 2]
