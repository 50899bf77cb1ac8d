"""What every agent goes through in chats: follow-ups, another agent, the user's programs, its tokens."""

import itertools
import json
import sys
from typing import Any

from tests.agents.bench import Bench, Conversation
from tests.agents.repositories import USERS_PROGRAMS
from tests.agents.scenarios import Shown, assert_said, reached
from tests.agents.tokens import Tokens, served, told

OTHER = "scripted"
OTHERS_TOKENS = Tokens(30, 0, 7)
"""What the scripted agent says that it took."""


async def followed_up(bench: Bench) -> Shown:
    """Send a message while the agent is busy and one when it is not: each has its turn, in order."""
    chat = Conversation(bench)
    await chat.open("Matrix: first of three")
    await chat.ran("begun.txt")
    await chat.say("Matrix: second of three")
    (chat.worktree() / "go.txt").touch()
    assert_said(await chat.ended(1), "This was the first.")
    assert_said(await chat.ended(2), "This was the second.")
    await chat.say("Matrix: third of three")
    assert_said(await chat.ended(3), "This was the third.")
    prompts = [body.text for body in chat.told("prompt_sent")]
    asked = [f"Matrix: {number} of three" for number in ("first", "second", "third")]
    assert [word for text in prompts for word in asked if word in text] == asked, f"{prompts}"
    assert was_busy(chat, asked[1]), "its first turn was over before the second message came"
    sessions = {body.agent_session for body in chat.told("agent_session_opened")}
    assert len(sessions) == 1, f"it had {len(sessions)} sessions"
    last = next(entry for entry in bench.model.log() if entry["rule"] == "third of three")
    known = json.dumps(last["body"])
    assert "This was the first." in known, "it has forgotten its first turn"
    assert "This was the second." in known, "it has forgotten its second turn"
    await chat.archive_sessions_of()
    yield "chat", ""


def was_busy(chat: Conversation, text: str) -> bool:
    """Tell whether a message came before the end of the chat's first turn."""
    before = itertools.takewhile(lambda body: body.kind != "turn_ended", chat.bodies())
    queued = (body for body in before if body.kind == "message_queued")
    return any(text in body.prompt.fields.get("text", "") for body in queued)


async def switched(bench: Bench) -> Shown:
    """Give the chat to another agent in mid-turn, and back: each has what it took, and finds the work."""
    chat = await opened_with_recipe(bench, "Matrix: begin for another")
    await reached(bench, "begin for another", 1)
    await chat.switch(OTHER)
    turns = [await chat.stop()]
    await chat.say("Matrix: for another to do")
    turns.append(await chat.ended(2))
    assert_said(turns[1], "Another was here.")
    await chat.switch(chat.agent)
    await chat.say("Matrix: back again")
    turns.append(await chat.ended(3))
    assert_said(turns[2], "I am back.")
    agents = [turn.agent for turn in turns]
    assert agents == [chat.agent, OTHER, chat.agent], f"the turns are those of {agents}"
    found = bench.after("back again", 0)
    assert "half.txt" in found, "its own work is gone"
    assert "other.txt" in found, "it does not find the other's work"
    by_agent = (await chat.session())["by_agent"]
    assert set(by_agent) == {chat.agent, OTHER}, f"what turns took is that of {set(by_agent)}"
    assert told(by_agent[OTHER]) == OTHERS_TOKENS, f"the other has {told(by_agent[OTHER])}"
    assert by_agent[chat.agent]["tool_calls"] >= 2, "calls before the switch are not its own"
    await chat.archive_sessions_of()
    yield "switch", ""


async def found_programs(bench: Bench) -> Shown:
    """Look for programs from the agent's shell: the recipe's, then the user's, never Treadle's own."""
    chat = await opened_with_recipe(bench, "Matrix: look for programs")
    await chat.ended()
    said = bench.after("look for programs", 0)
    users = [f"{name} of the user" for name in USERS_PROGRAMS if name != "pytest"]
    for words in ("pytest of the recipe", "PROOF=of the recipe", "git version", *users):
        assert words in said, f"no {words!r} in {said[-600:]!r}"
    assert "python3" in said, f"no python3 in {said[-600:]!r}"
    assert sys.prefix not in said, f"Treadle's own environment is in {said[-600:]!r}"
    await chat.archive_sessions_of()
    yield "shell", ""


async def opened_with_recipe(bench: Bench, text: str) -> Conversation:
    """Open a chat on the repository that has a recipe, which is trusted as it is."""
    chat = Conversation(bench, "recipe")
    where = {"repository": str(chat.repository)}
    found = (await bench.http.get("/v1/recipes", params=where)).json()["found"]
    trusted = {**where, "content_hash": found["content_hash"]}
    (await bench.http.post("/v1/recipes/trust", json=trusted)).raise_for_status()
    await chat.open(text)
    return chat


async def counted(bench: Bench) -> Shown:
    """Count the tokens of a whole turn."""
    chat = Conversation(bench, "counted")
    await chat.open("Matrix: counted whole")
    await chat.ended()
    yield "usage", await assert_exact(bench, chat, "Matrix: counted whole")


async def counted_until_stopped(bench: Bench) -> Shown:
    """Count the tokens of a turn that is stopped while the model is asked again."""
    chat = Conversation(bench, "stopped")
    await chat.open("Matrix: counted until stopped")
    await reached(bench, "counted until stopped", 1)
    await chat.stop()
    yield "usage, stopped", await assert_exact(bench, chat, "Matrix: counted until stopped")


async def assert_exact(bench: Bench, chat: Conversation, words: str) -> str:
    """Assert that session and report have what the model served; returns what is worth telling of it."""
    stats = (await chat.session())["stats"]
    spent, (main, aside) = told(stats), served(bench.model.log(), words)
    assert not stats["is_partial"], f"it tells those of its last call only: {spent} of {main}"
    assert spent != Tokens(), "it tells none"
    assert spent.cached or not main.cached, f"it tells no cached ones: {spent} of {main}"
    notes = {
        main.with_cached: "its input includes cached ones, which it also tells apart",
        main.plus(aside): "those of its own side calls, too",
        main: "",
    }
    assert spent in notes, f"it tells {spent}, the model served {main}, and {aside} aside"
    reported = await in_report(chat)
    assert reported == spent, f"the report has {reported}, the session {spent}"
    return notes[spent]


async def in_report(chat: Conversation) -> Tokens:
    """Return what the report has of the agent in the chat's repository."""
    where = {"project": str(chat.repository)}
    report: dict[str, Any] = (await chat.http.get("/v1/report", params=where)).json()
    own = (line for line in report["by_agent"] if line["agent"] == chat.agent)
    counts = ("input_tokens", "cached_tokens", "output_tokens")
    return Tokens().plus(*(Tokens(*(line[count] for count in counts)) for line in own))
