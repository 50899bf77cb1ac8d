"""Conflicts and publishing over REST: what goes to the thread, and what is refused at the door."""

import pytest

from tests.api.opening import opened_thread

REPOSITORY = {"repository": "/somewhere", "goal": "Add a flag", "is_planned": True}


@pytest.fixture
async def thread(client):
    answer = await client.post("/v1/threads", json=REPOSITORY)
    return opened_thread(answer)


@pytest.mark.parametrize("how", ["keep_a", "keep_b", "by_hand", "agent", "done"])
async def test_every_answer_to_a_conflict_reaches_the_thread(client, thread, how):
    body = {"how": how, "content_hash": "0" * 64, "command_id": f"c-{how}"}
    answer = await client.post(f"/v1/threads/{thread}/tasks/task-1/conflict", json=body)

    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("how", ["keep_a", "keep_b", "by_hand", "agent", "done", "leave"])
async def test_every_answer_to_a_conflict_of_a_chat_reaches_the_thread(client, thread, how):
    body = {"how": how, "content_hash": "0" * 64, "command_id": f"c-{how}"}
    answer = await client.post(f"/v1/threads/{thread}/sessions/2/conflict", json=body)
    other = {**body, "command_id": f"x-{how}"}
    odd = await client.post(f"/v1/threads/{thread}/sessions/x/conflict", json=other)

    assert (answer.status_code, odd.status_code) == (200, 422), answer.text


@pytest.mark.parametrize(
    "body", [{}, {"how": "keep-c"}, {"how": ["done"]}, {"how": "done", "x": 1}]
)
async def test_any_other_answer_is_refused(client, thread, body):
    answer = await client.post(f"/v1/threads/{thread}/tasks/task-1/conflict", json=body)

    assert answer.status_code == 422


async def test_publishing_is_taken_on(client, thread):
    body = {"remote": "fork", "wants_pull_request": False, "commit": "c" * 40}
    answer = await client.post(f"/v1/threads/{thread}/publish", json=body)

    assert answer.status_code == 202, answer.text


@pytest.mark.parametrize(
    "body", [{"remote": 1}, {"remote": "x" * 201}, {"force": True}, {"commit": "HEAD"}]
)
async def test_what_publishing_does_not_take_is_refused(client, thread, body):
    answer = await client.post(f"/v1/threads/{thread}/publish", json=body)

    assert answer.status_code == 422


async def test_a_merge_names_both_commits_that_were_shown(client, thread):
    body = {"commit": "c" * 40, "target_commit": "a" * 40, "command_id": "m-1"}
    answer = await client.post(f"/v1/threads/{thread}/merge", json=body)
    blind = await client.post(f"/v1/threads/{thread}/merge", json={"commit": "c" * 40})
    odd = await client.post(
        f"/v1/threads/{thread}/merge", json={**body, "commit": "--help", "command_id": "m-2"}
    )

    assert answer.status_code == 202, answer.text
    assert (blind.status_code, odd.status_code) == (422, 422)


async def test_changes_of_no_thread_and_of_no_session_are_not_found(client, thread):
    missing = await client.get("/v1/threads/thread-none-1/changes")
    odd = await client.get(f"/v1/threads/{thread}/changes/diff", params={"session": "0"})

    assert (missing.status_code, odd.status_code) == (404, 422)


async def test_lines_of_no_conflict_are_not_found(client, thread):
    missing = await client.get(f"/v1/threads/{thread}/conflicts/{'0' * 64}")
    odd = await client.get(f"/v1/threads/{thread}/conflicts/HEAD")

    assert (missing.status_code, odd.status_code) == (404, 422)
