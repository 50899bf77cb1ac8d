"""The examples of docs/reference/templates.md are templates, and its commands are there."""

import re
from pathlib import Path

import pytest

from adapters.files.template_text import read_template
from cli.app import COMMANDS as COMMANDS_OF
from domain.plans.templates.template import (
    GitConventions,
    PlanTemplate,
    Resources,
    VerificationDefaults,
)
from domain.verification.steps import StepType, VerificationStep

PAGE = (Path(__file__).parents[2] / "docs/reference/templates.md").read_text()
WHOLE = re.findall(r"^```markdown\n(.*?)^```$", PAGE, re.M | re.S)
PARTS = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S)
COMMANDS = re.findall(r"^\$ treadle (template \w+)", PAGE, re.M)
MODELS = (PlanTemplate, VerificationDefaults, Resources, GitConventions, VerificationStep)
OURS = {"id", "source", "path", "content_hash", "warnings", "guidance", "kept"}


def test_the_example_says_what_the_page_says():
    (text,) = WHOLE
    template = read_template(text.encode(), "default")
    assert template.warnings == ()
    assert {step.type for step in template.verification.steps} == {*StepType} - {
        StepType.PORT_REQUESTED,
    }
    assert template.verification.kept == ("Tests",)
    assert "For all work on this repository" in template.guidance


@pytest.mark.parametrize("part", PARTS, ids=lambda part: part.split(":")[0])
def test_each_part_is_a_template_without_warnings(part):
    assert read_template(f"---\n{part}---\n".encode(), "default").warnings == ()


def test_reworks_by_comments_of_nobody_are_a_warning():
    text = "---\nname: x\ngit:\n  onReviewComment: rework\n---\n"
    (warning,) = read_template(text.encode(), "default").warnings
    assert "no_authors" in warning


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_is_there(command):
    group, name = command.split()
    assert name in COMMANDS_OF[group].load(group).commands


def test_every_field_is_on_the_page():
    fields = {
        str(getattr(field.validation_alias, "choices", [name])[-1])
        for model in MODELS
        for name, field in model.model_fields.items()
    }
    missing = {name for name in fields - OURS if not re.search(rf"\b{name}\b", PAGE)}
    assert not missing
