"""What is said in an open thread is said once, also where the same words are typed again after a lost answer."""

import asyncio
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
from acp import schema

from cli.acp.choices import CHAT, MODE, PLAN, Offered
from cli.acp.conversation import Conversation
from cli.acp.saying import ARRIVED
from cli.core.errors import CommandError, RefusedError, UnreachableError
from domain.conversations.events import TurnStarted
from domain.core.ids import SessionId, TurnId
from tests.cli.acp.engine_stand_in import THREAD, a_moment, words

LOST = UnreachableError("the engine did not answer in time")
SESSION = SessionId(f"{THREAD}/session-1")


@pytest.fixture
async def talk(desk) -> AsyncGenerator[Conversation]:
    talk = Conversation(desk, "acp-1", Path("/code/app"), Offered())
    await talk.open(THREAD, is_told=False)
    yield talk
    await talk.close()


async def say(talk: Conversation, text: str) -> None:
    saying = asyncio.create_task(talk.prompt(words(text)))
    await a_moment()
    if saying.done():
        saying.result()
    saying.cancel()


@pytest.mark.parametrize("mode", [CHAT, PLAN])
@pytest.mark.parametrize("error", [LOST, RefusedError({"title": "no worker", "status": 503})])
async def test_the_same_words_after_a_lost_answer_are_the_same_command(talk, engine, mode, error):
    await talk.set(MODE, mode)
    engine.unanswered = [error]
    with pytest.raises(CommandError):
        await say(talk, "Add a flag")

    await say(talk, "Add a flag")
    await say(talk, "Add a flag")

    first, again, later = engine.posts
    assert first == again
    assert later.body["command_id"] != first.body["command_id"]


@pytest.mark.parametrize("between", ["words", "cancel", "refusal"])
async def test_only_the_next_words_are_taken_for_those_without_an_answer(talk, engine, between):
    engine.unanswered = [LOST]
    with pytest.raises(CommandError):
        await say(talk, "Go on")
    if between == "words":
        await say(talk, "Stop there")
    elif between == "cancel":
        await talk.cancel()
    else:
        engine.unanswered = [RefusedError({"title": "archived", "status": 409})]
        with pytest.raises(RefusedError):
            await say(talk, "Go on")

    await say(talk, "Go on")

    said = [post.body for post in engine.posts if post.body["text"] == "Go on"]
    assert said[-1]["command_id"] != said[0]["command_id"]


async def test_files_of_a_goal_that_is_planned_are_sent_without_it(talk, engine):
    """The goal has arrived; only what follows it had no answer."""
    await talk.set(MODE, PLAN)
    blocks = [*words("Add a flag"), resource("notes.txt")]
    engine.lost = [LOST]
    engine.post = attached(engine.lost)
    with pytest.raises(CommandError):
        await talk.prompt(blocks)

    saying = asyncio.create_task(talk.prompt(blocks))
    await a_moment()
    saying.cancel()

    assert [post.path for post in engine.posts] == [("plans",), ("messages",)]
    assert engine.said == ["These files belong to the goal."]


def resource(name: str) -> schema.EmbeddedResourceContentBlock:
    found = schema.BlobResourceContents(uri=f"file:///elsewhere/{name}", blob="aGFuZA==")
    return schema.EmbeddedResourceContentBlock(type="resource", resource=found)


def attached(lost: list[CommandError]):
    async def post(_path: str, body: dict[str, str]) -> dict[str, str]:
        if lost:
            raise lost.pop(0)
        return {"name": body["name"]}

    return post


async def test_words_that_did_arrive_are_not_waited_for_again(talk, engine, monkeypatch):
    """Their turn began, and was told, before they were typed again: no event tells of it any more."""
    monkeypatch.setattr("cli.acp.turns.MOMENT_SECONDS", 0)
    engine.unanswered = [LOST]
    with pytest.raises(CommandError):
        await say(talk, "Add a flag")
    name = engine.posts[0].body["command_id"]
    begun = TurnStarted(
        session_id=SESSION,
        turn_id=TurnId(f"{SESSION}/turn-1"),
        number=1,
        message_id=f"{SESSION}/{name}",
        prompt_name="message",
    )
    talk._thread._work.note(SESSION, begun, None, THREAD)
    talk._thread._work._working.clear()

    assert await asyncio.wait_for(talk.prompt(words("Add a flag")), 10) == "end_turn"
    assert ARRIVED in str(talk._desk.editor.tell.await_args_list)


async def test_words_that_did_not_arrive_are_waited_for(talk, engine, monkeypatch):
    monkeypatch.setattr("cli.acp.turns.MOMENT_SECONDS", 0)
    engine.unanswered = [LOST]
    with pytest.raises(CommandError):
        await say(talk, "Add a flag")

    with pytest.raises(TimeoutError):
        await asyncio.wait_for(talk.prompt(words("Add a flag")), 0.5)
