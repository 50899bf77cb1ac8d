"""Flows with steps of codeInfo2: a review that is asked for twice, and a wave of which one flow fails."""

import json
from pathlib import Path

import httpx
import pytest

from tests.e2e.job import git, make_repository
from tests.e2e.test_flows import still

pytestmark = pytest.mark.e2e

KEY = "current-codex-review"
OURS = "Treadle's own program"
REVIEW = {"type": "codexReview", "outputKey": KEY, "agentType": "reviewer"}
FLOW = {
    "steps": [
        {"type": "prepareReviewBase", "outputKey": "current-review-base"},
        {**REVIEW, "modelSource": "flow_request_or_step_or_agent"},
        {"type": "validateReviewArtifacts", "pointerKeys": [KEY]},
        {"type": "llm", "agentType": "coder", "identifier": "main", "inputs": [KEY]}
        | {"messages": [{"role": "user", "content": ["Fix what was found."]}]},
    ]
}

SAYS_YES = """print('{"answer": "yes"}')"""
WAVE = {
    "steps": [
        {"type": "subflowWave", "failureMode": "best_effort"}
        | {"groups": [{"kind": "singleton", "id": each, "flowName": each} for each in ("a", "b")]},
        {"type": "if", "condition": "scripts/is_done.py"}
        | {"then": [{"type": "command", "command": "echo then >> said.txt"}]},
        {
            "type": "startLoop",
            "maxIterations": 1,
            "steps": [
                {"type": "break", "decisionScript": "scripts/gone.py"}
                | {"breakOn": "yes", "continueOnFailure": True},
                {"type": "command", "command": "echo behind >> said.txt"},
            ],
        },
    ]
}


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    review = [
        {"write": f"codeInfoTmp/reviews/{KEY}.md", "text": "line 1 is wrong\n"},
        {"say": "line 1 is wrong"},
    ]
    rules = [
        {"when": {"text": "with fresh eyes"}, "turns": [[{"say": "It is fine."}], review]},
        {
            "when": {"text": "line 1 is wrong"},
            "steps": [{"run": "echo right > line.txt"}, {"say": "Mended."}],
        },
    ]
    (tmp_path / "project" / "scripts").mkdir(parents=True)
    (tmp_path / "project" / "scripts" / "is_done.py").write_text(SAYS_YES)
    path = make_repository(tmp_path / "project", {"name": "review", "rules": rules})
    (path / "flows").mkdir()
    (path / "flows" / "reviewed.json").write_text(json.dumps(FLOW))
    return path


async def begun(http: httpx.AsyncClient, repository: Path, flow: str) -> str:
    """Trust a flow as it is, and start a run of it."""
    known = (await http.get(f"/v1/flows/{flow}", params={"repository": str(repository)})).json()
    shown = {"flow": flow, "content_hash": known["flow"]["content_hash"]}
    await http.post("/v1/flows/trust", json={**shown, "repository": str(repository)})
    body = {"working_folder": str(repository), "agent": "scripted"}
    answer = await http.post(f"/v1/flows/{flow}/runs", json=body)
    assert answer.status_code == 202, answer.text
    return answer.json()["conversation_id"]


async def test_a_review_that_was_not_written_is_asked_for_again_and_what_it_found_is_mended(
    http: httpx.AsyncClient, repository: Path
):
    body = {"working_folder": str(repository), "agent": "scripted"}
    refused = await http.post("/v1/flows/reviewed/runs", json=body)
    assert refused.json()["type"] == "treadle:flow_not_trusted"
    known = (await http.get("/v1/flows/reviewed", params={"repository": str(repository)})).json()
    assert [each.partition(":")[0] for each in known["flow"]["commands"]] == [OURS] * 3

    run = await begun(http, repository, "reviewed")
    view = await still(http, run)
    assert (view["status"], view["place"]["step_index"]) == ("failed", 1)
    assert "left no review" in view["reason"]

    resumed = await http.post(f"/v1/flow-runs/{run}/resume", json={"step_index": 1})
    assert resumed.status_code == 200, resumed.text
    view = await still(http, run, after=view["position"])

    assert view["status"] == "completed", view["reason"]
    runs = [(step["runs"], step["outcome"]) for step in view["steps"]]
    assert runs == [(1, "done"), (2, "done"), (1, "done"), (1, "done")]
    prepared = json.loads(view["outputs"]["current-review-base"]["text"])
    assert prepared["comparison_base_commit"] == git(repository, "rev-parse", "main").strip()
    assert view["outputs"][KEY]["text"].strip() == "line 1 is wrong"
    changed = git(repository, "diff", "--name-only", f"main...{view['branch']}").split()
    assert changed == ["line.txt"]


async def test_a_run_continues_behind_a_flow_and_a_break_that_fail_and_may(
    http: httpx.AsyncClient, repository: Path
):
    parts = {"a": "echo a >> said.txt", "b": "exit 3"}
    for name, command in parts.items():
        steps = [{"type": "command", "command": command}]
        (repository / "flows" / f"{name}.json").write_text(json.dumps({"steps": steps}))
    (repository / "flows" / "waved.json").write_text(json.dumps(WAVE))

    view = await still(http, await begun(http, repository, "waved"))

    assert view["status"] == "completed", view["reason"]
    outcomes = [(step["type"], step["outcome"]) for step in view["steps"]]
    assert outcomes[0] == ("subflow", "failed")
    assert ("break", "failed") in outcomes
    said = git(repository, "show", f"{view['branch']}:said.txt").split()
    assert said == ["a", "then", "behind"]
