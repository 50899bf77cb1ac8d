"""People never read the inner name of the work of a plan without tasks."""

from datetime import UTC, datetime
from typing import Any

import pytest

from domain.core.errors import NotFoundError, TreadleError
from domain.core.event import Event
from domain.core.ids import WORK
from domain.core.task_names import place_in_thread, workflow_called
from domain.core.workspaces import MergeResult
from domain.reading.exports.export import StreamExport
from domain.reading.exports.plan_document import plan_document
from domain.tasks.events import TaskEnd
from domain.tasks.running_commands import Abort, ConflictChoice, ResolveConflict, Retry
from domain.threads.commands import EndTask, SettleTask
from domain.threads.details import thread_details
from domain.threads.running.reports import status_text
from tests.domain.planning_world import World
from tests.domain.running_plan import RunningPlan, task
from tests.domain.test_work_in_session import ended, lent


def conflicting() -> World:
    world = lent()
    world.send(EndTask(task_id=WORK, run=1, end=TaskEnd.ACCEPTED, commit="c1", session_turns=5))
    world.send(SettleTask(task_id=WORK, run=1, merge=MergeResult(conflicts=("a.py",))))
    return world


def failed() -> World:
    world = lent()
    ended(world, TaskEnd.FAILED)
    return world


@pytest.mark.parametrize("world", [conflicting, failed])
def test_how_the_work_is_answered_is_said_without_its_inner_name(world: Any) -> None:
    state = world().state
    lines = f"{thread_details(state)}\n{status_text(state)}"
    assert WORK not in lines
    verb = "resolve" if world is conflicting else "retry"
    assert f"treadle {verb} {state.thread_id}" in lines


@pytest.mark.parametrize(
    "command",
    [
        Retry(task_id=WORK),
        Abort(task_id=WORK),
        ResolveConflict(task_id=WORK, how=ConflictChoice.KEEP_A),
        ResolveConflict(task_id=WORK, how=ConflictChoice.LEAVE),
    ],
)
@pytest.mark.parametrize("world", [lent, conflicting])
def test_a_refusal_about_the_work_does_not_tell_its_inner_name(world: Any, command: Any) -> None:
    try:
        answer = world().send(command).message
    except TreadleError as error:
        answer = error.message
    assert WORK not in answer


def test_a_plan_with_tasks_has_no_work() -> None:
    plan = RunningPlan(task("a"))
    with pytest.raises(NotFoundError, match="this plan has tasks: name one of a"):
        plan.send(Retry(task_id=WORK))


def test_a_workflow_of_the_work_is_called_by_its_thread() -> None:
    assert workflow_called(f"thread-x/{WORK}") == "the work of 'thread-x'"
    assert workflow_called("thread-x/session-1") == "'thread-x/session-1'"
    assert workflow_called("thread-x/publication/6") == "pull request #6 of 'thread-x'"


@pytest.mark.parametrize(
    ("stream", "place"),
    [("t", ""), (f"t/{WORK}", "the work"), (f"t/{WORK}/session-1", "the work/session-1")],
)
def test_where_an_event_is_from_is_said_without_it(stream: str, place: str) -> None:
    assert place_in_thread(stream) == place


def test_the_plans_file_and_the_export_call_it_the_work() -> None:
    world = failed()
    now = datetime(2026, 1, 1, tzinfo=UTC)
    streams = [(str(n), world.state.thread_id, body) for n, body in enumerate(world.log)]
    events = [Event(id=n, stream=stream, at=now, body=body) for n, stream, body in streams]
    told = plan_document(world.state.thread_id, world.state.plan_id, events).text
    heading = "".join(map(str, StreamExport(f"{world.state.thread_id}/{WORK}").begin()))
    assert ("the work failed" in told, heading.strip()) == (True, "## The work")
    assert WORK not in told
