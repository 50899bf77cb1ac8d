"""A worker that lacks a key fails workflow tasks and never a workflow; another one goes on with it."""

import asyncio
from pathlib import Path

from temporalio.api.enums.v1 import EventType
from temporalio.client import Client, WorkflowHandle
from temporalio.testing import WorkflowEnvironment
from temporalio.worker import Worker

from adapters.files.key_ring import KeyRing
from adapters.temporal import plugin
from tests.workflows.sealed_workflow import Echo, EchoWorkflow

QUEUE = "missing-keys"
DEADLINE_SECONDS = 60


async def failed_task(handle: WorkflowHandle) -> None:
    """Wait until a workflow task has failed."""
    async with asyncio.timeout(DEADLINE_SECONDS):
        async for event in handle.fetch_history_events(wait_new_event=True):
            if event.event_type == EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED:
                return


async def test_a_worker_without_the_key_fails_tasks_and_one_with_it_goes_on(
    server: WorkflowEnvironment, tmp_path: Path
) -> None:
    target = server.client.service_client.config.target_host
    ours, others = KeyRing(tmp_path / "payload.keys"), KeyRing(tmp_path / "other.keys")
    known = ours.newest()[0]

    async def is_ours(key_id: str) -> bool:
        return key_id == known

    good = await Client.connect(target, plugins=[plugin(ours, is_ours)])
    lacking = await Client.connect(target, plugins=[plugin(others, is_ours)])
    queue = f"{QUEUE}-{known}"
    handle = await good.start_workflow(
        EchoWorkflow.run, Echo(text="sealed"), id=queue, task_queue=queue
    )
    async with Worker(lacking, task_queue=queue, workflows=[EchoWorkflow]):
        await failed_task(handle)
    async with Worker(good, task_queue=queue, workflows=[EchoWorkflow]):
        await handle.signal(EchoWorkflow.end)
        assert await handle.result() == Echo(text="sealed")
