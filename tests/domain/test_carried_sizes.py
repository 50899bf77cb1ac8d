"""What a thread carries into the next run of its workflow fits one payload, whatever is said to it."""

from typing import Any

import pytest

from domain.core.errors import InvalidAmendmentError, InvalidPlanError, TreadleError
from domain.core.wire import size_bytes
from domain.tasks.agent_commands import EnrichTask
from domain.tasks.events import TaskEnd
from domain.tasks.learnings import Learning, LearningKind
from domain.tasks.running_commands import Cancel
from domain.threads.commands import EndTask
from domain.threads.planning.commands import AddPlanner, RequestCritique
from domain.threads.running.learnings import MAX_BYTES
from tests.domain.planning_world import World
from tests.domain.running_plan import CHAT, RunningPlan, add, task

PAYLOAD = 2 << 20
WIDE = "漢"


def large(name: str, count: int = 200) -> list[dict[str, Any]]:
    return [task(f"{name}{n}", description="x" * 2_000) for n in range(count)]


def test_rivals_of_the_largest_plans_do_not_outgrow_a_payload() -> None:
    world = World()
    for agent in "abcd":
        world.send(AddPlanner(agent=agent))
    refused = 0
    for session in list(world.state.planning.planners):
        try:
            world.propose(session, summary=session, tasks=large("t"))
        except InvalidPlanError:
            refused += 1
    assert 0 < refused < 5
    assert size_bytes(world.state.without_old_texts()) < PAYLOAD / 2


def test_an_approved_plan_is_carried_once_and_used_no_more() -> None:
    plan = RunningPlan(*large("t"))
    carried = plan.state.without_old_texts()
    assert carried.tasks == plan.state.tasks
    assert size_bytes(carried) < PAYLOAD / 2
    plan.send(Cancel())
    for name in plan.state.tasks:
        if plan.state.tasks[name].status.is_at_work:
            plan.end(name, TaskEnd.CANCELLED)
            plan.settle(name)
    plan.state = plan.state.without_old_texts()
    asked = plan.refuses(RequestCritique(revision=1, agent="critic"))
    assert "too old" in asked.message


def test_what_tasks_are_given_to_know_is_bounded_over_all_of_them() -> None:
    plan = RunningPlan(task("first"), *(task(f"t{n}", "first") for n in range(100)))
    refused = 0
    for name in list(plan.state.tasks)[1:]:
        known = EnrichTask(session_id=CHAT, task_id=name, context=WIDE * 9_999)
        try:
            plan.send(known)
        except TreadleError:
            refused += 1
    assert 0 < refused < 100
    assert size_bytes(plan.state.without_old_texts()) < PAYLOAD / 2


def test_learnings_are_kept_while_there_is_room_the_newest_first() -> None:
    plan = RunningPlan(*(task(f"t{n}") for n in range(4)))
    for name in list(plan.state.tasks):
        texts = (f"{name} {n} {WIDE * 1_990}" for n in range(20))
        learned = (Learning(learning=LearningKind.NEXT, text=t, task_id=name) for t in texts)
        ended = EndTask(
            task_id=name, run=1, end=TaskEnd.ACCEPTED, commit="c" * 40, learnings=tuple(learned)
        )
        plan.send(ended)
        plan.settle(name)
    assert size_bytes(plan.state.learnings) <= MAX_BYTES
    assert plan.state.learnings[-1].text.startswith("t3 19 ")


def test_amendments_make_no_plan_that_is_larger_than_one_that_is_proposed() -> None:
    plan = RunningPlan(task("first"))
    for count in range(16):
        plan.change(add(f"n{count}", description="x" * 32_000))
    with pytest.raises(InvalidAmendmentError, match="bytes, at most"):
        plan.change(add("more", description="x" * 32_000))
