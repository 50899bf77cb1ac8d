"""The flows that come along: they are sound, and the scenario beside them plays each of their turns."""

import pytest

from adapters.files.flow_files import BUILT_IN, FlowFiles
from adapters.scripted_agent.scenario import load, read_prompt

FLOWS = {each.name: each.definition for each in FlowFiles().found(None)}
SAID = [
    pytest.param(text, id=f"{name}-{step.index}")
    for name, flow in FLOWS.items()
    for step in flow.steps
    for text in (*step.messages, step.condition.question if step.condition else "")
    if text
]


@pytest.fixture
def scenario(monkeypatch):
    monkeypatch.setenv("TREADLE_SCENARIO", str(BUILT_IN / "scenario.yaml"))
    return load()


def test_they_cover_every_kind_of_step():
    kinds = {step.kind for flow in FLOWS.values() for step in flow.steps}

    assert {"ask-before-release", "hello", "review-until-green"} <= set(FLOWS)
    assert kinds >= {
        *("startLoop", "break", "llm", "reset", "command", "human", "wait", "if", "else"),
        "subflow",
    }


@pytest.mark.parametrize("text", SAID)
def test_the_scenario_plays_every_turn(scenario, text):
    assert scenario.rule_for(read_prompt(text), "chat", None, None)
