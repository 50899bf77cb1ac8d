"""Names that ids are made of: none that is a secret, by its form or as a value of this host, gets in."""

import json

import pytest

from adapters.redaction import Redactor
from tests.api.opening import opened_thread

KEY = "sk-" + "ant-api03-a1b2c3d4e5f6g7h8i9j0"
KNOWN = "staging-pass-phrase"
SCHEDULE = {"cron": "@daily", "item": {"repository": "/somewhere", "goal": "look"}}


@pytest.fixture
def known(app):
    app.state.redactor = Redactor({"API_TOKEN": KNOWN})


async def opened(client, goal):
    body = {"repository": "/somewhere", "goal": goal, "is_planned": True}
    return opened_thread(await client.post("/v1/threads", json=body))


@pytest.mark.parametrize("name", [KEY, KNOWN])
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("plans/1/edits", {"plan": {"tasks": [{"id": "a"}, {"id": "ID"}]}}),
        ("plans/1/edits", {"plan": {"tasks": [{"id": "a", "ports": [{"id": "ID"}]}]}}),
        ("plans/1/edits", {"plan": {"decisions": [{"id": "ID"}]}}),
        ("amendments", {"amendment": {"changes": [{"change": "add", "task": {"id": "ID"}}]}}),
    ],
)
async def test_a_plan_with_one_as_an_id_is_refused(client, known, name, path, body):
    thread = await opened(client, "g")
    asked = json.loads(json.dumps(body).replace("ID", name))
    answer = await client.post(f"/v1/threads/{thread}/{path}", json=asked)
    assert (answer.status_code, answer.json()["type"]) == (422, "treadle:invalid")
    assert "[redacted:" in answer.json()["detail"]
    assert name not in answer.text


async def test_other_ids_of_a_plan_are_the_threads_business(client, known):
    thread = await opened(client, "g")
    body = {"plan": {"tasks": [{"id": "staging"}, {"id": ["x"]}, {"title": KNOWN}]}}
    answer = await client.post(f"/v1/threads/{thread}/plans/1/edits", json=body)
    assert (answer.status_code, answer.json()["message"]) == (202, "edit_plan")


async def test_a_threads_id_has_no_words_of_one(client, known):
    thread = await opened(client, "Staging: pass phrase!")
    assert thread.startswith("thread-work-")


@pytest.mark.parametrize("name", [KEY, KNOWN])
async def test_a_schedule_with_one_as_a_name_is_refused(client, known, name):
    answer = await client.post("/v1/schedules", json={"name": name, **SCHEDULE})
    assert (answer.status_code, answer.json()["type"]) == (422, "treadle:invalid")
    assert name not in answer.text


async def test_a_flow_with_one_as_a_name_is_not_begun(client, known, tmp_path):
    flows = tmp_path / "repo/flows"
    flows.mkdir(parents=True)
    (tmp_path / "repo/.git").mkdir()
    message = {"role": "user", "content": ["Go on."]}
    step = {"type": "llm", "agentType": "scripted", "identifier": "main", "messages": [message]}
    (flows / f"{KNOWN}.json").write_text(json.dumps({"steps": [step]}))
    body = {"working_folder": str(tmp_path / "repo")}
    answer = await client.post(f"/v1/flows/{KNOWN}/runs", json=body)
    assert (answer.status_code, answer.json()["type"]) == (422, "treadle:invalid")
