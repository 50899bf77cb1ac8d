"""Flow files by REST: listed and shown, broken ones with their error, checked, trusted by hash."""

import json

import pytest

TALK = {
    "type": "llm",
    "agentType": "scripted",
    "identifier": "main",
    "messages": [{"role": "user", "content": ["Go on."]}],
}
OTHER = {**TALK, "agentType": "planning_agent"}
RUNS = {"type": "command", "command": "make test"}


@pytest.fixture
def repository(tmp_path):
    (tmp_path / "repo/.git").mkdir(parents=True)
    (tmp_path / "repo/.git/HEAD").write_text("ref: refs/heads/main\n")
    (tmp_path / "repo/flows").mkdir()
    return tmp_path / "repo"


def put(repository, name, *steps, **top):
    file = repository / f"flows/{name}.json"
    file.write_text(json.dumps({"steps": steps, **top}))
    return file


async def test_flows_are_listed_with_their_agents_and_broken_ones_with_their_error(
    down_client, repository
):
    put(repository, "talk", TALK, OTHER, description="Talk twice")
    put(repository, "broken", {"type": "LLM"})

    answer = await down_client.get("/v1/flows", params={"repository": str(repository)})

    found = {each["name"]: each for each in answer.json()["flows"]}
    talk, broken = found["talk"], found["broken"]
    assert (talk["description"], talk["steps"], talk["disabled"]) == ("Talk twice", 2, False)
    assert talk["agents"][0] == {"agent_type": "scripted", "agent": "scripted", "missing": ""}
    assert talk["agents"][1]["missing"] == "no agent has this name"
    assert broken["disabled"]
    assert broken["error"].startswith("line 1, column 21, step 0, steps[0].type: there is no")
    assert broken["problems"][0]["type"] == "unknown_type"
    assert found["hello"]["scope"] == "built-in"


async def test_without_a_repository_its_flows_are_not_listed(down_client, repository):
    put(repository, "talk", TALK)

    found = (await down_client.get("/v1/flows")).json()["flows"]

    assert {each["scope"] for each in found} == {"built-in"}


async def test_a_flow_is_shown_whole(down_client, repository):
    file = put(repository, "talk", TALK)

    where = {"repository": str(repository)}
    view = (await down_client.get("/v1/flows/talk", params=where)).json()
    missing = await down_client.get("/v1/flows/nope", params=where)
    nowhere = await down_client.get("/v1/flows/talk", params={"repository": "relative"})

    assert view["text"] == file.read_text()
    assert view["definition"]["steps"][0]["messages"] == ["Go on."]
    assert (missing.status_code, missing.json()["type"]) == (404, "treadle:unknown_flow")
    assert "talk" in missing.json()["detail"]
    assert nowhere.status_code == 422


async def test_a_text_is_checked_as_the_flow_that_it_may_become(down_client, repository):
    (repository / "codeinfo_markdown").mkdir()
    (repository / "codeinfo_markdown/start.md").write_text("Begin here.\n")
    step = {k: v for k, v in TALK.items() if k != "messages"} | {"markdownFile": "start.md"}

    good = await down_client.post(
        "/v1/flows/check",
        json={"content": json.dumps({"steps": [step]}), "repository": str(repository)},
    )
    bad = await down_client.post("/v1/flows/check", json={"content": '{"steps": [],}'})

    large = await down_client.post("/v1/flows/check", json={"content": "x" * 300_000})
    assert large.json()["flow"]["problems"][0]["type"] == "too_large"
    assert good.json()["definition"]["steps"][0]["messages"] == ["Begin here."]
    assert bad.status_code == 200
    assert bad.json()["flow"]["error"].startswith("line 1, column 14: ")


async def test_a_flows_commands_are_trusted_as_they_were_shown(down_client, repository):
    file = put(repository, "build", RUNS)
    where = {"repository": str(repository)}
    shown = (await down_client.get("/v1/flows/build", params=where)).json()["flow"]
    body = {"flow": "build", "content_hash": shown["content_hash"], **where}

    trusted = await down_client.post("/v1/flows/trust", json=body)
    file.write_text(file.read_text().replace("make", "rm"))
    changed = await down_client.post("/v1/flows/trust", json=body)

    assert (shown["is_trusted"], shown["commands"]) == (False, ["make test"])
    assert trusted.json()["is_trusted"]
    assert (changed.status_code, changed.json()["type"]) == (409, "treadle:not_what_was_shown")
