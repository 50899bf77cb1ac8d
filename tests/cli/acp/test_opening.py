"""What opens a thread is said once and lost never, also where the answer to it does not come."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest

from cli.acp.choices import CHAT, MODE, PLAN, Offered
from cli.acp.conversation import OPENED_BEFORE, Conversation
from cli.acp.engine import Post
from cli.acp.names import fresh_session, thread_ending
from cli.core.errors import CommandError, RefusedError, UnreachableError
from tests.cli.acp.engine_stand_in import THREAD, a_moment, words

REUSED = RefusedError({"type": "treadle:key_reused", "title": "used", "status": 409})


@pytest.fixture
async def talk(desk) -> AsyncGenerator[Conversation]:
    talk = Conversation(desk, fresh_session(), Path("/code/app"), Offered())
    yield talk
    await talk.close()


@pytest.fixture
async def lost(talk, engine) -> Conversation:
    """A conversation whose first message had no answer."""
    engine.lost = [UnreachableError("the engine did not answer in time")]
    with pytest.raises(CommandError):
        await talk.prompt(words("Add a flag"))
    return talk


async def say(talk: Conversation, text: str) -> None:
    saying = asyncio.create_task(talk.prompt(words(text)))
    await a_moment()
    if saying.done():
        saying.result()
    saying.cancel()


async def test_other_words_after_a_lost_answer_are_said_in_the_thread_of_the_first(
    lost, engine, desk
):
    await say(lost, "And a test")
    first, again = engine.opened
    assert first == again
    assert engine.said == ["Add a flag", "And a test"]
    told = [update for call in desk.editor.tell.await_args_list for update in call.args[1:]]
    assert OPENED_BEFORE in "".join(str(update) for update in told)


async def test_the_same_words_after_a_lost_answer_are_said_once(lost, engine):
    await say(lost, "Add a flag")
    assert engine.said == ["Add a flag"]


async def test_words_wait_while_nothing_answers(lost, engine):
    engine.lost = [UnreachableError("no engine is running")]
    with pytest.raises(CommandError):
        await lost.prompt(words("And a test"))
    await say(lost, "And a test")
    assert engine.said == ["Add a flag", "And a test"]


async def test_a_first_message_that_was_refused_after_all_leaves_the_next_one_to_open(lost, engine):
    engine.lost = [RefusedError({"title": "no such agent", "status": 422})]
    await say(lost, "Add another flag")
    assert engine.said == ["Add another flag"]
    assert [body["goal"] for body in engine.opened] == [
        "Add a flag",
        "Add a flag",
        "Add another flag",
    ]


async def test_a_first_message_that_was_refused_is_not_sent_again(talk, engine):
    engine.lost = [RefusedError({"title": "no such agent", "status": 422})]
    with pytest.raises(RefusedError):
        await talk.prompt(words("Add a flag"))
    await say(talk, "Add another flag")
    assert [body["goal"] for body in engine.opened] == ["Add a flag", "Add another flag"]


async def test_a_lost_first_message_that_was_cancelled_is_stopped(lost, engine):
    await lost.cancel()
    name = f"{THREAD}/session-1"
    engine.waiting = [{"message_id": f"{name}/goal", "session_id": name}]
    await say(lost, "Add another flag")
    withdrawn = Post(("sessions", "1", "withdraw"), {"message_id": f"{name}/goal"})
    assert engine.posts[0] == withdrawn
    assert engine.said[-1] == "Add another flag"


async def test_what_is_to_be_planned_after_a_lost_answer_is_planned(lost, engine):
    await lost.set(MODE, PLAN)
    await say(lost, "Add a flag")
    (post,) = engine.posts
    assert (post.path, post.body["goal"]) == (("plans",), "Add a flag")


@pytest.mark.parametrize("mode", [CHAT, PLAN])
async def test_words_reach_the_thread_that_an_earlier_process_opened(talk, engine, mode):
    engine.lost = [REUSED]
    session = talk._opening._session_id
    engine.rows = [{"stream": f"thread-a-flag{thread_ending(session)}", "project": "/code/app"}]
    await talk.set(MODE, mode)
    await say(talk, "And a test")
    (post,) = engine.posts
    assert post.path == (("plans",) if mode == PLAN else ("messages",))
    assert "And a test" in post.body.values()
    assert talk._thread.thread_id == engine.rows[0]["stream"]


async def test_where_that_thread_is_not_there_the_person_is_told_what_to_do(talk, engine):
    engine.lost = [REUSED]
    with pytest.raises(CommandError, match="begin a new conversation"):
        await talk.prompt(words("And a test"))
