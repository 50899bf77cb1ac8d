"""Set-up of a thread's workspaces: it begins at once, holds the tasks, and waits for a person if it failed."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.approval_commands import Approve
from domain.core.errors import TreadleError, WrongStateError
from domain.plans.settings import PlannerSettings
from domain.recipes.results import SetUpResult
from domain.tasks.status import TaskStatus
from domain.threads import rules
from domain.threads.commands import OpenThread
from domain.threads.patches import ALL
from domain.threads.setting_up.commands import RetrySetUp, SkipSetUp
from domain.threads.setting_up.effects import EndSetUp, SetUpWorkspaces
from domain.threads.setting_up.state import SetUpStage
from domain.threads.state import ThreadState
from tests.domain.planning_world import OPENED, THREAD, World

PLAN = {"summary": "do it", "tasks": [{"id": "a", "title": "A"}, {"id": "b", "title": "B"}]}
MADE = SetUpResult(layer="l", is_made=True, duration_ms=1)
FAILED = SetUpResult(layer="l", failure="make: exit code 2 after 3 s", output="no network")


class Recipe(World):
    """A thread on a repository that has a recipe."""

    def __init__(self, recipe: str = "r1") -> None:
        self.state = ThreadState(thread_id=THREAD)
        self.log = []
        self.send(
            OpenThread(
                thread_id=THREAD,
                goal="Shop",
                agent="one",
                opened=OPENED.model_copy(update={"recipe": recipe}),
                is_planned=True,
                patches=ALL,
                planner=PlannerSettings(),
            )
        )

    def approve(self) -> None:
        self.propose(plan=PLAN)
        self.decide(Approve, next(iter(self.state.requests)))

    def end(self, result: SetUpResult, number: int = 1) -> None:
        self.send(EndSetUp(number=number, result=result))

    @property
    def stage(self) -> SetUpStage:
        return self.state.set_up.stage

    @property
    def under_way(self) -> list[int]:
        found = rules.effects(self.state)
        return [effect.number for effect in found if isinstance(effect, SetUpWorkspaces)]

    @property
    def running(self) -> list[str]:
        return [name for name, t in self.state.tasks.items() if t.status is TaskStatus.RUNNING]


def test_without_a_recipe_nothing_is_set_up_and_nothing_waits() -> None:
    world = Recipe("")
    world.approve()
    assert (world.stage, world.under_way, len(world.running)) == (SetUpStage.NONE, [], 2)


def test_it_begins_with_the_thread_and_tasks_start_when_it_is_done() -> None:
    world = Recipe()
    assert world.under_way == [1]
    world.approve()
    assert world.running == []
    world.end(MADE)
    assert (world.stage, world.under_way, len(world.running)) == (SetUpStage.READY, [], 2)


def test_one_that_failed_holds_the_tasks_and_asks_a_person() -> None:
    world = Recipe()
    world.approve()
    world.end(FAILED)
    assert world.running == []
    assert world.state.asks == "set-up failed: make: exit code 2 after 3 s"
    assert world.under_way == []
    world.send(RetrySetUp(command_id="1", by="ada"))
    assert (world.under_way, world.state.asks) == ([2], "")
    world.end(MADE, number=2)
    assert len(world.running) == 2


def test_it_is_tried_by_another_recipe_and_its_workspaces_are_made_by_that() -> None:
    world = Recipe()
    world.end(FAILED)
    world.send(RetrySetUp(command_id="1", recipe="r2", by="ada"))
    assert world.state.set_up.used == "r2"


def test_skipped_tasks_start_without_it_and_a_late_result_changes_nothing() -> None:
    world = Recipe()
    world.approve()
    world.send(SkipSetUp(command_id="1", by="ada"))
    assert (len(world.running), world.state.set_up.used, world.under_way) == (2, "", [])
    before = world.state
    world.end(FAILED)
    assert world.state == before


@pytest.mark.parametrize("command", [RetrySetUp(command_id="1"), SkipSetUp(command_id="1")])
@pytest.mark.parametrize("recipe", ["", "r1"])
def test_where_nothing_failed_there_is_nothing_to_retry_or_skip(command: Any, recipe: str) -> None:
    world = Recipe(recipe)
    if recipe:
        world.end(MADE)
    with pytest.raises(WrongStateError):
        world.send(command)


ACTS = st.lists(
    st.one_of(
        st.builds(EndSetUp, number=st.integers(1, 3), result=st.sampled_from([MADE, FAILED])),
        st.builds(RetrySetUp, command_id=st.just("c"), recipe=st.sampled_from(["", "r1", "r2"])),
        st.builds(SkipSetUp, command_id=st.just("c")),
        st.just("approve"),
    ),
    max_size=12,
)


@given(ACTS)
def test_no_task_starts_before_it_is_done_or_skipped_and_one_is_under_way_at_a_time(acts) -> None:
    world = Recipe()
    for act in acts:
        if act == "approve":
            if not world.state.plan_status.is_live:
                world.approve()
            continue
        try:
            world.send(act)
        except TreadleError:
            continue
        assert len(world.under_way) == (world.stage is SetUpStage.RUNNING)
        assert world.state.set_up.used in {"", "r1", "r2"}
        if world.stage is SetUpStage.FAILED:
            assert "set-up failed" in world.state.asks or world.state.requests
    first = next((n for n, e in enumerate(world.log) if e.kind == "task_updated"), None)
    if first is not None:
        before = {event.kind for event in world.log[:first]}
        assert before & {"set_up_ended", "set_up_skipped"}
