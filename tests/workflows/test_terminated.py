"""What somebody terminates in Temporal leaves nothing behind, at quiet and at awkward moments."""

import pytest
from temporalio.client import WorkflowExecutionStatus

from adapters.temporal import Terminated
from domain.core.event import Headline, JournaledEvent
from domain.core.ids import CommandId, SessionId, TaskId, ThreadId
from domain.flows.person_commands import ResumeFlow
from domain.reading.projection import ThreadFold
from domain.reading.views import ThreadView
from domain.tasks.running_commands import Retry
from domain.threads import patches
from tests.domain.flow_world import FlowText
from tests.workflows.conftest import House
from tests.workflows.test_flows import Talk, begin
from tests.workflows.test_main_job import ONE
from tests.workflows.test_recovery import TWO_IN_A_ROW, hung

NOW = {"patches": patches.ALL}


@pytest.fixture
def sweep(house: House) -> Terminated:
    return house.sweep


async def swept(sweep: Terminated, workflow_id: str) -> None:
    """Sweep until a workflow was found: Temporal's lists follow a moment later."""
    while workflow_id not in await sweep.sweep():
        pass


async def terminate(house: House, workflow_id: str) -> None:
    await house.client.get_workflow_handle(workflow_id).terminate("tried")


async def status(house: House, workflow_id: str) -> WorkflowExecutionStatus | None:
    return (await house.client.get_workflow_handle(workflow_id).describe()).status


def line(house: House, stream: str) -> Headline:
    return house.journal.shown[stream]


async def test_a_thread_in_a_turn_leaves_no_agent_port_or_open_question(
    house: House, sweep: Terminated
) -> None:
    thread = await hung(house, TWO_IN_A_ROW, **NOW)
    task = f"{thread.id}/task-1"
    await house.leases.lease(f"{task}/run-1", "web")
    await terminate(house, thread.id)
    await swept(sweep, thread.id)

    assert await status(house, task) is WorkflowExecutionStatus.COMPLETED
    assert await status(house, f"{thread.id}/session-1") is WorkflowExecutionStatus.COMPLETED
    assert {f"{task}/session-1", f"{thread.id}/session-1"} <= set(house.runner.closed)
    assert await house.leases.owners() == set()
    assert (line(house, thread.id).status, line(house, task).status) == ("terminated", "cancelled")
    assert line(house, f"{thread.id}/session-1").status == "closed"
    assert "terminated" in (await house.seen(thread.id, "workflow_terminated")).body.reason


async def test_a_thread_with_a_gate_and_a_plan_asks_nothing_any_more(
    house: House, sweep: Terminated
) -> None:
    thread = await house.open(**NOW)
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    await house.seen(f"{thread.id}/task-1", "gate_opened")
    await terminate(house, thread.id)
    await swept(sweep, thread.id)
    view = await read(house, thread.id)

    assert (view.status, view.requests) == ("terminated", ())
    assert [task.status for task in view.tasks] == ["cancelled"]
    assert not line(house, f"{thread.id}/task-1").waiting_for


async def test_once_is_enough(house: House, sweep: Terminated) -> None:
    thread = await house.open(**NOW)
    await terminate(house, thread.id)
    await swept(sweep, thread.id)
    before = len(house.journal.events)
    again = house.sweep
    await swept(again, thread.id)

    assert thread.id not in await sweep.sweep()
    assert len(house.journal.events) == before


async def test_a_task_is_told_to_have_ended_and_can_be_retried(
    house: House, sweep: Terminated
) -> None:
    thread = await house.open(**NOW)
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    task = f"{thread.id}/task-1"
    await house.seen(task, "gate_opened")
    await terminate(house, task)
    await house.seen(thread.id, "task_settled")
    await swept(sweep, task)
    assert line(house, task).status == "cancelled"
    await house.send(thread.id, Retry(command_id=CommandId("r-1"), task_id=TaskId("task-1")))
    await house.seen(task, "gate_opened", number=2)
    other = house.sweep

    assert task not in await other.sweep()
    assert line(house, task).waiting_for


async def test_a_planner_is_told_to_its_thread(house: House, sweep: Terminated) -> None:
    thread = await house.open(**NOW)
    planner = SessionId(f"{thread.id}/session-1")
    await house.seen(planner, "prompt_sent")
    await terminate(house, planner)
    await swept(sweep, planner)
    await house.seen(thread.id, "planning_failed")

    assert planner in house.runner.closed
    assert line(house, planner).status == "closed"


async def test_the_session_of_a_flow_stops_the_run_which_goes_on_with_another(
    house: House, sweep: Terminated
) -> None:
    talk = Talk()
    talk.hangs.add("work")
    house.runner.play = talk.play
    run = await begin(house, FlowText().llm("work"))
    await house.seen(f"{run.id}/session-1", "prompt_sent")
    await terminate(house, f"{run.id}/session-1")
    await swept(sweep, f"{run.id}/session-1")
    await house.seen(run.id, "flow_stopped")
    talk.hangs.clear()
    await house.send(run.id, ResumeFlow(command_id=CommandId("r1")))

    await house.seen(run.id, "flow_completed")


async def test_a_run_of_a_flow_leaves_no_session(house: House, sweep: Terminated) -> None:
    talk = Talk()
    talk.hangs.add("work")
    house.runner.play = talk.play
    run = await begin(house, FlowText().llm("work"))
    await house.seen(f"{run.id}/session-1", "prompt_sent")
    await terminate(house, run.id)
    await swept(sweep, run.id)

    assert await status(house, f"{run.id}/session-1") is WorkflowExecutionStatus.COMPLETED
    assert line(house, run.id).status == "terminated"


async def read(house: House, thread: str) -> ThreadView:
    fold = ThreadFold(ThreadId(thread))
    for position, event in enumerate(house.journal.events, start=1):
        if f"{event.stream}/".startswith(f"{thread}/"):
            fold.add(JournaledEvent(position=position, event=event))
    view = fold.view()
    assert view is not None
    return view
