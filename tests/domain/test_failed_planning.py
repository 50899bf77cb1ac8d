"""Planning that ends without a plan says why the last proposal was not taken."""

import pytest

from domain.threads import rules
from domain.threads.events import PlanRefused
from tests.domain.planning_world import FIRST, World


@pytest.fixture
def world() -> World:
    return World()


def test_planning_that_failed_says_why_the_last_plan_was_not_taken(world: World) -> None:
    for turn in (1, 2, 3):
        world.ended(turn=turn, text='```json\n{"tasks": [{"id": "A B", "title": "x"}]}\n```')
    assert "3 turns without a plan that could be taken; the last" in world.state.planning_failure
    assert "bad_id" in world.state.planning_failure
    assert "bad_id" in world.state.waiting_for


def test_planning_that_failed_says_what_the_tool_refused(world: World) -> None:
    refused = PlanRefused(session_id=FIRST, problems="bad_id:\n'A B'")
    world.state = rules.fold(world.state, [refused])
    for turn in (1, 2, 3):
        world.ended(turn=turn, text="I proposed it.")
    assert world.state.planning_failure.endswith("the last reason: bad_id: 'A B'")
