"""The examples of docs/reference/flows.md are flows, its commands are there, and no field is missing."""

import json
import re
from pathlib import Path

import pytest

from cli.app import COMMANDS as COMMANDS_OF
from domain.flows import shapes
from domain.flows.checks import endless_loops
from domain.flows.definition import MAX_DEPTH, MAX_STEPS
from domain.flows.files import MAX_BYTES
from domain.flows.foreign import INSTEAD
from domain.flows.outline import STEP_TYPES
from domain.flows.reading import read_flow

PAGE = (Path(__file__).parents[2] / "docs/reference/flows.md").read_text()
COMPARED = (Path(__file__).parents[2] / "docs/reference/flow-compatibility.md").read_text()
EXAMPLES = re.findall(r"^```json\n(.*?)^```$", PAGE, re.M | re.S)
COMMANDS = re.findall(r"^\$ treadle (flow \w+)", PAGE, re.M)


@pytest.mark.parametrize("example", EXAMPLES)
def test_each_example_is_a_flow(example):
    flow = read_flow(json.loads(example), "example")

    assert endless_loops(flow) == ()


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_is_there(command):
    group, name = command.split()
    assert name in COMMANDS_OF[group].load(group).commands


def test_every_step_and_field_is_on_the_page():
    fields = {
        field.alias or name
        for shape in (shapes.FlowFile, shapes.Message, *shapes.SPELLINGS.values())
        for name, field in shape.model_fields.items()
    }
    missing = {name for name in {*fields, *STEP_TYPES} if not re.search(rf"\b{name}\b", PAGE)}
    assert not missing


def test_every_step_and_field_that_files_of_codeinfo2_have_is_compared():
    kinds = {*STEP_TYPES, *INSTEAD} - {"endLoop", "human"}
    shared = [shapes.Loop, shapes.Llm, shapes.AgentCommand, shapes.Break, shapes.If]
    foreign = [shapes.PrepareReviewBase, shapes.CodexReview, shapes.ValidateReviewArtifacts]
    fields = {
        field.alias or name
        for shape in (*shared, *foreign, shapes.SubflowWave, shapes.Reingest)
        for name, field in shape.model_fields.items()
    }
    ours = {"type", "command", "timeoutSeconds", "equals", "inputs"}
    table = COMPARED.partition("## Steps")[2].partition("## Reviews")[0]
    assert not {name for name in {*fields - ours, *kinds} if f"`{name}`" not in table}


def test_the_limits_are_those_of_the_program():
    assert f"at most {MAX_BYTES // 1024} KiB" in PAGE
    assert f"at most {MAX_STEPS}" in PAGE
    assert f"at most {MAX_DEPTH} deep" in PAGE
    assert f"1 to {shapes.MAX_WAIT_SECONDS:,}" in PAGE
    assert f"1 to {shapes.MAX_TIMEOUT_SECONDS:,}" in PAGE
