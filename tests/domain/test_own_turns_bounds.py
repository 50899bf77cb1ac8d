"""Whatever happens in a plan, its agent takes no more turns of its own than are allowed."""

from collections.abc import Callable
from datetime import datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from domain.core.errors import TreadleError
from domain.core.ids import CommandId, TaskId
from domain.plans.status import PlanStatus
from domain.tasks.events import TaskEnd
from domain.tasks.learnings import LearningKind
from domain.tasks.running_commands import Abort, Cancel, Pause, Resume, Retry
from domain.threads.patches import ALL
from tests.domain.own_turns_plan import WAIT, OwnTurnsPlan
from tests.domain.running_plan import add, task
from tests.hypothesis_profiles import effort

NAMES = ("a", "b", "c", "d", "e")
ACTS = st.lists(
    st.tuples(st.integers(0, 11), st.sampled_from(NAMES), st.integers(0, 40)), max_size=60
)


def act(plan: OwnTurnsPlan, number: int, name: str, seconds: int) -> None:
    """Do something that people, agents or time may do; a refusal is one of the answers."""
    entry = plan.state.tasks.get(TaskId(name))
    if number < len(OF_A_RUN):
        if entry is not None and entry.status.is_at_work and entry.end is None:
            OF_A_RUN[number](plan, name, seconds)
        return
    OTHERS[number % len(OTHERS)](plan, name, seconds)


def cancel_run(plan: OwnTurnsPlan, name: str, _seconds: int) -> None:
    plan.end(name, TaskEnd.CANCELLED)
    plan.settle(name)


def end_turn(plan: OwnTurnsPlan, _name: str, seconds: int) -> None:
    if plan.state.own_turns.running:
        plan.end_turn(failure="broken" if seconds > 35 else None)


def retry(plan: OwnTurnsPlan, name: str, _seconds: int) -> None:
    plan.send(Retry(task_id=TaskId(name), command_id=CommandId(f"r{len(plan.events)}")))


def pause(plan: OwnTurnsPlan, _name: str, seconds: int) -> None:
    plan.send(Pause() if seconds % 2 else Resume(command_id=CommandId("on")))


def cancel(plan: OwnTurnsPlan, _name: str, seconds: int) -> None:
    if seconds > 37:
        plan.send(Cancel())


OF_A_RUN: tuple[Callable[[OwnTurnsPlan, str, int], None], ...] = (
    lambda plan, name, _: plan.fail(name),
    lambda plan, name, _: plan.learn(name, LearningKind.NEXT),
    lambda plan, name, seconds: plan.block(name, is_blocked=seconds % 2 == 0),
    cancel_run,
)
OTHERS: tuple[Callable[[OwnTurnsPlan, str, int], None], ...] = (
    lambda plan, _, seconds: plan.wait(timedelta(seconds=seconds)),
    lambda plan, _, seconds: plan.wait(timedelta(seconds=seconds)),
    lambda plan, name, _: plan.send(Abort(task_id=TaskId(name))) and None,
    lambda plan, _, _seconds: plan.change(add(f"n{len(plan.events)}")),
    end_turn,
    retry,
    pause,
    cancel,
)


@effort(200)
@given(budget=st.integers(0, 4), acts=ACTS, is_on=st.booleans())
def test_whatever_happens_there_are_never_more_turns_than_allowed_and_none_after_the_end(
    budget: int, acts: list[tuple[int, str, int]], is_on: bool
):
    tasks = (task("a"), task("b"), task("c", "a"), task("d", "c"), task("e", "b"))
    plan = OwnTurnsPlan(*tasks, own_turns=budget, patches=ALL if is_on else ())
    last: datetime | None = None
    for number, name, seconds in acts:
        was_over = not plan.state.plan_status.is_live
        was_running, before = plan.state.own_turns.running, len(plan.taken)
        try:
            act(plan, number, name, seconds)
        except TreadleError:
            continue
        more = len(plan.taken) - before
        assert more <= 1
        if more:
            assert not was_over
            assert not was_running
            assert last is None or plan.now - last >= WAIT
            last = plan.now
        if plan.state.plan_status in {PlanStatus.COMPLETED, PlanStatus.CANCELLED}:
            assert not plan.is_awaited
    assert len(plan.taken) <= (budget if is_on else 0)
    assert [turn.number for turn in plan.taken] == list(range(1, len(plan.taken) + 1))
    assert all(turn.causes for turn in plan.taken)


@effort(50)
@given(budget=st.integers(1, 5))
def test_turns_that_amend_a_plan_whose_tasks_fail_come_to_an_end(budget: int):
    plan = OwnTurnsPlan(task("a"), own_turns=budget)
    plan.fail("a")
    for number in range(budget + 3):
        plan.wait()
        if plan.state.own_turns.running:
            plan.change(add(f"n{number}"))
            plan.end_turn()
            plan.fail(f"n{number}")
    assert len(plan.taken) == budget
    assert plan.state.own_turns_left == 0
    assert not plan.is_awaited
