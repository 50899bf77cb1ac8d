"""Agents that never ask for Treadle's tools: told before a task's prompt, and failed with that reason."""

import sys
from pathlib import Path

import pytest

from domain.agent_errors import AgentWithoutToolsError
from domain.agents import Prompt, PromptName, SessionRole
from tests.adapters.agent_lab import open_lab

ODD_AGENT = str(Path(__file__).with_name("odd_agent.py"))
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
