"""A thread whose repository cannot be looked at: people are told why, and can give it up."""

import asyncio

import pytest
from temporalio.client import WorkflowHandle, WorkflowUpdateFailedError

from domain.core.ids import SHARED_QUEUE, ThreadId
from domain.tasks.running_commands import Cancel
from domain.threads.inputs import ThreadInput
from tests.workflows.conftest import House
from workflows import ThreadWorkflow

NAME = ThreadId("thread-on-a-lost-disk")


@pytest.fixture
async def stuck(house: House) -> WorkflowHandle[ThreadWorkflow, str]:
    async def inspect(_repository: str) -> None:
        raise OSError(5, "Input/output error", "/mnt/lost/.git")

    house.workspaces.inspect = inspect
    return await house.client.start_workflow(
        ThreadWorkflow.run,
        ThreadInput(thread_id=NAME, goal="x", repository="/mnt/lost", agent="fake"),
        id=NAME,
        task_queue=SHARED_QUEUE,
    )


async def test_it_names_the_file_and_ends_when_it_is_cancelled(
    house: House, stuck: WorkflowHandle[ThreadWorkflow, str]
) -> None:
    opening = asyncio.create_task(stuck.execute_update(ThreadWorkflow.open))
    warned = await house.seen(NAME, "resource_warned")
    answer = await house.send(NAME, Cancel(by="ada", command_id="c-1"))

    assert "Input/output error: /mnt/lost/.git" in warned.body.model_dump()["message"]
    assert answer.message == "cancelled before it was open"
    assert await stuck.result() == "not opened: cancelled by ada before it was open"
    with pytest.raises(WorkflowUpdateFailedError) as caught:
        await opening
    assert "cancelled by ada" in str(caught.value.cause)


async def test_a_signal_cancels_it_too(
    house: House, stuck: WorkflowHandle[ThreadWorkflow, str]
) -> None:
    await house.seen(NAME, "resource_warned")
    await stuck.signal("cancel", {})

    assert await stuck.result() == "not opened: cancelled by a person before it was open"
