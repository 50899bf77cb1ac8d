"""How many tasks run at once: those that wait for a person take no slot."""

from typing import Any

import pytest

from domain.core.progress import TaskProgress
from domain.tasks.status import TaskStatus
from domain.threads.commands import NoteProgress
from domain.threads.patches import ALL
from tests.domain.running_plan import RunningPlan, task


def plan(**more: Any) -> RunningPlan:
    return RunningPlan(task("a"), task("b"), task("c"), slots=1, **more)


def tell(world: RunningPlan, name: str, **told: Any) -> None:
    run = world.state.tasks[name].run
    world.send(NoteProgress(progress=TaskProgress(task_id=name, run=run, **told)))


def running(world: RunningPlan) -> list[str]:
    return [n for n, entry in world.state.tasks.items() if entry.status is TaskStatus.RUNNING]


@pytest.fixture
def world() -> RunningPlan:
    return plan(patches=ALL)


def test_a_task_at_its_gate_leaves_its_slot(world: RunningPlan) -> None:
    assert running(world) == ["a"]
    tell(world, "a", asks="approval of its work", waits_for="approval of its work")
    assert running(world) == ["a", "b"]
    tell(world, "b", asks="approval of its plan")
    assert running(world) == ["a", "b", "c"]


def test_a_task_that_waits_for_its_provider_keeps_its_slot(world: RunningPlan) -> None:
    tell(world, "a", waits_for="the quota of its provider")
    assert running(world) == ["a"]


def test_nothing_starts_while_more_are_at_work_than_the_limit(world: RunningPlan) -> None:
    tell(world, "a", asks="approval")
    tell(world, "a", turns=2)
    assert running(world) == ["a", "b"]
    tell(world, "b", asks="approval")
    assert running(world) == ["a", "b"]
    tell(world, "a", turns=2, asks="approval")
    assert running(world) == ["a", "b", "c"]


def test_threads_of_before_keep_the_slot() -> None:
    world = plan()
    tell(world, "a", asks="approval")
    assert running(world) == ["a"]
