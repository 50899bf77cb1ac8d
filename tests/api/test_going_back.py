"""Checkpoints, forks, retries and comments at the door: what is sent on, and what is refused there."""

import pytest

from domain.agents.agents import TurnResult
from domain.conversations.events import TurnEnded
from domain.core.workspaces import Snapshot
from tests.api.conftest import event
from tests.api.opening import opened_thread
from tests.domain.running_plan import THREAD, RunningPlan, task

URL = f"/v1/threads/{THREAD}"
TASK = f"{THREAD}/a"


def snapshot(commit):
    return Snapshot(commit=commit, tree=commit, base="base")


def turn_of_task(number):
    turn_id = f"{TASK}/session-1/turn-{number}"
    commit = snapshot(f"commit-{number}")
    return TurnEnded(session_id="s", result=TurnResult(turn_id=turn_id, snapshot=commit))


@pytest.fixture
async def thread(app, client):
    """A thread that is open at the stand-in, whose journal has a plan and two turns of a task."""
    body = {"repository": "/repo", "goal": "goal", "is_planned": True}
    await client.post("/v1/threads", json=body)
    plan = RunningPlan(task("a"))
    opened = plan.events[0].model_copy(update={"agent": "scripted"})
    streams = [(THREAD, opened), *((THREAD, body) for body in plan.events[1:])]
    streams += [(TASK, turn_of_task(number)) for number in (1, 2)]
    chat = TurnResult(turn_id=f"{THREAD}/session-2/turn-1", snapshot=snapshot("chat"))
    streams.append(
        (f"{THREAD}/session-2", TurnEnded(session_id=f"{THREAD}/session-2", result=chat))
    )
    await app.state.journal.append(
        [event(number, stream, body) for number, (stream, body) in enumerate(streams)]
    )
    return (await client.get(f"{URL}/checkpoints")).json()


async def test_checkpoints_are_listed_with_where_they_are_from(thread):
    found = [(each["stream"], each["commit"], each["label"]) for each in thread]
    assert found == [
        (THREAD, "0" * 40, "opened"),
        (TASK, "commit-1", "turn 1"),
        (TASK, "commit-2", "turn 2"),
        (f"{THREAD}/session-2", "chat", "turn 1"),
    ]


async def test_a_fork_is_a_thread_of_its_own_once_for_each_command(client, thread):
    wanted = {"position": thread[-1]["position"], "command_id": "f", "stream": TASK}
    first, again = [await client.post(f"{URL}/forks", json=wanted) for _ in range(2)]
    assert (first.status_code, first.json()) == (201, again.json())
    assert first.json()["thread_id"] != THREAD


@pytest.mark.parametrize(
    ("wanted", "status", "name"),
    [
        ({"position": 1, "stream": TASK}, 404, "no_checkpoint"),
        ({"position": 9_999, "stream": "thread-other/session-1"}, 404, "no_checkpoint"),
        ({"position": 9_999, "agent": "nobody"}, 422, "unknown_agent"),
        ({"position": 0}, 422, "out_of_range"),
        ({"position": 9_999, "goal": " "}, 422, "empty"),
        ({}, 422, "missing_field"),
    ],
)
async def test_a_fork_that_cannot_be_is_refused(client, thread, wanted, status, name):
    answer = await client.post(f"{URL}/forks", json=wanted)
    assert (answer.status_code, answer.json()["type"]) == (status, f"treadle:{name}")


async def test_forking_what_is_not_there_is_not_found(client, app):
    answer = await client.post("/v1/threads/thread-no-x/forks", json={"position": 1})
    assert (answer.status_code, answer.json()["type"]) == (404, "treadle:not_found")


async def test_a_diff_since_the_review_is_there_after_one(client, thread):
    answer = await client.get(f"{URL}/tasks/a/diff?since=review")
    assert answer.status_code == 404
    assert "not been rejected" in answer.json()["detail"]


async def test_a_demo_is_opened_once_for_each_command(client):
    one, same, other = [
        (await client.post("/v1/demo", json={"command_id": name})).json()["thread_id"]
        for name in ("one", "one", "other")
    ]
    assert (one == same, one == other) == (True, False)


@pytest.fixture
async def opened(client):
    answer = await client.post("/v1/threads", json={"repository": "/repo", "goal": "Add a flag"})
    return opened_thread(answer)


async def test_comments_go_with_a_rejection_to_the_task(client, opened):
    comment = {"path": "a b\n.py", "line": 7, "side": "old", "text": "why?"}
    said = {"request_id": "plan-1", "content_hash": "h", "comments": [comment]}
    url = f"/v1/threads/{opened}/approvals"
    sent = await client.post(url, json=said | {"choice": "reject"})
    assert sent.json()["data"]["comments"] == [comment]

    approved = await client.post(url, json=said | {"choice": "approve"})
    assert (approved.status_code, approved.json()["type"]) == (422, "treadle:invalid")


@pytest.mark.parametrize(
    ("comments", "name"),
    [
        ([{"path": "a", "line": 0, "text": "x"}], "out_of_range"),
        ([{"path": "", "line": 1, "text": "x"}], "empty"),
        ([{"path": "a", "line": 1, "text": " "}], "empty"),
        ([{"path": "a", "line": 1, "text": "x" * 2_001}], "too_long"),
        ([{"path": "a", "line": 1, "text": "x", "side": "both"}], "bad_value"),
        ([{"path": "a", "line": 1, "text": "x"}] * 101, "too_long"),
    ],
)
async def test_comments_out_of_bounds_are_refused_at_the_door(client, opened, comments, name):
    body = {"request_id": "a/gate-1-1", "content_hash": "h", "choice": "reject"}
    answer = await client.post(
        f"/v1/threads/{opened}/approvals", json=body | {"comments": comments}
    )
    assert (answer.status_code, answer.json()["type"]) == (422, f"treadle:{name}")
