"""What a person aborts is no failure, and what waits for it stays as it was."""

import pytest

from domain.core.errors import WrongStateError
from domain.core.ids import TaskId
from domain.core.progress import TaskProgress
from domain.core.workspaces import MergeResult
from domain.plans.status import PlanStatus
from domain.tasks.events import TaskEnd
from domain.tasks.running_commands import Abort, AbortAll, Resume, Retry
from domain.tasks.state import AT_GATE
from domain.tasks.status import TaskStatus
from domain.threads.commands import EndTask, NoteProgress, SettleTask
from domain.threads.patches import ALL, GATES_OUTLIVE_ABORT_ALL
from tests.domain.running_plan import RunningPlan, task


def end(world: RunningPlan, name: str, how: TaskEnd) -> None:
    """End the newest run of a task, and settle it."""
    task_id, run = TaskId(name), world.state.tasks[TaskId(name)].run
    commit = "1" * 40 if how is TaskEnd.ACCEPTED else None
    world.send(EndTask(task_id=task_id, run=run, end=how, commit=commit))
    world.send(SettleTask(task_id=task_id, run=run, merge=MergeResult(commit=commit)))


def status_of(world: RunningPlan, name: str) -> TaskStatus:
    return world.state.tasks[TaskId(name)].status


def aborted(patches: tuple[str, ...]) -> RunningPlan:
    world = RunningPlan(task("a"), task("b", "a"), task("c"), patches=patches)
    world.send(AbortAll(by="ada"))
    end(world, "a", TaskEnd.CANCELLED)
    end(world, "c", TaskEnd.CANCELLED)
    return world


def test_pending_tasks_stay_pending_when_all_are_aborted() -> None:
    world = aborted(ALL)
    assert status_of(world, "b") is TaskStatus.PENDING
    assert world.state.status == "paused"
    world.send(Retry(task_id=TaskId("a")))
    world.send(Resume())
    assert status_of(world, "a") is TaskStatus.RUNNING


def test_a_plan_whose_tasks_were_aborted_says_what_to_do_when_it_is_resumed() -> None:
    world = aborted(ALL)
    world.send(Resume())
    assert (world.state.status, world.state.waiting_for) == ("paused", "")
    with pytest.raises(WrongStateError, match="retry a, c, or cancel"):
        world.send(Resume())


def test_a_plan_is_not_failed_for_what_was_aborted() -> None:
    world = RunningPlan(task("a"), task("b"), patches=ALL)
    world.send(Abort(task_id=TaskId("a"), by="ada"))
    end(world, "a", TaskEnd.CANCELLED)
    end(world, "b", TaskEnd.ACCEPTED)
    assert world.state.status == "paused"
    assert not world.state.has_failed


def test_a_plan_is_failed_for_what_failed_beside_what_was_aborted() -> None:
    world = RunningPlan(task("a"), task("b"), patches=ALL)
    world.send(Abort(task_id=TaskId("a"), by="ada"))
    end(world, "a", TaskEnd.CANCELLED)
    end(world, "b", TaskEnd.FAILED)
    assert world.state.status == "failed"


def test_threads_of_before_block_what_waits_and_fail() -> None:
    world = aborted(())
    assert status_of(world, "b") is TaskStatus.BLOCKED
    world.send(Resume())
    assert world.state.status == "failed"


def at_gate(patches: tuple[str, ...]) -> RunningPlan:
    world = RunningPlan(task("a"), task("b"), task("c", "a"), patches=patches)
    world.send(NoteProgress(progress=TaskProgress(task_id=TaskId("a"), run=1, asks=AT_GATE)))
    return world


def test_work_that_waits_at_its_gate_outlives_aborting_all() -> None:
    world = at_gate(ALL)
    said = world.send(AbortAll(by="ada")).message
    assert said == (
        "1 running task is aborted, pending ones stay pending; a waits for your approval as before; "
        "retry what is aborted, then resume"
    )
    assert [name for name, e in world.state.tasks.items() if e.is_abort_requested] == ["b"]
    end(world, "b", TaskEnd.CANCELLED)
    again = world.send(AbortAll(by="ada")).message
    assert again.startswith("nothing is running, and the plan is paused already; a waits for")
    end(world, "a", TaskEnd.ACCEPTED)
    assert status_of(world, "a") is TaskStatus.COMPLETED
    assert world.state.plan_status is PlanStatus.PAUSED


def test_work_at_its_gate_ends_where_it_is_named() -> None:
    world = at_gate(ALL)
    world.send(Abort(task_id=TaskId("a"), by="ada"))
    assert world.state.tasks[TaskId("a")].is_abort_requested


def test_aborting_all_is_said_once() -> None:
    world = RunningPlan(task("a"), patches=ALL)
    world.send(AbortAll(by="ada"))
    end(world, "a", TaskEnd.CANCELLED)
    assert world.send(AbortAll(by="ada")).message == (
        "nothing is running, and the plan is paused already"
    )


def test_threads_of_before_abort_what_waits_at_its_gate() -> None:
    world = at_gate(tuple(patch for patch in ALL if patch != GATES_OUTLIVE_ABORT_ALL))
    world.send(AbortAll(by="ada"))
    assert world.state.tasks[TaskId("a")].is_abort_requested
