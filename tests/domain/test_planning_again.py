"""A thread that is planned again after its plan ended: what waits shows, and its title stays."""

import pytest

from domain.core.approval_commands import Approve
from domain.core.errors import NotShownError
from domain.core.lifecycle.commands import Rename
from domain.plans.status import PlanStatus
from domain.tasks.running_commands import Cancel
from domain.tasks.status import TaskStatus
from domain.threads import rules
from domain.threads.events import TaskUpdated
from domain.threads.patches import ALL, PLANNING_AGAIN
from domain.threads.planning.commands import RequestPlan
from domain.threads.planning.replacing import answered_requests
from tests.domain.planning_world import FIRST, World

TASKS = {"tasks": [{"id": "one", "title": "One"}], "summary": "s"}
BEFORE = tuple(patch for patch in ALL if patch != PLANNING_AGAIN)


def completed(*, patches: tuple[str, ...] = ALL, has_tasks: bool = False) -> World:
    """Return a thread whose plan is completed."""
    world = World(is_planned=False, patches=patches)
    world.ended(FIRST)
    world.send(RequestPlan(goal="Shop", command_id="p"))
    world.propose(FIRST, **(TASKS if has_tasks else {}))
    world.decide(Approve, "plan-1", is_acknowledged=True)
    done = [
        TaskUpdated(
            plan_id=world.state.plan_id,
            task_id=task_id,
            old_status=entry.status,
            new_status=TaskStatus.COMPLETED,
        )
        for task_id, entry in world.state.tasks.items()
    ]
    world.state = rules.fold(world.state, done)
    world.send(Rename(topic="Ours"))  # what follows by itself comes with the next command
    assert world.state.plan_status is PlanStatus.COMPLETED
    assert (world.state.status, world.state.waiting_for) == ("completed", "")
    return world


def planner_of(world: World) -> str:
    return str(world.state.planner)


@pytest.mark.parametrize("has_tasks", [True, False])
def test_a_new_plan_of_a_completed_thread_waits(has_tasks: bool) -> None:
    world = completed(has_tasks=has_tasks)
    world.send(RequestPlan(command_id="again"))
    assert world.state.status == "planning"
    world.propose(planner_of(world), summary="More")
    assert (world.state.status, world.state.waiting_for) == ("waiting", "approval of the plan")
    world.decide(Approve, "plan-2", is_acknowledged=True)
    assert world.state.status == "running"


def test_a_thread_whose_new_planning_was_cancelled_is_completed_again() -> None:
    world = completed()
    world.send(RequestPlan(command_id="again"))
    assert "planning cancelled" in world.send(Cancel(by="ada")).message
    assert world.state.status == "completed"


def test_new_planning_that_failed_shows() -> None:
    world = completed()
    world.send(RequestPlan(command_id="again"))
    world.ended(planner_of(world), turn=2, failure="no network")
    assert world.state.status == "failed"
    assert "no network" in world.state.waiting_for


def test_threads_of_before_stay_completed() -> None:
    world = completed(patches=BEFORE)
    world.send(RequestPlan(goal="again", command_id="again"))
    world.propose(planner_of(world), summary="More")
    assert (world.state.status, world.state.goal) == ("completed", "again")
    assert world.state.first_title == ""


def test_the_title_stays_when_it_is_planned_for_another_goal() -> None:
    world = World(patches=ALL)
    world.propose(summary="First")
    answer = world.send(RequestPlan(goal="again", command_id="again"))
    assert answer.message == "planning; plan-1, which waited for you, is replaced by the new plan"
    assert (world.state.title, world.state.goal) == ("Shop", "again")
    world.send(RequestPlan(goal="and again", command_id="third"))
    assert (world.state.title, world.state.goal) == ("Shop", "and again")
    world.send(Rename(topic="Ours"))
    assert world.state.title == "Ours"


def test_the_first_goal_of_a_chat_is_its_title() -> None:
    world = World(is_planned=False, patches=ALL)
    world.ended(FIRST)
    world.send(RequestPlan(goal="A bakery", command_id="p"))
    assert world.state.title == "A bakery"


def test_requests_that_wait_no_more_say_what_became_of_them() -> None:
    world = World(patches=ALL)
    world.propose(summary="First")
    shown = world.state.requests["plan-1"].content_hash
    world.send(RequestPlan(goal="again", command_id="again"))
    assert "another plan is being made" in answered_requests(world.state)["plan-1"]
    world.propose(planner_of(world), summary="Second")
    assert answered_requests(world.state) == {"plan-1": "was replaced by plan-2"}
    with pytest.raises(NotShownError, match="plan-1 was replaced by plan-2; open here is: plan-2"):
        world.send(Approve(request_id="plan-1", content_hash=shown, by="ada"))
    world.decide(Approve, "plan-2", is_acknowledged=True)
    assert answered_requests(world.state)["plan-2"] == "was already approved by ada"


def test_cancelling_a_plan_twice_says_so() -> None:
    world = World(is_planned=False, patches=ALL)
    world.ended(FIRST)
    world.send(RequestPlan(command_id="p"))
    world.propose(FIRST, summary="First")
    world.decide(Approve, "plan-1", is_acknowledged=True)
    assert "cancelled by ada" in world.send(Cancel(by="ada")).message
    told = len(world.log)
    assert world.send(Cancel(by="ada")).message == "already cancelled"
    assert len(world.log) == told
