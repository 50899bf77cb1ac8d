"""Sessions of the built-in agent: cancelled, killed, opened again, listed, set up."""

import asyncio
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.agents.builtin.client import (
    ALLOW,
    ALWAYS,
    BUGGY,
    EDIT,
    MENDED,
    REJECT,
    WIRES,
    Client,
    RefusedError,
    Stopwatch,
)

pytestmark = [pytest.mark.agents, pytest.mark.timeout(900)]  # the first run installs it

ROOT = Path(__file__).resolve().parents[3]
SOON = 30.0
"""What takes longer has waited for its command or its model, which go on for minutes; a busy machine may stand still."""


async def test_what_is_allowed_always_is_asked_once_and_known_after_a_restart(
    agent, new_client, play
):
    write = {"write": "b.txt", "content": "b"}
    play({"calls": [EDIT]}, {"calls": [write]}, {"calls": [{"run": "true"}]})
    agent.answer = lambda question: ALWAYS if question["toolCall"]["kind"] == "edit" else ALLOW
    await agent.prompt("fix add")
    asked = [question["toolCall"]["kind"] for question in agent.questions]

    play({"calls": [{"write": "c.txt", "content": "c"}]}, prompt="write c")
    async with new_client(agent.cwd) as later:
        later.answer = REJECT
        await later.reopen("session/resume", agent.session)
        await later.prompt("write c.txt")

    assert asked == ["edit", "execute"]
    assert (agent.cwd / "c.txt").read_text() == "c"


async def test_a_cancelled_turn_ends_at_once_with_all_that_its_command_started(agent, play):
    play({"calls": [{"run": "setsid sleep 600 & echo $! $$; wait"}]})
    turn = asyncio.create_task(agent.prompt("wait"))
    shown = await agent.until(lambda u: "content" in u and u.get("status") is None)
    pids = [int(pid) for pid in shown["content"][0]["content"]["text"].split()]
    with Stopwatch() as watch:
        agent.cancel()
        answer = await turn

    assert answer["stopReason"] == "cancelled"
    assert watch.seconds < SOON
    assert not [pid for pid in pids if is_running(pid)]
    play({"text": "Still here."})
    assert (await agent.prompt("go on"))["stopReason"] == "end_turn"


async def test_a_turn_whose_model_is_silent_can_be_cancelled(agent, play):
    play({"text": "Wait.", "calls": [{"run": "true"}]}, {"hang": True})
    turn = asyncio.create_task(agent.prompt("wait"))
    await agent.until(lambda u: u.get("status") == "completed")
    with Stopwatch() as watch:
        agent.cancel()
        assert (await turn)["stopReason"] == "cancelled"
    assert watch.seconds < SOON


async def test_a_cancelled_turn_tells_its_tokens_and_no_turn_those_of_another(agent, play):
    spent = {"input": 900, "cached": 200, "output": 30}
    play({"calls": [{"run": "true"}], "usage": spent}, {"hang": True})
    turn = asyncio.create_task(agent.prompt("wait"))
    await agent.until(lambda u: u.get("status") == "completed")
    agent.cancel()
    told = (await turn)["usage"]
    play({"text": "Here.", "usage": {"input": 40, "output": 5}}, prompt="go on")
    after = (await agent.prompt("go on"))["usage"]

    counts = ("inputTokens", "cachedReadTokens", "outputTokens")
    assert [told[count] for count in counts] == [700, 200, 30]
    assert [after[count] for count in counts] == [40, 0, 5]


async def test_a_cancel_right_behind_its_prompt_ends_the_turn(agent, play):
    play({"hang": True})
    prompting = asyncio.create_task(agent.prompt("wait"))
    await asyncio.sleep(0)  # the prompt is written, and the cancel goes with it

    agent.cancel()

    assert (await prompting)["stopReason"] == "cancelled"


async def test_a_question_that_the_client_cancels_ends_the_turn_and_can_be_asked_again(agent, play):
    play({"calls": [EDIT]}, {"calls": [EDIT]})
    agent.answer = None
    assert (await agent.prompt("fix add"))["stopReason"] == "cancelled"
    agent.answer = ALLOW
    await agent.prompt("go on")

    assert (agent.cwd / "a.py").read_text() == MENDED
    first, second = (question["toolCall"]["rawInput"] for question in agent.questions)
    assert first == second


async def test_a_killed_agent_loses_no_finished_step(new_client, play, stub, tmp_path):
    (tmp_path / "a.py").write_text(BUGGY)
    both = [{"run": "echo first"}, {"run": "echo second; sleep 600"}]
    play({"calls": [EDIT]}, {"calls": both}, {"text": "Done."})
    async with new_client(tmp_path) as first:
        await first.open()
        turn = asyncio.create_task(first.prompt("fix add"))
        await first.until(lambda update: "second" in str(update.get("content")))
        first.kill()
        with pytest.raises(ConnectionError):
            await turn

    async with new_client(tmp_path) as later:
        await later.reopen("session/load", first.session)
        replayed = [title for title, _status in later.statuses()]
        answer = await later.prompt("you were interrupted")

    assert replayed == [title for title, _status in first.statuses()]
    assert answer["stopReason"] == "end_turn"
    sent = stub.log("test")[-1]["body"]["messages"]
    results = [message["content"] for message in sent if message["role"] == "tool"]
    assert results[0] == "Edited a.py."
    assert "first" in results[1]
    assert "gave no result" in results[2]
    assert "you were interrupted" in str(sent[-1])


async def test_sessions_are_listed_loaded_and_closed(agent, new_client, play):
    play({"text": "Hello."})
    await agent.prompt("# Greet me")
    async with new_client(agent.cwd) as later:
        listed = await later.ask("session/list", cwd=str(later.cwd))
        opened = await later.reopen("session/load", agent.session)
        told = [u["sessionUpdate"] for u in later.updates if "content" in u]
        await later.ask("session/close", sessionId=agent.session)
        with pytest.raises(RefusedError, match="load it first"):
            await later.prompt("still there?")

    assert [(row["sessionId"], row["title"]) for row in listed["sessions"]] == [
        (agent.session, "Greet me")
    ]
    assert opened["modes"]["currentModeId"] == "build"
    assert told == ["user_message_chunk", "agent_message_chunk"]


async def test_options_are_reported_and_kept_and_nonsense_is_refused(agent, new_client):
    options = (await agent.choose("thought_level", "high"))["configOptions"]
    assert {o["category"]: o["currentValue"] for o in options} == {
        "mode": "build",
        "model": WIRES["chat"],
        "thought_level": "high",
    }
    for option, value in (("model", "nobody:x"), ("mode", "yolo"), ("colour", "red")):
        with pytest.raises(RefusedError):
            await agent.choose(option, value)
    async with new_client(agent.cwd) as later:
        opened = await later.reopen("session/resume", agent.session)
    assert opened["configOptions"][2]["currentValue"] == "high"


async def test_without_a_key_it_says_which_to_set(command, tmp_path):
    async with Client(command, tmp_path, tmp_path / "home") as client:
        with pytest.raises(
            RefusedError, match="OPENAI_API_KEY, ANTHROPIC_API_KEY or GEMINI_API_KEY"
        ):
            await client.open()


async def test_a_server_of_ones_own_needs_no_key_and_names_its_models(
    command, tmp_path, stub, play
):
    play({"text": "Hi."}, models=["llama-9", "qwen-9"])
    url = {"OPENAI_BASE_URL": f"{stub.url}/v1"}
    async with Client(command, tmp_path, tmp_path / "home", **url) as client:
        opened = await client.open()
        await client.prompt("hi")

    model = opened["configOptions"][1]
    assert model["currentValue"] == "openai:llama-9"
    assert [o["value"] for o in model["options"]] == ["openai:llama-9", "openai:qwen-9"]
    assert stub.log("test")[-1]["body"]["model"] == "llama-9"


def test_its_types_hold_in_its_own_environment(command):
    config = ROOT / "adapters/builtin_agent/pyrightconfig.json"
    pyright = Path(sys.executable).parent / "pyright"
    argv = [pyright, "--project", config, "--pythonpath", command[0]]
    done = subprocess.run(argv, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def is_running(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
