"""Messages that wait and files that may be named, at the door: what is told, and what is not there."""

import pytest

from domain.agents.agents import Prompt, SessionRole
from domain.conversations.events import ConversationOpened, MessageQueued, MessageWithdrawn
from tests.api.conftest import event
from tests.domain.running_plan import THREAD, RunningPlan, task

URL = f"/v1/threads/{THREAD}"
TASK = f"{THREAD}/a"
SESSION = f"{THREAD}/session-1"


def said(key, by="ada"):
    prompt = Prompt(fields={"text": f"text of {key}"}, by=by)
    return MessageQueued(message_id=key, prompt=prompt, by=by)


@pytest.fixture
async def thread(app):
    """A thread whose journal has messages of a session and of a task."""
    opened = ConversationOpened(session_id=SESSION, role=SessionRole.CHAT, agent="scripted")
    talk = [opened, said("first"), said("ours", by=""), said("gone"), said("second")]
    bodies = [
        *((THREAD, body) for body in RunningPlan(task("a")).events),
        *((SESSION, body) for body in (*talk, MessageWithdrawn(message_id="gone"))),
        (
            TASK,
            MessageQueued(
                message_id="third", prompt=Prompt(fields={"text": "use tabs"}, by="ada"), by="ada"
            ),
        ),
    ]
    await app.state.journal.append(
        [event(number, stream, body) for number, (stream, body) in enumerate(bodies)]
    )


async def test_what_people_said_and_no_turn_has_taken_is_listed_with_whom_it_is_for(client, thread):
    found = (await client.get(f"{URL}/messages")).json()

    assert [each["message_id"] for each in found] == ["first", "second", "third"]
    assert [each["text"] for each in found] == ["text of first", "text of second", "use tabs"]
    assert found[0]["session_id"] == SESSION


@pytest.mark.parametrize("place", ["sessions/9", "tasks/none"])
async def test_files_of_what_is_not_there_are_not_found(client, thread, place):
    answer = await client.get(f"{URL}/{place}/files")
    assert (answer.status_code, answer.json()["type"]) == (404, "treadle:not_found")


async def test_more_files_than_are_ever_shown_are_not_asked_for(client, thread):
    assert (await client.get(f"{URL}/sessions/1/files?limit=1001")).status_code == 422
