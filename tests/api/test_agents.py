"""Agents by REST: listed without a worker, added, trusted, and refused at the door."""

import pytest

from api.app import create_app
from tests.api.conftest import client_of


@pytest.fixture
def repository(tmp_path):
    (tmp_path / "repo/.git").mkdir(parents=True)
    (tmp_path / "repo/.git/HEAD").write_text("ref: refs/heads/main\n")
    folder = tmp_path / "repo/.treadle/agents"
    folder.mkdir(parents=True)
    (folder / "house.yaml").write_text("command: [/bin/true, --acp]\n")
    return tmp_path / "repo"


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))


@pytest.fixture
def worked_on(settings):
    """A data folder that a worker has been started on."""
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    (settings.data_dir / "host-id").write_text("ab12")


def problem(answer):
    return answer.status_code, answer.json()["type"].removeprefix("treadle:")


async def test_agents_are_listed_without_a_worker(down_client, repository, tmp_path):
    folder = tmp_path / "config/agents"
    folder.mkdir(parents=True)
    (folder / "broken.yaml").write_text("comand: [x]\n")

    answer = await down_client.get("/v1/agents", params={"repository": str(repository)})

    agents = {each["name"]: each for each in answer.json()["agents"]}
    assert agents["scripted"]["is_installed"]
    assert agents["scripted"]["is_default"]
    assert agents["codex"]["is_installed"] is None  # no worker was ever started here
    assert "did you mean 'command'?" in agents["broken"]["problem"]
    assert (agents["house"]["scope"], agents["house"]["is_trusted"]) == ("repository", False)


async def test_a_repositorys_agents_are_its_own(down_client):
    names = [each["name"] for each in (await down_client.get("/v1/agents")).json()["agents"]]
    assert "house" not in names


async def test_an_agent_is_shown_with_names_and_no_values(down_client, monkeypatch, worked_on):
    monkeypatch.setenv("OPENAI_API_KEY", "concealed")

    answer = await down_client.get("/v1/agents/codex")

    shown = answer.json()
    assert shown["status"]["login_by"] == "OPENAI_API_KEY"
    assert shown["package"] == "@agentclientprotocol/codex-acp@2.6.0"
    assert [each["fix"] for each in shown["status"]["missing"]] == ["treadle agents install codex"]
    assert "concealed" not in answer.text


async def test_an_agent_that_there_is_not_is_refused_everywhere(down_client):
    for call in (
        down_client.get("/v1/agents/nope"),
        down_client.post("/v1/agents/nope/try", json={}),
        down_client.post(
            "/v1/agents/nope/trust", json={"repository": "/x", "content_hash": "0" * 64}
        ),
    ):
        assert problem(await call) == (422, "unknown_agent")
    unknown = await down_client.post("/v1/agents/codex/dance", json={})
    assert unknown.status_code == 422
    assert (await down_client.get("/v1/agents/codex/checks/1/events")).status_code == 404


async def test_an_agent_of_ones_own_is_added_once(down_client):
    body = {"name": "mine", "command": ["/bin/true", "--acp"], "environment": ["MY_KEY"]}
    made = await down_client.post("/v1/agents", json=body)
    assert made.status_code == 201
    assert made.json()["command"] == ["/bin/true", "--acp"]
    assert made.json()["status"]["scope"] == "user"

    assert problem(await down_client.post("/v1/agents", json=body)) == (422, "invalid")
    for wrong in ({"name": "../up"}, {"command": []}, {"environment": ["A=secret"]}):
        answer = await down_client.post("/v1/agents", json={**body, "name": "other", **wrong})
        assert answer.status_code == 422


async def test_a_repositorys_agent_is_trusted_by_its_hash(down_client, repository):
    parameters = {"repository": str(repository)}
    shown = (await down_client.get("/v1/agents/house", params=parameters)).json()["status"]
    assert shown["missing"][0]["fix"] == "treadle agents trust house"

    refused = await down_client.post("/v1/agents/house/try", json=parameters)
    assert problem(refused) == (422, "agent_not_trusted")
    other = await down_client.post(
        "/v1/agents/house/trust", json={**parameters, "content_hash": "0" * 64}
    )
    assert problem(other) == (409, "not_what_was_shown")
    body = {**parameters, "content_hash": shown["content_hash"]}
    trusted = await down_client.post("/v1/agents/house/trust", json=body)
    assert trusted.json()["is_trusted"]


async def test_a_thread_with_an_agent_that_is_not_installed_is_not_opened(
    down_client, repository, worked_on
):
    body = {"command_id": "1", "repository": str(repository), "goal": "x", "agent": "codex"}
    answer = await down_client.post("/v1/threads", json=body)
    assert problem(answer) == (422, "agent_not_installed")
    assert "treadle agents install codex" in answer.json()["detail"]


async def test_a_thread_with_an_agent_that_nobody_trusted_is_not_opened(
    down_client, repository, worked_on
):
    body = {"command_id": "1", "repository": str(repository), "goal": "x", "agent": "house"}
    answer = await down_client.post("/v1/threads", json=body)
    assert problem(answer) == (422, "agent_not_trusted")
    body |= {"command_id": "2", "repository": str(repository.parent)}
    assert problem(await down_client.post("/v1/threads", json=body)) == (422, "unknown_agent")


async def test_without_an_agent_a_wrong_repository_is_told_as_well(settings, repository, tmp_path):
    app = create_app(settings.model_copy(update={"default_agent": None}))
    async with app.router.lifespan_context(app), client_of(app, settings) as client:

        async def refused(folder):
            body = {"command_id": "1", "repository": str(folder), "goal": "x"}
            answer = await client.post("/v1/threads", json=body)
            assert problem(answer) == (422, "unknown_agent")
            assert "--agent" not in answer.json()["detail"]
            return {each["field"]: each["detail"] for each in answer.json().get("errors", [])}

        assert await refused(repository) == {}
        for folder, words in ((tmp_path, "git repository"), (tmp_path / "none", "no folder")):
            found = await refused(folder)
            assert "no agent was chosen" in found["agent"]
            assert words in found["repository"]


async def test_a_check_without_temporal_or_worker_is_answered(down_client, client, monkeypatch):
    monkeypatch.setattr("api.core.checks.BEGIN_SECONDS", 0.3)
    for http in (down_client, client):
        answer = await http.post("/v1/agents/scripted/look", json={})
        assert problem(answer) == (503, "unavailable")


async def test_what_is_refused_of_a_best_of_or_a_past_session_names_its_field(
    down_client, repository, worked_on
):
    body = {"repository": str(repository), "goal": "x", "agent": "scripted", "is_planned": True}
    for number, (more, name, field) in enumerate(
        (
            ({"best_of": {"agents": ["scripted", "scripted"]}}, "invalid", "best_of"),
            ({"best_of": {"agents": ["scripted", "codex"]}}, "agent_not_installed", "best_of"),
            ({"continues": {"agent_session": "s-1"}}, "invalid", "continues"),
        )
    ):
        answer = await down_client.post(
            "/v1/threads", json=body | more | {"command_id": str(number)}
        )
        assert problem(answer) == (422, name)
        assert answer.json()["field"] == field
