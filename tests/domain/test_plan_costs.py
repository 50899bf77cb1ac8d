"""What an event costs a thread does not grow with its plan: counted in calls, which no machine changes."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest

from domain.core.ids import TaskId
from domain.core.progress import TaskProgress
from domain.tasks.events import TaskEnd
from domain.threads import rules
from domain.threads.commands import EndTask, NoteProgress
from domain.threads.patches import ALL
from domain.threads.running.view import amount_of
from tests.domain.running_plan import RunningPlan, task

FEW, MANY = 100, 1_000
WIDTH = 10
SLACK = 60
"""Calls more that numbers of one more digit and deeper maps may take, of some thousands."""


class Counter:
    calls = 0


@contextmanager
def counting() -> Iterator[Counter]:
    """Count the calls of Python and C functions."""
    counter = Counter()

    def count(_frame: FrameType, event: str, _arg: Any) -> None:
        counter.calls += event in {"call", "c_call"}

    sys.setprofile(count)
    try:
        yield counter
    finally:
        sys.setprofile(None)


def half_done(size: int) -> RunningPlan:
    """Return a plan in layers, of which the first half is merged and one task is at work."""
    layers = (
        task(
            f"t{i}", *(f"t{j}" for j in range(i // WIDTH * WIDTH - 2, i // WIDTH * WIDTH) if j >= 0)
        )
        for i in range(size)
    )
    plan = RunningPlan(*layers, patches=ALL)
    for number in range(size // 2):
        plan.end(f"t{number}")
        plan.settle(f"t{number}")
    return plan


def at_work(plan: RunningPlan) -> TaskId:
    return next(name for name, _ in plan.state.tasks.at_work())


def report(plan: RunningPlan, name: TaskId) -> None:
    progress = TaskProgress(task_id=name, run=1, insertions=3, commit="a" * 40)
    plan.send(NoteProgress(progress=progress))


def end(plan: RunningPlan, name: TaskId) -> None:
    plan.send(EndTask(task_id=name, run=1, end=TaskEnd.ACCEPTED, commit="c" * 40))


def settle(plan: RunningPlan, name: TaskId) -> None:
    plan.settle(name)


def fail(plan: RunningPlan, name: TaskId) -> None:
    plan.send(EndTask(task_id=name, run=1, end=TaskEnd.FAILED, reason="no"))


Act = Callable[[RunningPlan, TaskId], None]


@pytest.fixture(scope="module")
def costs() -> dict[int, dict[str, int]]:
    """Return the calls that each act takes, for each size, with all that follows from it."""
    found: dict[int, dict[str, int]] = {}
    for size in (FEW, MANY):
        plan = half_done(size)
        acts: dict[str, Act] = {"report": report, "end": end, "settle": settle}
        name = at_work(plan)
        report(plan, name)  # what is made once for a plan is made now
        rules.effects(plan.state)
        found[size] = {}
        for title, act in acts.items():
            with counting() as counter:
                act(plan, name)
                rules.effects(plan.state)
                _ = plan.state.status, plan.state.asks, amount_of(plan.state)
            found[size][title] = counter.calls
    return found


@pytest.mark.parametrize("act", ["report", "end", "settle"])
def test_an_act_costs_as_much_in_a_plan_of_ten_times_the_tasks(act, costs):
    assert costs[MANY][act] <= costs[FEW][act] + SLACK, costs
