"""Scenarios of the scripted agent: prompts told apart, rules met, mistakes told."""

import re
from pathlib import Path

import pytest
import yaml

from adapters.files.template_files import TemplateFiles
from adapters.scripted_agent.scenario import ScenarioError, parse, read_prompt, repeated_in
from domain.agents.agents import Prompt, PromptName

ROOT = Path(__file__).resolve().parents[2]
HERE = Path("scenario.yaml")


NO_PROMPTS = {PromptName.MESSAGE, PromptName.PLAN_FILES}
"""A text as it is, and what goes along with others."""


@pytest.mark.parametrize("name", [n for n in PromptName if n not in NO_PROMPTS])
def test_every_prompt_file_is_told_apart(name):
    text = TemplateFiles().render(Prompt(name=name, fields={"task_id": "a", "attempt": "1"}))
    assert read_prompt(text).kind == name


def test_any_other_text_is_a_message():
    assert read_prompt("Plan a party").kind == "message"
    assert read_prompt("").kind == "message"


def test_a_task_prompt_tells_its_task_and_title():
    fields = {"task_id": "parse-dates", "title": "Parse dates", "description": "d"}
    said = read_prompt(TemplateFiles().render(Prompt(name=PromptName.TASK, fields=fields)))
    assert (said.task, said.title) == ("parse-dates", "Parse dates")


def test_a_prompt_for_a_fresh_context_tells_its_task_and_what_is_asked():
    asked = "# Treadle: changes requested\n\nlike this:\n\n## What was asked\n\nno"
    fields = {"task_id": "dates", "title": "Parse dates", "description": "d", "request": asked}
    said = read_prompt(TemplateFiles().render(Prompt(name=PromptName.COMPACTED, fields=fields)))
    assert (said.kind, said.task, said.title) == ("compacted", "dates", "Parse dates")
    assert [each.text for each in repeated_in(said)] == [asked]


@pytest.mark.parametrize(
    ("name", "field"),
    [(PromptName.VERIFICATION_FAILED, "attempt"), (PromptName.PLANNER_FEEDBACK, "revision")],
)
def test_a_prompt_tells_its_number(name, field):
    text = TemplateFiles().render(Prompt(name=name, fields={field: "12"}))
    assert read_prompt(text).number == 12


def rule_for(when, prompt, role="task", task="a", title="Add it"):
    scenario = parse({"rules": [{"when": when, "steps": []}]}, HERE)
    return scenario.rule_for(read_prompt(prompt), role, task, title)


@pytest.mark.parametrize(
    ("when", "is_met"),
    [
        ({}, True),
        ({"role": "task"}, True),
        ({"role": "planner"}, False),
        ({"prompt": ["task", "verification-failed"]}, True),
        ({"number": 2}, True),
        ({"number": 1}, False),
        ({"task": "a", "title": "^Add", "text": "2 tests"}, True),
        ({"task": "b"}, False),
    ],
)
def test_a_rule_is_met_when_all_its_conditions_are(when, is_met):
    prompt = "# Treadle: verification failed (attempt 2)\n\n2 tests failed"
    assert (rule_for(when, prompt) is not None) is is_met


@pytest.mark.parametrize(
    ("rule", "reason"),
    [
        ({"steps": [{"sya": "x"}]}, "rule 1, step 1: .*has not one act"),
        ({"steps": [{"say": "x", "write": "y"}]}, "has not one act"),
        ({"steps": [{"say": "x", "txt": "y"}]}, "unknown options"),
        ({"steps": ["say"]}, "is not an act"),
        ({"when": {"taks": "a"}}, "unknown conditions"),
        ({"when": {"text": "("}}, "can't be played"),
        ("text", "can't be played"),
    ],
)
def test_a_mistake_is_reported_with_its_place(rule, reason):
    with pytest.raises(ScenarioError, match=reason):
        parse({"rules": [rule]}, HERE)


def test_the_scenarios_of_the_page_can_be_played():
    page = (ROOT / "docs/reference/scripted-agent.md").read_text()
    blocks = re.findall(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        assert parse(yaml.safe_load(block), HERE).rules
