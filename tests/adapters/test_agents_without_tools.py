"""Agents that never ask for Treadle's tools: told before a task's prompt, and failed with that reason."""

import asyncio
import sys
from contextlib import suppress
from pathlib import Path

import pytest

from domain.agents.agents import Prompt, PromptName, SessionRole
from domain.agents.errors import AgentWithoutToolsError
from tests.adapters.agent_lab import Recorder, open_lab

ODD_AGENT = str(Path(__file__).with_name("odd_agent.py"))
TOOL_AGENT = str(Path(__file__).with_name("tool_agent.py"))
REMINDED = Prompt(name=PromptName.REPORT_MISSING)


@pytest.fixture
async def lab(tmp_path):
    async with open_lab(tmp_path) as lab:
        lab.profile("toolless", {"command": [sys.executable, ODD_AGENT]})
        yield lab


@pytest.fixture
def run(lab):
    async def run(words, **more):
        runner = lab.new_runner(tools_listed=0.1)
        return await lab.run(agent="toolless", words=words, runner=runner, **more)

    return run


async def test_a_task_whose_agent_lists_no_tools_says_so_before_its_prompt(run):
    _, record = await run(Prompt(name=PromptName.TASK))

    [notice] = record.notices()
    assert "has not asked for Treadle's tools yet" in notice
    assert record.kinds().index("agent_notice") < record.kinds().index("prompt_sent")


@pytest.mark.parametrize(
    ("way", "life", "seconds"),
    [
        ("never", "start session session start session session", 1.5),
        # it asks in the end: with time for an agent that the machine leaves standing
        ("second-session", "start session session", 5),
        ("second-start", "start session session start session", 5),
    ],
)
async def test_the_session_is_opened_again_and_the_agent_started_once_more(lab, way, life, seconds):
    lab.profile(way, {"command": [sys.executable, TOOL_AGENT, way]})
    words, runner = Prompt(name=PromptName.TASK), lab.new_runner(tools_listed=seconds)

    _, record = await lab.run(agent=way, words=words, runner=runner)

    assert (lab.cwd / "life.txt").read_text().split() == life.split()
    assert record.kinds().count("agent_session_opened") == 1
    told = [(e.bound, e.is_asking) for e in record.events if e.kind == "turn_concern"]
    assert told == ([("tools", True)] if way == "never" else [])
    assert len(record.notices()) == len(told)


async def test_an_agent_that_computes_is_waited_for_and_not_started_anew(lab):
    lab.profile("busy", {"command": [sys.executable, TOOL_AGENT, "busy"]})
    runner = lab.new_runner(tools_listed=3, tools_at_work=300)
    words = Prompt(name=PromptName.TASK)

    _, record = await lab.run(agent="busy", words=words, runner=runner, idle=300)

    assert (lab.cwd / "life.txt").read_text().split() == ["start", "session"]
    assert record.notices() == []


async def test_one_that_computes_for_too_long_is_prompted_and_told_of(lab):
    lab.profile("busy", {"command": [sys.executable, TOOL_AGENT, "busy"]})
    runner = lab.new_runner(tools_listed=60, tools_at_work=0.5)
    words = Prompt(name=PromptName.TASK)

    _, record = await lab.run(agent="busy", words=words, runner=runner, idle=300)

    assert (lab.cwd / "life.txt").read_text().split() == ["start", "session"]
    assert record.notices() == ["the agent has not asked for Treadle's tools yet"]


async def test_what_was_told_is_taken_back_when_it_asks_in_its_turn(lab):
    lab.profile("late", {"command": [sys.executable, TOOL_AGENT, "prompted"]})
    record, words = Recorder(), Prompt(name=PromptName.TASK)
    runner = lab.new_runner(tools_listed=0.1)
    running = asyncio.create_task(lab.run(agent="late", words=words, runner=runner, record=record))
    try:
        await record.until(lambda e: e.kind == "turn_concern" and not e.message)
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running

    kinds = record.kinds()
    assert kinds.index("turn_concern") < kinds.index("prompt_sent"), "told before the prompt"
    assert [e.bound for e in record.events if e.kind == "turn_concern"] == ["tools", "tools"]


async def test_an_agent_that_was_told_to_report_and_has_no_tools_fails_with_that_reason(run):
    with pytest.raises(AgentWithoutToolsError, match=r"'toolless' failed: it never asked for"):
        await run(REMINDED)


@pytest.mark.parametrize("role", [SessionRole.CHAT, SessionRole.PLANNER])
async def test_those_that_can_do_without_tools_are_told_nothing_of_them(run, role):
    answer, record = await run(REMINDED, role=role)

    assert (answer.text, record.notices()) == ("Hello.", [])


async def test_an_agent_with_tools_that_reports_nothing_is_reminded_again(lab):
    lab.scenario({"say": "Not yet."})
    answer, record = await lab.run(words=REMINDED, runner=lab.new_runner(tools_listed=60.0))

    assert answer.text.endswith("Not yet.")
    assert record.notices() == []
