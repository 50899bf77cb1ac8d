"""Runs of flows by REST: what is refused before anything begins, and what a run's events show."""

import json
from datetime import UTC, datetime

import pytest

from domain.core.event import Event, Headline
from tests.domain.flow_world import FlowRun, FlowText

TALK = {
    "type": "llm",
    "agentType": "scripted",
    "identifier": "main",
    "messages": [{"role": "user", "content": ["Go on."]}],
}


@pytest.fixture
def repository(tmp_path):
    (tmp_path / "repo/.git").mkdir(parents=True)
    (tmp_path / "repo/.git/HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / "repo/flows").mkdir()
    (tmp_path / "repo/flows/talk.json").write_text(json.dumps({"steps": [TALK]}))
    other = {"steps": [{**TALK, "agentType": "planning_agent"}]}
    (tmp_path / "repo/flows/other.json").write_text(json.dumps(other))
    (tmp_path / "repo/flows/broken.json").write_text("{")
    runs = {"steps": [{"type": "command", "command": "make"}]}
    (tmp_path / "repo/flows/runs.json").write_text(json.dumps(runs))
    return tmp_path / "repo"


async def begin(client, name, **body):
    answer = await client.post(f"/v1/flows/{name}/runs", json=body)
    return answer.status_code, answer.json()["type"].removeprefix("treadle:"), answer.json()


async def test_what_cannot_run_is_refused_with_its_own_type(down_client, repository):
    where = {"working_folder": str(repository)}

    assert (await begin(down_client, "nope", **where))[:2] == (404, "unknown_flow")
    assert (await begin(down_client, "broken", **where))[:2] == (409, "flow_broken")
    assert (await begin(down_client, "runs", **where))[:2] == (409, "flow_not_trusted")
    status, kind, problem = await begin(down_client, "other", **where)
    assert (status, kind) == (409, "agent_unavailable")
    assert "--agent planning_agent=AGENT" in problem["detail"]
    chosen = {"agents": {"nobody": {"agent": "scripted"}}}
    assert (await begin(down_client, "talk", **where, **chosen))[1] == "agent_unavailable"
    assert (await begin(down_client, "talk", **where))[:2] == (503, "unavailable")
    assert (await begin(down_client, "other", **where, agent="scripted"))[0] == 503


async def test_a_working_folder_is_refused_with_the_reason(down_client, repository, tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "bare").mkdir()
    refused = {
        "relative": "working_folder_relative",
        str(tmp_path / "missing"): "working_folder_missing",
        str(tmp_path / "file"): "working_folder_not_a_folder",
        str(tmp_path / "bare"): "working_folder_not_a_repository",
        "/": "working_folder_not_a_repository",
        str(repository / ".git"): "working_folder_not_a_repository",
        "/\0": "control_character",
        f"/{'x' * 300}": "working_folder_invalid",
    }
    for folder, kind in refused.items():
        assert (await begin(down_client, "talk", working_folder=folder))[1] == kind, folder


URL = "https://git.example/team/app.git@main"


async def test_a_run_on_a_url_has_the_flows_that_need_no_checkout(
    down_client, monkeypatch, tmp_path
):
    monkeypatch.setenv("TREADLE_CONFIG_DIR", str(tmp_path / "config"))
    where = {"working_folder": URL, "agent": "scripted"}
    assert (await begin(down_client, "hello", **where))[:2] == (503, "unavailable")

    status, kind, problem = await begin(down_client, "talk", **where)
    assert (status, kind) == (404, "unknown_flow")
    assert "copy the file to your own flows" in problem["detail"]
    bad = {**where, "working_folder": "https://ann:secret@git.example/app.git"}
    status, kind, problem = await begin(down_client, "hello", **bad)
    assert (status, kind) == (422, "invalid_repository_url")
    assert "secret" not in problem["detail"]
    placed = {**where, "conversation_id": "flow-hello-1", "labels": ["gpu"]}
    assert (await begin(down_client, "hello", **placed))[:2] == (400, "invalid_request")


@pytest.mark.parametrize("path", ["flows", "workflow-templates"])
async def test_files_for_a_url_are_the_users_and_the_built_in_ones(down_client, path):
    named, without = [
        (await down_client.get(f"/v1/{path}", params=query)).json()
        for query in ({"repository": URL}, {})
    ]
    assert named == without


async def test_what_needs_files_of_a_repository_refuses_its_url(down_client):
    body = {"repository": URL, "content_hash": "x", "flow": "hello"}
    answer = await down_client.post("/v1/flows/trust", json=body)
    assert (answer.status_code, answer.json()["type"]) == (422, "treadle:unusable_repository")
    assert "give the path of a checkout" in answer.json()["detail"]


async def test_without_a_working_folder_it_is_the_engines_own(down_client, repository):
    assert (await begin(down_client, "talk"))[:2] == (503, "unavailable")

    (repository / ".git").rename(repository / "git")
    status, kind, problem = await begin(down_client, "talk")
    assert (status, kind) == (400, "working_folder_missing")
    assert "the engine's own cannot be used: " in problem["detail"]
    assert "is not in a git repository" in problem["detail"]


@pytest.mark.parametrize("index", [-1, 1.5, "1", True])
async def test_an_index_is_a_whole_number_of_a_known_run(down_client, repository, index):
    body = {"working_folder": str(repository), "resume_step_index": index}
    assert (await begin(down_client, "talk", **body, conversation_id="flow-talk-1"))[0] == 422


async def test_going_on_needs_a_conversation_that_is_known(down_client):
    assert (await begin(down_client, "talk", resume_step_index=0))[:2] == (400, "invalid_request")
    unknown = {"conversation_id": "flow-talk-9"}
    assert (await begin(down_client, "talk", **unknown))[:2] == (404, "not_found")
    for name in ("flow-talk-9", "flow-..-1", "thread-talk-1"):
        assert (await down_client.get(f"/v1/flow-runs/{name}")).status_code == 404


@pytest.fixture
async def stopped(down_app):
    """A run that has stopped, in the journal."""
    run = FlowRun(FlowText().llm().loop(lambda t: t.llm().judge()).flow())
    run.say()
    run.say("half", is_stopped=True)
    now = datetime.now(UTC)
    events = [
        Event(id=f"e{n}", stream="flow-paper-1", at=now, body=body)
        for n, body in enumerate(run.events)
    ]
    line = Headline(
        stream="flow-paper-1",
        kind="flow",
        title="Flow: paper",
        goal="paper",
        status="stopped",
        project="/repo",
    )
    await down_app.state.journal.append(events, [line])


@pytest.mark.usefixtures("stopped")
async def test_a_run_is_shown_from_its_events(down_client):
    view = (await down_client.get("/v1/flow-runs/flow-paper-1")).json()
    page = (await down_client.get("/v1/flow-runs", params={"flow": "paper"})).json()
    none = (await down_client.get("/v1/flow-runs", params={"status": "running"})).json()
    events = (await down_client.get("/v1/flow-runs/flow-paper-1/events")).json()["events"]

    assert (view["status"], view["title"]) == ("stopped", "Flow: paper")
    assert view["place"]["step_index"] == 2
    assert view["place"]["loop_depth"] == 1
    assert [(s["index"], s["depth"], s["runs"]) for s in view["steps"]] == [
        (0, 0, 1),
        (1, 0, 0),
        (2, 1, 1),
        (3, 1, 0),
    ]
    assert "resume_flow" in view["signal_lines"]["resume"]
    assert [run["run_id"] for run in page["runs"]] == ["flow-paper-1"]
    assert none["runs"] == []
    assert events[0]["event"]["body"]["kind"] == "flow_started"


@pytest.mark.usefixtures("stopped")
async def test_a_run_of_another_flow_is_a_mismatch(down_client):
    asked = {"conversation_id": "flow-paper-1"}
    assert (await begin(down_client, "talk", **asked))[:2] == (400, "agent_mismatch")
    assert (await begin(down_client, "paper", **asked))[:2] == (503, "unavailable")


@pytest.mark.parametrize("length", [4_000, 4_001])
async def test_an_answer_longer_than_a_run_takes_is_refused_as_too_long(down_client, length):
    answer = {"command_id": "a", "request_id": "x", "text": "é" * length}
    response = await down_client.post("/v1/flow-runs/flow-hello-1/answer", json=answer)
    assert (response.status_code == 422) is (length > 4_000)
    assert response.json().get("type") != "treadle:internal"
