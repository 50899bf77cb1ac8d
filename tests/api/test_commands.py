import asyncio
import socket

import pytest

from api.app import create_app
from api.core import workflow_client
from domain.core.approvals import decision_code
from settings import user_name
from tests.api.conftest import client_of
from tests.api.opening import opened_thread

REPOSITORY = {"repository": "/somewhere", "goal": "Add a flag", "is_planned": True}


@pytest.fixture
async def thread(client):
    answer = await client.post("/v1/threads", json=REPOSITORY)
    return opened_thread(answer)


async def test_a_thread_is_opened_under_a_readable_id(client):
    answer = await client.post("/v1/threads", json=REPOSITORY)

    assert answer.status_code == 201
    assert answer.json()["thread_id"].startswith("thread-add-a-flag-")
    assert answer.json()["message"] == f"opened {answer.json()['thread_id']}"


async def test_opening_with_the_same_command_id_names_the_same_thread(client):
    body = REPOSITORY | {"command_id": "once"}
    answers = [(await client.post("/v1/threads", json=body)).json() for _ in range(2)]
    assert answers[0] == answers[1]


async def test_without_temporal_a_command_is_answered_503_with_a_hint(down_client):
    answer = await down_client.post("/v1/threads", json=REPOSITORY)

    assert (answer.status_code, answer.json()["type"]) == (503, "treadle:unavailable")
    assert "treadle up" in answer.json()["hint"]


async def test_a_temporal_that_hangs_is_reported_in_time_and_reading_goes_on(settings, monkeypatch):
    for limit in ("PATIENCE_SECONDS", "ANSWER_SECONDS", "LEAVING_SECONDS"):
        monkeypatch.setattr(workflow_client, limit, 1.0)
    with socket.create_server(("127.0.0.1", settings.temporal_port)):
        app = create_app(settings)
        async with app.router.lifespan_context(app), client_of(app, settings) as client:
            async with asyncio.timeout(60):
                answers = await asyncio.gather(
                    client.post("/v1/threads", json=REPOSITORY),
                    client.post("/v1/threads/thread-a/pause", json={"command_id": "p"}),
                    client.get("/v1/threads"),
                )
    assert [a.status_code for a in answers] == [503, 503, 200]
    assert "same command_id" in answers[1].json()["hint"]


@pytest.mark.parametrize(
    ("path", "body", "door"),
    [
        ("messages", {"text": "hello"}, "send_message"),
        ("plans", {"goal": "another"}, "request_plan"),
        ("plans", {}, "request_plan"),
        ("decisions/auth", {"selections": ["JWT"]}, "decide"),
        ("pause", {}, "pause"),
        ("resume", {}, "resume"),
        ("abort-all", {}, "abort_all"),
        ("cancel", {}, "cancel"),
        ("tasks/t1/abort", {}, "abort"),
        ("tasks/t1/retry", {}, "retry"),
        ("sessions", {"model": "m"}, "open_session"),
    ],
)
async def test_each_route_sends_its_command_to_the_thread(client, thread, path, body, door):
    answer = await client.post(f"/v1/threads/{thread}/{path}", json=body)

    assert answer.is_success
    assert answer.json()["message"] == door


async def test_an_approval_carries_the_code_of_what_it_decides(app, client, thread):
    body = {"request_id": "plan-1", "content_hash": "h", "choice": "approve"}

    answer = await client.post(f"/v1/threads/{thread}/approvals", json=body)

    code = decision_code(app.state.key.read(), thread, "plan-1", "approve", "h", by=user_name())
    assert answer.status_code == 200
    assert answer.json()["data"]["code"] == code


async def test_an_approval_carries_how_freely_the_plan_runs(app, client, thread):
    body = {"request_id": "plan-1", "content_hash": "h", "choice": "approve", "autonomy": "auto"}

    answer = await client.post(f"/v1/threads/{thread}/approvals", json=body)

    code = decision_code(
        app.state.key.read(), thread, "plan-1", "approve/auto", "h", by=user_name()
    )
    assert answer.json()["data"]["code"] == code


@pytest.mark.parametrize(
    ("choice", "autonomy", "kind"),
    [
        ("approve", "free", "bad_value"),
        ("approve", "AUTO", "bad_value"),
        ("approve", "", "bad_value"),
        ("approve", 1, "bad_value"),
        ("reject", "auto", "invalid"),
    ],
)
async def test_a_wrong_autonomy_decides_nothing(client, thread, choice, autonomy, kind):
    body = {"request_id": "plan-1", "content_hash": "h", "choice": choice, "feedback": "no"}

    answer = await client.post(
        f"/v1/threads/{thread}/approvals", json=body | {"autonomy": autonomy}
    )

    assert (answer.status_code, answer.json()["type"]) == (422, f"treadle:{kind}")


async def test_deciding_again_is_harmless_and_deciding_otherwise_is_refused(client, thread):
    body = {"request_id": "plan-1", "content_hash": "h", "choice": "approve"}
    url = f"/v1/threads/{thread}/approvals"

    first = await client.post(url, json=body | {"command_id": "c1"})
    again = await client.post(url, json=body | {"command_id": "c1"})
    other = await client.post(url, json=body | {"choice": "reject"})

    assert first.json() == again.json()
    assert (other.status_code, other.json()["type"]) == (409, "treadle:already_decided")


@pytest.mark.parametrize("request_id", ["plan-x", "T/gate-1-1", "a/b/gate-1-1", "gate-1-1", "💥"])
async def test_a_request_that_cannot_be_is_not_found(client, thread, request_id):
    body = {"request_id": request_id, "content_hash": "h", "choice": "approve"}
    answer = await client.post(f"/v1/threads/{thread}/approvals", json=body)
    assert answer.status_code == 404


@pytest.mark.parametrize(
    ("kind", "status"),
    [("wrong_state", 409), ("not_what_was_shown", 409), ("not_found", 404), ("code_refused", 403)],
)
async def test_what_a_workflow_refuses_keeps_its_type(client, thread, kind, status):
    url = f"/v1/threads/{thread}/messages"
    answer = await client.post(url, json={"text": f"refuse:{kind}:because"})

    assert (answer.status_code, answer.json()["type"]) == (status, f"treadle:{kind}")
    assert answer.json()["detail"] == "because"


async def test_a_missing_workflow_is_told_apart_from_one_that_is_over(client, thread):
    await client.post(f"/v1/threads/{thread}/cancel", json={})
    over = await client.post(f"/v1/threads/{thread}/messages", json={"text": "hello"})
    missing = await client.post("/v1/threads/thread-no-x/messages", json={"text": "hello"})

    assert (over.status_code, over.json()["type"]) == (409, "treadle:wrong_state")
    assert (missing.status_code, missing.json()["type"]) == (404, "treadle:not_found")


@pytest.mark.parametrize(
    ("changed", "name", "field"),
    [
        ({"goal": ""}, "empty", "goal"),
        ({"goal": " \u200b"}, "empty", "goal"),
        ({"goal": "a\0b"}, "control_character", "goal"),
        ({"goal": "x" * 10_001}, "too_long", "goal"),
        ({"goal": 3}, "wrong_type", "goal"),
        ({"repository": None}, "wrong_type", "repository"),
        ({"repository": "/a\nb"}, "control_character", "repository"),
        ({"max_parallel_tasks": "3"}, "wrong_type", "max_parallel_tasks"),
        ({"max_parallel_tasks": True}, "wrong_type", "max_parallel_tasks"),
        ({"max_parallel_tasks": 0}, "out_of_range", "max_parallel_tasks"),
        ({"isPlanned": True}, "unknown_field", "isPlanned"),
        ({"x" * 5000: True}, "unknown_field", "x" * 80),
    ],
)
async def test_a_wrong_field_is_named_and_not_echoed(client, changed, name, field):
    answer = await client.post("/v1/threads", json=REPOSITORY | changed)

    assert (answer.status_code, answer.json()["type"]) == (422, f"treadle:{name}")
    assert answer.json()["field"] == field
    assert len(answer.text) < 600


async def test_a_body_that_is_no_object_is_refused(client):
    for body in ("[]", "null", '"text"', "1"):
        headers = {"Content-Type": "application/json"}
        answer = await client.post("/v1/threads", content=body, headers=headers)
        assert answer.status_code == 422


async def test_a_turn_is_stopped_at_its_own_session(client, thread):
    answer = await client.post(f"/v1/threads/{thread}/sessions/2/stop", json={})

    assert answer.status_code == 404
    assert f"{thread}/session-2" in answer.json()["detail"]
