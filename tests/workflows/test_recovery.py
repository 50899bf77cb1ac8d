"""Abort, retry, pause and stop on real workflows."""

import asyncio
from typing import Any

import pytest
from temporalio.client import WorkflowHandle

from domain.agents.agents import AgentAnswer, AgentCall, StopReason
from domain.conversations.commands import SendMessage, StopTurn
from domain.core.errors import AgentError, WrongStateError
from domain.core.ids import SessionId, TaskId
from domain.tasks.agent_commands import ReportDone
from domain.tasks.running_commands import Abort, AbortAll, Cancel, Pause, Resume, Retry
from tests.played_agents import ended
from tests.workflows.conftest import House
from tests.workflows.test_main_job import ONE, THREE
from workflows import ThreadWorkflow

TWO_IN_A_ROW = {
    "tasks": [
        {"id": "task-1", "title": "one"},
        {"id": "task-2", "title": "two", "depends_on": ["task-1"]},
    ]
}


async def hang(call: AgentCall) -> AgentAnswer:
    """Work until cancelled."""
    await asyncio.Event().wait()
    return ended()


async def hung(
    house: House, plan: dict[str, Any], task: str = "task-1", **more: object
) -> WorkflowHandle[ThreadWorkflow, str]:
    """Return a thread with an approved plan, once a task is in a turn that does not end."""
    thread = await house.open(**more)
    proposed = await house.proposed(thread.id, plan)
    house.runner.play = hang
    await house.approve(thread.id, proposed)
    await house.seen(f"{thread.id}/{task}/session-1", "agent_session_opened")
    return thread


async def test_an_aborted_task_is_cancelled_and_blocks_what_needs_it(house: House) -> None:
    thread = await hung(house, TWO_IN_A_ROW)
    await house.send(thread.id, Abort(task_id=TaskId("task-1"), by="tester"))
    await house.seen(thread.id, "task_updated", number=3)

    updates = [b.model_dump() for b in house.journal.bodies(thread.id) if b.kind == "task_updated"]
    changes = [(u["task_id"], u["new_status"]) for u in updates]
    assert changes == [("task-1", "running"), ("task-1", "cancelled"), ("task-2", "blocked")]
    assert updates[1]["notes"] == "aborted by tester"
    assert f"{thread.id}/task-1/session-1" in house.runner.closed
    assert house.workspaces.merged == []


async def test_the_turn_of_an_aborted_task_is_counted(house: House) -> None:
    thread = await hung(house, ONE)
    await house.send(thread.id, Abort(task_id=TaskId("task-1"), by="tester"))

    over = (await house.seen(f"{thread.id}/task-1", "turn_ended")).body.model_dump()
    reported = (await house.seen(thread.id, "task_reported")).body.model_dump()
    session = (await house.seen(f"{thread.id}/task-1/session-1", "turn_ended")).body.model_dump()
    over = over["result"]
    took = {over["duration_ms"], reported["duration_ms"], session["result"]["duration_ms"]}
    assert (over["stop_reason"], over["snapshot"], len(took)) == ("cancelled", None, 1)


async def test_a_retried_task_gets_a_new_session_and_frees_what_waits(house: House) -> None:
    async def fail(call: AgentCall) -> AgentAnswer:
        raise AgentError("it exited with 3: no such model")

    thread = await house.open()
    proposed = await house.proposed(thread.id, TWO_IN_A_ROW)
    house.runner.play = fail
    await house.approve(thread.id, proposed)
    await house.seen(thread.id, "task_updated", number=3)
    house.runner.play = None
    await house.send(thread.id, Retry(task_id=TaskId("task-1")))
    gate = await house.seen(f"{thread.id}/task-1", "gate_opened")
    await house.approve(f"{thread.id}/task-1", gate)
    second = await house.seen(f"{thread.id}/task-2", "gate_opened")
    await house.approve(f"{thread.id}/task-2", second)
    await house.seen(thread.id, "plan_completed")

    sessions = {c.turn.session_id for c in house.runner.calls if c.turn.role == "task"}
    assert f"{thread.id}/task-1/session-1" in sessions
    assert f"{thread.id}/task-1/session-2" in sessions


async def test_a_retry_looks_again_for_what_the_run_before_left(house: House) -> None:
    thread = await hung(house, ONE)
    for run in (1, 2):
        await house.send(thread.id, Abort(task_id=TaskId("task-1"), by="tester"))
        await house.seen(thread.id, "task_settled", number=run)
        await house.send(thread.id, Retry(task_id=TaskId("task-1"), by="tester"))

    left = [name for name in house.workspaces.released if "/task-1/" in name]
    assert [name.rpartition("/")[2] for name in left] == ["run-1"]


async def test_abort_all_cancels_running_tasks_and_keeps_pending_ones(house: House) -> None:
    thread = await hung(house, THREE, "task-2")
    await house.send(thread.id, AbortAll(by="tester"))
    await house.seen(thread.id, "task_settled", number=2)
    house.runner.play = None
    for task in ("task-1", "task-2"):
        await house.send(thread.id, Retry(task_id=TaskId(task)))
    await house.send(thread.id, Resume())
    for task in ("task-1", "task-2", "task-3"):
        name = f"{thread.id}/{task}"
        await house.approve(name, await house.seen(name, "gate_opened"))
    await house.seen(thread.id, "plan_completed")


async def test_a_paused_plan_starts_nothing(house: House) -> None:
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, TWO_IN_A_ROW))
    task = f"{thread.id}/task-1"
    gate = await house.seen(task, "gate_opened")
    await house.send(thread.id, Pause())
    await house.approve(task, gate)
    await house.seen(thread.id, "task_merged")
    assert "task_opened" not in house.journal.kinds(f"{thread.id}/task-2")
    await house.send(thread.id, Resume())
    await house.seen(f"{thread.id}/task-2", "task_opened")


async def test_a_cancelled_plan_runs_nothing_more(house: House) -> None:
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, TWO_IN_A_ROW))
    await house.seen(f"{thread.id}/task-1", "gate_opened")
    await house.send(thread.id, Cancel(by="tester"))
    await house.seen(thread.id, "task_settled")
    with pytest.raises(WrongStateError):
        await house.send(thread.id, Retry(task_id=TaskId("task-1")))
    assert house.workspaces.merged == []


async def test_a_stopped_turn_waits_for_a_message_and_goes_on(house: House) -> None:
    thread = await hung(house, ONE)
    task = f"{thread.id}/task-1"
    await house.send(task, StopTurn())
    stopped = await house.seen(task, "turn_ended")
    house.runner.play = None
    await house.send(task, SendMessage(text="go on, but slower"))
    await house.seen(task, "gate_opened")

    assert stopped.body.model_dump()["result"]["stop_reason"] == StopReason.CANCELLED
    assert house.runner.prompts("task") == ["task", "message"]


async def test_a_merge_that_cannot_be_fails_the_task_with_its_reason(house: House) -> None:
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    house.workspaces.refusals["task-1"] = "branch treadle/x is gone"
    task = f"{thread.id}/task-1"
    await house.approve(task, await house.seen(task, "gate_opened"))
    failed = await house.seen(thread.id, "task_updated", number=2)

    assert failed.body.model_dump()["notes"] == "branch treadle/x is gone"


async def test_a_report_from_another_session_is_refused(house: House) -> None:
    thread = await hung(house, ONE)
    task = f"{thread.id}/task-1"
    with pytest.raises(WrongStateError):
        await house.send(task, ReportDone(session_id=SessionId("thread-x/session-9")))


async def test_a_report_by_tool_is_verified_when_the_turn_ends(house: House) -> None:
    async def play(call: AgentCall) -> AgentAnswer:
        await house.send(
            call.turn.owner, ReportDone(session_id=call.turn.session_id, summary="done")
        )
        return ended()

    thread = await house.open()
    proposed = await house.proposed(thread.id, ONE)
    house.runner.play = play
    await house.approve(thread.id, proposed)
    await house.seen(f"{thread.id}/task-1", "gate_opened")
    assert house.verifier.ran == ["make"]


async def test_people_are_told_of_an_activity_that_keeps_failing(house: House) -> None:
    thread = await house.open()
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    task = f"{thread.id}/task-1"
    gate = await house.seen(task, "gate_opened")
    house.workspaces.failures = 4
    await house.approve(task, gate)
    warned = await house.seen(thread.id, "resource_warned")
    await house.seen(thread.id, "plan_completed")

    assert "switch that checkout" in warned.body.model_dump()["message"]
