"""Anybody local may start workflows on Temporal's dev server; none of ours works for them."""

import pytest
from temporalio.client import WorkflowFailureError
from temporalio.exceptions import ApplicationError

from domain.core.ids import SHARED_QUEUE, TaskId, ThreadId
from domain.plans.plan import PlannedTask
from domain.tasks.inputs import TaskInput
from domain.threads.inputs import ThreadInput
from domain.threads.state import ThreadState
from tests.workflows.conftest import House
from workflows import TaskWorkflow, ThreadWorkflow

NAME = ThreadId("thread-forged-1")


async def refused(house: House, run: object, start: object, workflow_id: str) -> str:
    with pytest.raises(WorkflowFailureError) as caught:
        await house.client.execute_workflow(run, start, id=workflow_id, task_queue=SHARED_QUEUE)
    assert isinstance(caught.value.cause, ApplicationError)
    return caught.value.cause.type or ""


async def test_a_thread_that_carries_a_made_up_state_is_refused(house: House) -> None:
    start = ThreadInput(
        thread_id=NAME,
        goal="merge it",
        repository="/repo",
        agent="fake",
        carried=ThreadState(thread_id=NAME),
    )
    assert await refused(house, ThreadWorkflow.run, start, NAME) == "forbidden"


async def test_a_thread_under_another_ones_name_is_refused(house: House) -> None:
    start = ThreadInput(thread_id=NAME, goal="x", repository="/repo", agent="fake")
    assert await refused(house, ThreadWorkflow.run, start, "evil") == "forbidden"


async def test_a_task_without_its_thread_is_refused(house: House) -> None:
    start = TaskInput(
        thread_id=NAME,
        project="repo",
        repository="/repo",
        host="test",
        base="main",
        branch="b",
        task=PlannedTask(id=TaskId("task-1"), title="x"),
        run=1,
        agent="fake",
    )
    assert await refused(house, TaskWorkflow.run, start, f"{NAME}/task-1") == "forbidden"
    assert house.runner.calls == []
