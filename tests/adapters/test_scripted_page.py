"""The scenario on the page docs/reference/scripted-agent.md does what the page says, with real tests run."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from adapters.files.template_files import TemplateFiles
from domain.agents.agents import Prompt, PromptName, SessionRole
from domain.plans.proposals.proposal import read_plan
from domain.plans.templates.template import PlanTemplate
from tests.adapters.agent_lab import open_lab

PAGE = Path(__file__).resolve().parents[2] / "docs/reference/scripted-agent.md"


@pytest.fixture
async def lab(tmp_path):
    async with open_lab(tmp_path) as lab:
        yield lab


def prompt(name, **fields):
    return TemplateFiles().render(Prompt(name=name, fields=fields))


async def test_the_whole_scenario_of_the_page_plans_fails_once_and_fixes_it(lab):
    scenario = re.search(r"```yaml\n(name: greeting.*?)```", PAGE.read_text(), re.DOTALL)[1]
    lab.scenario()
    (lab.cwd / ".treadle/scenario.yaml").write_text(scenario)

    await lab.run(prompt(PromptName.PLANNER, goal="g"), role=SessionRole.PLANNER)
    plan, warnings = read_plan(lab.door.sent[-1].plan, PlanTemplate(name="x"))
    assert ([task.id for task in plan.tasks], warnings) == (["greet"], ())

    lab.session_id = "thread-x/greet/session-1"
    await lab.run(prompt(PromptName.TASK, task_id="greet", title="Greet by name"))
    assert passes(lab.cwd) is False

    await lab.run(prompt(PromptName.VERIFICATION_FAILED, attempt="1", report="r"))
    assert passes(lab.cwd) is True
    assert [c.door for c in lab.door.sent] == ["propose_plan", "report_done", "report_done"]


def passes(folder):
    done = subprocess.run(
        [sys.executable, "-B", "-m", "unittest", "-q"], cwd=folder, capture_output=True, check=False
    )
    return done.returncode == 0
