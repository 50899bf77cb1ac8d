"""What a person aborts is no failure, and what waits for it stays as it was."""

import pytest

from domain.core.errors import WrongStateError
from domain.core.ids import TaskId
from domain.core.workspaces import MergeResult
from domain.tasks.events import TaskEnd
from domain.tasks.running_commands import Abort, AbortAll, Resume, Retry
from domain.tasks.status import TaskStatus
from domain.threads.commands import EndTask, SettleTask
from domain.threads.patches import ALL
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
