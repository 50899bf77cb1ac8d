"""Plans over REST: compared and told apart from the journal alone, changed and asked for by a command."""

import pytest

from domain.agents.agents import SessionRole
from domain.core.approvals import ApprovalRequest, Subject
from domain.plans.plan import Plan, PlannedTask
from domain.plans.warnings import PlanWarning, WarningKind
from domain.threads.events import PlanProposed, SessionOpened
from tests.api.conftest import event
from tests.api.test_reading import planned

PLANS = "/v1/threads/thread-a/plans"


def second():
    """A rival and its plan, whose dependencies were fixed."""
    session = SessionOpened(
        session_id="thread-a/session-2", role=SessionRole.PLANNER, agent="two", model="m"
    )
    request = ApprovalRequest(
        request_id="plan-2", subject=Subject.PLAN, title="g", content_hash="c" * 64
    )
    tasks = (PlannedTask(id="t1", title="one"), PlannedTask(id="t2", title="two"))
    proposed = PlanProposed(
        revision=2,
        session_id=session.session_id,
        plan=Plan(goal="g", approach="in two", tasks=tasks),
        warnings=(PlanWarning(kind=WarningKind.REMOVED, text="fixed"),),
        handoff="the packet",
        request=request,
    )
    return [event(2, body=session), event(3, body=proposed)]


@pytest.fixture
async def rivals(down_app):
    """A thread with two plans that wait, and no Temporal."""
    await down_app.state.journal.append([*planned(), *second()])


async def test_plans_that_wait_are_compared_with_temporal_away(down_client, rivals):
    answer = (await down_client.get(f"{PLANS}/compare")).json()
    assert [p["revision"] for p in answer["plans"]] == [1, 2]
    assert answer["plans"][1]["planner"] == "two m"
    assert (answer["plans"][1]["tasks"], answer["plans"][1]["warnings"]) == (2, 1)
    one = (await down_client.get(f"{PLANS}/compare?revisions=2,2")).json()
    assert [p["revision"] for p in one["plans"]] == [2]


@pytest.mark.parametrize(
    ("path", "status"),
    [("compare?revisions=9", 404), ("compare?revisions=1;2", 422), ("1/diff/9", 404)],
)
async def test_a_plan_that_is_not_there_is_not_compared(down_client, rivals, path, status):
    assert (await down_client.get(f"{PLANS}/{path}")).status_code == status


async def test_two_plans_differ_by_task_and_field(down_client, rivals):
    changes = (await down_client.get(f"{PLANS}/1/diff/2")).json()["changes"]
    assert [(c["sign"], c["id"]) for c in changes["tasks"]] == [("+", "t2")]
    assert [c["field"] for c in changes["fields"]] == ["approach"]


async def test_two_plans_may_differ_by_their_packet_alone(down_app, down_client, rivals):
    proposed = second()[1].body
    request = proposed.request.model_copy(update={"request_id": "plan-3"})
    new = {"revision": 3, "handoff": "another packet", "request": request}
    third = event(4, body=proposed.model_copy(update=new))
    await down_app.state.journal.append([third])
    changes = (await down_client.get(f"{PLANS}/2/diff/3")).json()["changes"]
    packet = {"field": "handoff packet", "before": "the packet", "after": "another packet"}
    assert changes["fields"] == [packet]


async def test_a_plan_is_shown_with_its_packet_and_warnings(down_client, rivals):
    shown = (await down_client.get(f"{PLANS}/2")).json()
    assert shown["is_waiting"] is True
    assert shown["proposed"]["handoff"] == "the packet"
    assert shown["proposed"]["warnings"] == [{"kind": "removed", "text": "fixed"}]


@pytest.mark.parametrize(
    ("path", "body", "door"),
    [
        ("planners", {"agent": "claude"}, "add_planner"),
        ("1/edits", {"handoff": "x"}, "edit_plan"),
        ("1/combinations", {"other": 2, "feedback": "its tests"}, "combine_plans"),
        ("1/critiques", {}, "request_critique"),
        ("", {"rivals": [{"agent": "claude"}]}, "request_plan"),
    ],
)
async def test_what_is_asked_of_planners_goes_to_the_thread(client, path, body, door):
    opened = await client.post(
        "/v1/threads", json={"repository": "/somewhere", "goal": "g", "is_planned": True}
    )
    assert opened.status_code == 201, opened.text
    thread = opened.json()["thread_id"]
    answer = await client.post(f"/v1/threads/{thread}/plans/{path}".rstrip("/"), json=body)
    assert answer.status_code == 202, answer.text
    said = answer.json()
    assert said["message"] == door
    assert said["data"] | body == said["data"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("0/edits", {"handoff": "x"}),
        ("1/combinations", {"other": 2, "feedback": "  "}),
        ("1/edits", {"plan": "prose"}),
        ("planners", {"who": "x"}),
    ],
)
async def test_a_bad_request_is_refused_at_the_door(client, path, body):
    answer = await client.post(f"{PLANS}/{path}", json=body)
    assert answer.status_code == 422


async def test_no_planned_thread_is_opened_where_planning_is_off(client):
    body = {
        "repository": "/somewhere",
        "goal": "g",
        "planner": {"enabled": False},
        "is_planned": True,
    }
    refused = await client.post("/v1/threads", json=body)
    assert (refused.status_code, refused.json()["type"]) == (409, "treadle:wrong_state")
    assert (await client.post("/v1/threads", json=body | {"is_planned": False})).is_success


async def test_a_first_message_can_ask_for_a_plan(client):
    body = {"repository": "/somewhere", "goal": "/plan Add receipts to it"}
    opened = await client.post("/v1/threads", json=body)
    assert opened.json()["thread_id"].startswith("thread-add-receipts-to-it-")

    off = {"planner": {"enabled": False}}
    assert (await client.post("/v1/threads", json=body | off)).status_code == 409
    for goal in ("/plan", "/plan status", "/plan nonsense"):
        refused = await client.post("/v1/threads", json=body | {"goal": goal})
        assert (refused.status_code, refused.json()["type"]) == (422, "treadle:invalid")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("plans", {"agent": "nobody"}),
        ("plans", {"rivals": [{"agent": "claude"}, {"agent": "nobody"}]}),
        ("plans/planners", {"agent": "nobody"}),
        ("plans/1/critiques", {"agent": "nobody"}),
        ("amendment-requests", {"agent": "nobody", "text": "smaller"}),
        ("sessions", {"agent": "nobody"}),
        ("sessions/1/switch-agent", {"agent": "nobody"}),
        ("tasks/t1/sessions", {"agent": "nobody"}),
        ("tasks/t1/switch-agent", {"agent": "nobody"}),
    ],
)
async def test_an_agent_that_is_not_there_is_refused_at_the_door(client, path, body):
    refused = await client.post(f"/v1/threads/thread-a/{path}", json=body)
    assert (refused.status_code, refused.json()["type"]) == (422, "treadle:unknown_agent")
    assert "scripted" in refused.json()["detail"]
