"""Modes, models and options that a session is given, and what its agent offers."""

import pytest

from domain.agents.agents import SessionRole, StopReason
from tests.adapters.agent_lab import open_lab


@pytest.fixture
async def lab(tmp_path):
    async with open_lab(tmp_path) as lab:
        yield lab


@pytest.mark.parametrize("can", [{}, {"options": True}])
@pytest.mark.parametrize(
    ("role", "mode"), [(SessionRole.PLANNER, "plan"), (SessionRole.TASK, "build")]
)
async def test_the_mode_of_the_role_is_set(lab, can, role, mode):
    lab.scenario({"say": "\nin ${mode}"}, can=can)

    answer, record = await lab.run(role=role)

    assert answer.text.endswith(f"in {mode}")
    assert record.notices() == []


EFFORT = {
    "id": "effort",
    "category": "thought_level",
    "type": "select",
    "currentValue": "low",
    "options": [{"name": "All", "options": [{"value": v, "name": v} for v in ("low", "high")]}],
}
HOW = {
    "id": "how",
    "category": "mode",
    "type": "select",
    "currentValue": "build",
    "options": [{"value": v, "name": v} for v in ("plan", "build", "yolo")],
}
FAST = {"id": "fast", "type": "boolean", "currentValue": False}


async def test_options_are_set_by_id_or_category_and_what_is_offered_is_recorded(lab):
    lab.scenario({"say": "${thought_level} ${fast} ${mode}"}, can={"options": [EFFORT, HOW, FAST]})

    answer, record = await lab.run(
        options={"thought_level": "high", "fast": "on", "mode": "yolo", "colour": "red"}
    )

    assert answer.text.endswith("high True yolo")
    assert record.notices() == ["the agent offers no colour 'red'"]
    [opened] = [e for e in record.events if e.kind == "agent_session_opened"]
    offered = [(o.option_id, o.category, o.current, len(o.values)) for o in opened.options]
    assert offered == [
        ("effort", "thought_level", "high", 2),
        ("how", "mode", "yolo", 3),
        ("fast", "", True, 0),
    ]


async def test_a_profiles_options_hold_where_the_turn_has_none_of_its_own(lab):
    profile = {"command": ["${treadle}"], "options": {"effort": "high", "fast": True}}
    lab.profile("mine", profile)
    lab.scenario({"say": "${thought_level} ${fast}"}, can={"options": [EFFORT, FAST]})

    answer, _ = await lab.run(agent="mine", options={"fast": False})

    assert answer.text.endswith("high False")


async def test_a_reader_never_chooses_its_mode(lab):
    lab.scenario({"say": "in ${mode}"}, can={"options": [HOW]})
    options = {"how": "yolo", "mode": "build"}

    answer, _ = await lab.run(agent="scripted", role=SessionRole.PLANNER, options=options)

    assert answer.text.endswith("in plan")


async def test_modes_of_the_old_kind_are_recorded_too(lab):
    lab.scenario({"say": "hi"})

    _, record = await lab.run()

    [mode] = record.opened().options
    assert (mode.category, mode.current) == ("mode", "build")
    assert [value.value for value in mode.values] == ["plan", "build"]


async def test_a_model_that_is_not_offered_is_reported_and_the_turn_goes_on(lab):
    lab.scenario({"say": "hi"})

    answer, record = await lab.run(model="best")

    assert answer.stop_reason is StopReason.END_TURN
    assert record.notices() == ["the agent offers no model 'best'"]


async def test_a_model_that_the_agent_takes_need_not_be_in_its_list(lab):
    listed = {**HOW, "id": "model", "category": "model"}
    lab.scenario({"say": "by ${model}"}, can={"options": [listed]})

    answer, record = await lab.run(model="ollama:own")

    assert answer.text.endswith("by ollama:own")
    assert [notice for notice in record.notices() if "model" in notice] == []
