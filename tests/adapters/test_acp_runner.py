"""The runner against the real scripted agent process, over real pipes and real HTTP."""

import asyncio
import os
import re
import signal
import time

import pytest

from adapters.acp.limits import TurnLimits
from adapters.acp.reopening import MARK
from domain.agents.agents import SessionRole, StopReason
from domain.agents.limits.circling import CirclingLimits
from domain.core.errors import AgentDiedError
from tests.adapters.agent_lab import TASK_PROMPT, TREADLE, Recorder, open_lab


@pytest.fixture
async def lab(tmp_path):
    async with open_lab(tmp_path) as lab:
        yield lab


async def test_a_turn_is_played_and_recorded_in_order(lab):
    lab.scenario(
        {"think": "Hmm."},
        {"say": "First "},
        {"say": "words."},
        {"write": "src/new.py", "text": "x = 1\n"},
        {"edit": "src/new.py", "old": "1", "new": "2"},
        {"run": "cat src/new.py && echo ${task}"},
        {"say": "Done now."},
        {"usage": {"input": 10, "output": 5}},
    )

    answer, record = await lab.run()

    assert (lab.cwd / "src/new.py").read_text() == "x = 2\n"
    assert answer.stop_reason is StopReason.END_TURN
    assert answer.text == "Done now."
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (10, 5)
    assert record.opened().agent_session == answer.agent_session
    assert "scripted agent" in record.text()
    assert "First words." in record.text()
    assert record.updates("tool_call_update")[-1]["content"][0]["content"]["text"] == (
        "x = 2\na\n\nexit code 0"
    )


async def test_text_chunks_that_follow_each_other_are_one_event(lab):
    lab.scenario({"say": "a", "times": 500}, {"think": "b"}, {"say": "c", "times": 9000})
    unwatched = TurnLimits(circling=CirclingLimits(echoes_stop=0))

    _, record = await lab.run(runner=lab.new_runner(limits=unwatched))

    assert "a" * 500 in record.text()
    assert record.text().endswith("c" * 9000)
    assert len(record.updates("agent_message_chunk")) < 20  # of 9,500; by size and by time


async def test_unknown_updates_pass_through(lab):
    lab.scenario({"update": {"sessionUpdate": "from_the_future", "value": [1]}})

    _, record = await lab.run()

    assert record.updates("from_the_future") == [{"sessionUpdate": "from_the_future", "value": [1]}]


async def test_an_agent_calls_our_tools_and_the_calls_are_recorded(lab):
    lab.scenario(
        {"call": "request_port", "with": {"port_id": "web"}, "save": {"port": r"\d+"}},
        {"write": "port.txt", "text": "${port}"},
        {"call": "report_done", "with": {"summary": "all"}},
    )

    _, record = await lab.run()

    assert [c.door for c in lab.door.sent] == ["request_port", "report_done"]
    assert (lab.cwd / "port.txt").read_text() == "40123"
    called = [e for e in record.events if e.kind == "tool_called"]
    assert [(e.tool, e.is_refused) for e in called] == [
        ("request_port", False),
        ("report_done", False),
    ]


async def test_an_agent_without_http_calls_our_tools_over_the_bridge(lab):
    lab.scenario(
        {"call": "request_port", "with": {"port_id": "web"}, "save": {"port": r"\d+"}},
        {"write": "port.txt", "text": "${port}"},
        {"run": "ps -eo args | grep [t]ool-bridge"},
        can={"http": False},
    )
    runner = lab.new_runner(launcher=TREADLE)

    _, record = await lab.run(runner=runner)

    assert (lab.cwd / "port.txt").read_text() == "40123"
    seen = record.updates("tool_call_update")[-1]["content"][0]["content"]["text"]
    assert re.search(rf" tool-bridge {lab.tools.url}\?tools=[0-9a-f]{{12}}\n", seen)  # and no token


async def test_the_process_stays_between_turns_and_its_rules_go_on(lab):
    lab.scenario(rules=[{"turns": [[{"say": "one"}], [{"say": "two"}]]}])

    first, record = await lab.run()
    [process] = lab.agents()
    second, again = await lab.run("more")

    assert lab.agents() == [process]
    assert record.text().endswith("one")
    assert again.text() == "two"
    assert first.agent_session == second.agent_session
    assert "agent_session_opened" not in again.kinds()


async def test_closing_a_session_ends_its_process_and_commands(lab):
    lab.scenario({"run": "sleep 1000 & echo started"})
    await lab.run()
    assert lab.agents()

    await lab.runner.close(lab.session_id)
    await lab.runner.close(lab.session_id)  # twice is fine

    assert lab.agents() == []


@pytest.mark.parametrize("can", [{}, {"resume": False}, {"resume": False, "replay": True}])
async def test_a_killed_agent_goes_on_where_it_was(lab, can):
    """kill -9 in the middle of a turn, then load or resume and an interrupted-prompt."""
    gate = lab.folder / "gate"
    lab.scenario(
        {"run": "echo once >> log.txt"},
        {"say": "waiting"},
        {"wait": {"file": str(gate)}},
        {"write": "end.txt", "text": "end"},
        can=can,
    )
    record = Recorder()
    turn = asyncio.create_task(lab.run(record=record))
    await record.until(lambda e: "waiting" in str(e))
    for process in lab.agents():
        process.send_signal(signal.SIGKILL)
    with pytest.raises(AgentDiedError, match="killed by SIGKILL"):
        await turn
    gate.touch()

    answer, record = await lab.run(
        f"# Treadle: interrupted\n\n## What was asked\n\n{TASK_PROMPT}",
        runner=lab.new_runner(),
        agent_session=record.opened().agent_session,
    )

    assert record.opened().is_resumed
    assert "said before" not in record.text()
    assert (lab.cwd / "log.txt").read_text() == "once\n"
    assert (lab.cwd / "end.txt").exists()
    assert answer.stop_reason is StopReason.END_TURN


async def test_an_interrupted_prompt_gives_a_lost_session_its_request(lab):
    lab.scenario(rules=[{"when": {"task": "a", "prompt": "task"}, "steps": [{"say": "begun"}]}])

    _, record = await lab.run(
        f"# Treadle: interrupted\n\n## What was asked\n\n{TASK_PROMPT}", agent_session="gone-1"
    )

    assert record.text().endswith("begun")
    assert "the earlier session gone-1 is lost" in " ".join(record.notices())


@pytest.mark.parametrize("can", [{}, {"resume": False, "load": False}])
async def test_a_new_session_in_the_place_of_a_lost_one_gets_the_prompt_that_tells_all(lab, can):
    lab.scenario({"say": "hi"}, can=can)

    _, record = await lab.run("bare", fresh_prompt="all of it", agent_session="gone-1")
    _, again = await lab.run("more", fresh_prompt="all of it")

    assert [r.prompts() for r in (record, again)] == [["all of it"], ["more"]]


async def test_a_session_is_not_reopened_before_its_agent_allows_it(lab):
    profile = {
        "command": ["${treadle}", "scripted-agent"],
        "set_environment": {"TREADLE_SCRIPTED_STATE": "${home}"},
        "quirks": {"reopen_after_seconds": 2},
    }
    lab.profile("slow", profile)
    lab.scenario(rules=[{"turns": [[{"say": "one"}], [{"say": "two"}]]}])
    first, _ = await lab.run(agent="slow")
    [mark] = lab.folder.rglob(MARK)
    os.utime(mark, (time.time() + 60, time.time() + 60))  # however slowly the next one starts
    began = time.monotonic()

    _, record = await lab.run(
        runner=lab.new_runner(), agent="slow", agent_session=first.agent_session
    )

    assert time.monotonic() - began > 1
    assert "is reopened in " in record.notices()[0]
    assert record.text() == "two"


async def test_cancelling_stops_the_turn_and_the_session_goes_on(lab):
    lab.scenario(rules=[{"turns": [[{"say": "hanging"}, {"hang": True}], [{"say": "two"}]]}])
    record = Recorder()
    turn = asyncio.create_task(lab.run(record=record))
    await record.until(lambda e: "hanging" in str(e))
    [process] = lab.agents()

    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn
    _, record = await lab.run("go on")

    assert lab.agents() == [process]
    assert record.text() == "two"


async def test_an_agent_that_ignores_cancelling_is_killed(lab):
    lab.scenario({"ignore_cancel": True}, {"say": "deaf"}, {"hang": True})
    record = Recorder()
    runner = lab.new_runner(limits=TurnLimits(tick_seconds=0.05, cancel_seconds=0.5))
    turn = asyncio.create_task(lab.run(record=record, runner=runner))
    await record.until(lambda e: "deaf" in str(e))

    turn.cancel()
    with pytest.raises(asyncio.CancelledError):
        await turn

    assert lab.agents() == []


async def test_a_turn_that_still_runs_ends_before_the_next_of_its_session(lab):
    lab.scenario(rules=[{"turns": [[{"say": "old"}, {"hang": True}], [{"say": "new"}]]}])
    record = Recorder()
    old = asyncio.create_task(lab.run(record=record))
    await record.until(lambda e: "old" in str(e))

    _, record = await lab.run("again", agent_session=record.opened().agent_session)

    assert old.cancelled() or old.done()
    assert record.text() == "new"
    with pytest.raises(asyncio.CancelledError):
        await old


@pytest.mark.parametrize(
    ("role", "kind", "said"),
    [
        (SessionRole.TASK, "execute", "yes"),
        (SessionRole.TASK, "edit", "yes"),
        (SessionRole.PLANNER, "edit", "no"),
        (SessionRole.PLANNER, "execute", "no"),
        (SessionRole.PLANNER, "read", "yes"),
    ],
)
async def test_permission_is_answered_by_role(lab, role, kind, said):
    lab.scenario(
        {"ask": "May I?", "kind": kind},
        {"say": "yes", "if": "allowed"},
        {"say": "no", "if": "refused"},
        {"say": "for ever", "if": "always"},
    )

    answer, record = await lab.run(role=role)

    assert answer.text == said
    assert any("May I?" in notice for notice in record.notices())
