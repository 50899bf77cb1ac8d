"""The prompts: ours, the user's own in their place, and how their fields are filled in."""

import re

import pytest

from adapters.files.template_files import TemplateFiles
from domain.agents.agents import Prompt, PromptName
from domain.agents.permissions import is_looking


@pytest.fixture
def templates(tmp_path):
    return TemplateFiles(tmp_path / "config")


@pytest.mark.parametrize("name", list(PromptName))
def test_every_prompt_has_a_file_and_renders_without_fields(templates, name):
    assert "${" not in templates.render(Prompt(name=name))


@pytest.mark.parametrize("name", [n for n in PromptName if n is not PromptName.MESSAGE])
def test_every_prompt_of_ours_starts_with_its_kind(templates, name):
    first = templates.render(Prompt(name=name)).splitlines()[0]
    assert re.match(r"# Treadle: \w+", first)


@pytest.mark.parametrize(
    ("name", "tools"),
    [
        (PromptName.PLANNER, ["propose_plan"]),
        (PromptName.PLANNER_FEEDBACK, ["propose_plan"]),
        (PromptName.PLAN_MISSING, ["propose_plan"]),
        (PromptName.TASK, ["report_done", "report_blocked", "request_port", "record_learning"]),
        (PromptName.VERIFICATION_FAILED, ["report_done", "report_blocked"]),
        (PromptName.GATE_REJECTED, ["report_done"]),
        (PromptName.REPORT_MISSING, ["report_done", "report_blocked"]),
    ],
)
def test_prompts_name_the_tools_and_the_server(templates, name, tools):
    fields = {"ports": "- web", "feedback": "x", "report": "x"}
    text = templates.render(Prompt(name=name, fields=fields))
    assert [tool for tool in tools if f"`{tool}`" not in text] == []
    assert "MCP server `treadle`" in text


@pytest.mark.parametrize(
    "name",
    [
        PromptName.PLANNER,
        PromptName.CRITIC,
        PromptName.JUDGE,
        PromptName.AMENDMENT_PLANNER,
        PromptName.TASK_PLAN,
        PromptName.TASK_PLAN_REVIEW,
        PromptName.REVIEW,
    ],
)
def test_who_only_reads_is_told_which_commands_pass(templates, name):
    text = templates.render(Prompt(name=name))
    told = re.search(r"these pass, (.*?): (.*?); with no option", text)
    assert told is not None
    programs, subcommands = told[2].split(", and `git` with ")
    passing = re.findall(r"`(.+?)`", programs)
    passing += [f"git {word}" for word in re.findall(r"`(.+?)`", subcommands)]
    assert len(passing) == 17
    assert [line for line in passing if not is_looking(line)] == []


def test_a_section_without_content_is_left_out_and_values_are_taken_literally(templates):
    text = templates.render(
        Prompt(name=PromptName.TASK, fields={"task_id": "a", "description": "cost $5 ${goal}"})
    )
    assert "cost $5 ${goal}" in text
    assert "## The whole of it" not in text
    assert "## Rules" in text


def test_a_users_prompt_replaces_ours(templates, tmp_path):
    own = tmp_path / "config/prompts/task.md"
    own.parent.mkdir(parents=True)
    own.write_text("Do ${title}!")
    assert templates.render(Prompt(name=PromptName.TASK, fields={"title": "it"})) == "Do it!"
