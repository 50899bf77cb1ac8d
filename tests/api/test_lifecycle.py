from uuid import uuid4

import pytest

from domain.conversations.events import TurnStarted
from domain.threads.events import SessionOpened
from tests.api.conftest import event, headline
from tests.api.test_reading import planned


@pytest.fixture
async def thread(client, app):
    """A thread that a stand-in answers for, and the journal knows."""
    body = {"repository": "/r", "goal": "make it so", "command_id": uuid4().hex}
    answer = await client.post("/v1/threads", json=body)
    assert answer.status_code == 201, answer.text
    opened = answer.json()["thread_id"]
    events = [e.model_copy(update={"stream": opened, "id": f"{opened}:{e.id}"}) for e in planned()]
    await app.state.journal.append(events, [headline(opened)])
    return opened


@pytest.mark.parametrize(
    ("verb", "body", "door"),
    [
        ("rename", {"topic": "The flag"}, "rename"),
        ("archive", {}, "archive"),
        ("unarchive", {}, "unarchive"),
        ("sessions/2/merge", {}, "merge_session"),
    ],
)
async def test_what_people_do_with_a_thread_reaches_its_workflow(client, thread, verb, body, door):
    body = {"command_id": f"id-{door}", **body}
    answer = await client.post(f"/v1/threads/{thread}/{verb}", json=body)
    assert answer.is_success
    assert answer.json()["message"] == door


@pytest.mark.parametrize("topic", ["", "  ", "a\nb", "x" * 201, "\x1b[2J", 3, None])
async def test_a_topic_that_is_none_is_refused(client, thread, topic):
    answer = await client.post(f"/v1/threads/{thread}/rename", json={"topic": topic})
    assert (answer.status_code, answer.json()["field"]) == (422, "topic")


async def test_a_thread_with_a_working_session_is_not_deleted(client, app, thread):
    session = f"{thread}/session-1"
    opened = SessionOpened(session_id=session, role="chat", agent="a")
    started = TurnStarted(session_id="s", turn_id="t", number=1, prompt_name="message")
    await app.state.journal.append([event(8, thread, opened), event(9, session, started)])

    answer = await client.request("DELETE", f"/v1/threads/{thread}", json={"command_id": "1"})

    assert (answer.status_code, answer.json()["type"]) == (409, "treadle:wrong_state")
    assert "session-1" in answer.json()["detail"]


async def test_an_unknown_thread_is_not_deleted(client):
    answer = await client.request("DELETE", "/v1/threads/thread-none", json={"command_id": "1"})
    assert answer.status_code == 404


@pytest.mark.parametrize("query", ["q=%00", "q=a%0ab", f"q={'x' * 201}", "archived=maybe"])
async def test_a_search_that_cannot_be_is_refused(down_client, query):
    answer = await down_client.get(f"/v1/threads?{query}")
    assert (answer.status_code, answer.json()["field"]) == (422, query.split("=")[0])
