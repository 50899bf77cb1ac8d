"""The commands of docs/how-to/plans.md are there with their options, and its examples are what they say."""

import re
import shlex
from pathlib import Path

import click
import pytest
import yaml
from typer.main import get_command

from cli.app import app
from domain.plans.proposals.proposal import read_plan
from domain.plans.templates.template import PlanTemplate
from domain.threads.amending.amendment import Amendment

PAGE = (Path(__file__).parents[2] / "docs/how-to/plans.md").read_text()
LINES = re.findall(r"^treadle (.*)$", PAGE, re.M)
EXAMPLES = re.findall(r"^```yaml\n(.*?)^```$", PAGE, re.M | re.S)


@pytest.mark.parametrize("line", LINES)
def test_each_command_takes_what_the_page_gives_it(line: str) -> None:
    words = shlex.split(line)
    command: click.Command = get_command(app)
    context = click.Context(command, info_name="treadle")
    while isinstance(command, click.Group):
        name = words.pop(0)
        found = command.get_command(context, name)
        assert found is not None, name
        command = found
    command.make_context("treadle", words, parent=context)


def test_the_examples_are_an_amendment_and_a_plan() -> None:
    amendment, plan = map(yaml.safe_load, EXAMPLES)
    assert read_plan(plan, PlanTemplate(name="plain")).warnings == ()
    assert Amendment.model_validate(amendment).counts
