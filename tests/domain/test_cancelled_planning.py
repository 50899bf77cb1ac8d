"""Planning that a person ends, and how it is told while it goes on."""

import pytest

from domain.conversations.commands import SendMessage
from domain.core.errors import WrongStateError
from domain.plans.status import PlanStatus
from domain.threads.planning.commands import AddPlanner, RequestPlan
from tests.domain.planning_world import FIRST, SECOND, World


def cancelled(world: World) -> World:
    world.send(SendMessage(text="/plan cancel", command_id="c", by="ada"))
    return world


def test_planners_stop_and_nothing_waits_any_more():
    world = World()
    world.send(AddPlanner(agent="two", command_id="r"))
    world.propose(FIRST)
    cancelled(world)
    assert all(world.state.sessions[s].is_archived for s in (FIRST, SECOND))
    assert [p.session_id for p in world.state.prompts if p.prompt is None] == [FIRST, SECOND]
    assert not world.state.requests
    assert (world.state.status, world.state.waiting_for) == ("cancelled", "")
    with pytest.raises(WrongStateError, match="not a planner"):
        world.propose(SECOND)
    world.send(RequestPlan(command_id="again", goal="Less"))
    assert world.state.goal == "Less"


def test_a_thread_with_a_chat_goes_on_as_one():
    world = World(is_planned=False)
    world.send(RequestPlan(command_id="p"))
    cancelled(world)
    assert (world.state.plan_status, world.state.status) == (PlanStatus.IDLE, "chat")
    with pytest.raises(WrongStateError, match="no plan is running"):
        cancelled(world)


def test_the_status_tells_who_plans_and_what_is_proposed():
    world = World()

    def status() -> str:
        said = SendMessage(text="/plan status", command_id="s", by="ada")
        return world.send(said).message

    assert status() == "planning  Shop\n  ▸ session-1 (one)  plans"
    world.propose(FIRST, summary="A shop")
    assert "session-1 (one)  plan 1 waits: A shop" in status()
    cancelled(world)
    assert status() == "no plan runs (plan status: cancelled)"
