"""Others may take the ids of our workflows, or end them: a thread says so and lives on."""

import pytest
from temporalio.client import WorkflowHandle
from temporalio.exceptions import ApplicationError

from adapters.temporal import TaskResults
from domain.core.ids import TaskId
from domain.tasks.running_commands import Retry
from domain.threads.planning.commands import RequestPlan
from tests.workflows.conftest import House
from tests.workflows.test_main_job import ONE


async def squat(house: House, workflow_id: str) -> WorkflowHandle[object, object]:
    """Start something that nobody works for under an id of ours."""
    return await house.client.start_workflow("Squatter", id=workflow_id, task_queue="nowhere")


async def test_a_task_whose_id_is_taken_fails_and_its_thread_lives_on(house: House) -> None:
    thread = await house.open()
    squatter = await squat(house, f"{thread.id}/task-1")
    await house.approve(thread.id, await house.proposed(thread.id, ONE))
    failed = await house.seen(thread.id, "task_updated", number=2)

    assert "another workflow has the id" in failed.body.model_dump()["notes"]
    await squatter.terminate()
    await house.send(thread.id, Retry(task_id=TaskId("task-1")))
    await house.seen(f"{thread.id}/task-1", "gate_opened")


async def test_a_planner_whose_id_is_taken_is_told_of(house: House) -> None:
    thread = await house.open()
    await squat(house, f"{thread.id}/session-2")
    await house.send(thread.id, RequestPlan())
    warned = await house.seen(thread.id, "resource_warned")
    await house.send(thread.id, RequestPlan())

    assert "another workflow has the id" in warned.body.model_dump()["message"]
    await house.seen(f"{thread.id}/session-3", "conversation_opened")


async def test_a_watched_task_that_was_terminated_is_lost_and_not_waited_for(house: House) -> None:
    squatter = await squat(house, "thread-watched/task-1")
    await squatter.terminate()

    for workflow_id in ("thread-watched/task-1", "thread-watched/never-was"):
        with pytest.raises(ApplicationError) as caught:
            await TaskResults(house.client).result_of(workflow_id)
        assert caught.value.non_retryable
