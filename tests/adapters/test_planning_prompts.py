"""Every prompt has its file, its scripted kind, and no section for what nobody says."""

import pytest

from adapters.files.template_files import BUILT_IN, TemplateFiles
from adapters.scripted_agent.scenario import KINDS, read_prompt
from domain.agents.agents import Prompt, PromptName
from domain.plans.modes import guide, planner_catalogue
from domain.plans.plan import Mode

HEADED = [name for name in PromptName if name not in {PromptName.MESSAGE, PromptName.PLAN_FILES}]
"""The prompts that begin a turn; what is said of plan files goes with another one."""


def test_every_prompt_has_a_file_and_no_file_is_without_a_prompt():
    files = {path.stem for path in (BUILT_IN / "prompts").glob("*.md")}
    assert files == set(PromptName)


@pytest.mark.parametrize("name", HEADED)
def test_the_scripted_agent_knows_a_prompt_by_its_first_line(name):
    fields = {"task_id": "paint-it", "title": "Paint it", "revision": "3", "attempt": "3"}
    said = read_prompt(TemplateFiles().render(Prompt(name=name, fields=fields)))
    assert said.kind == name
    assert said.kind in KINDS.values()
    assert said.task in {None, "paint-it"}
    assert said.number in {None, 3}


def test_a_planner_is_told_the_catalogue_and_the_facts():
    fields = {"goal": "Shop", "modes": planner_catalogue(), "facts": "- Languages: Go (3)"}
    text = TemplateFiles().render(Prompt(name=PromptName.PLANNER, fields=fields))
    assert "- `code` (Implementation Specialist)" in text
    assert "Languages: Go (3)" in text
    assert "## Project map" not in text
    assert "${" not in text


def test_an_agent_is_told_how_its_mode_works():
    told = guide(Mode.TEST)
    fields = {"mode_title": told.title, "mode_guidance": told.agent_guidance, "task_id": "a"}
    text = TemplateFiles().render(Prompt(name=PromptName.TASK, fields=fields))
    assert "## How to work: Validation Specialist" in text
    assert "## Learned before you" not in text
