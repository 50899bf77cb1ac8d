"""Whether a worker takes what a task queue holds, as Temporal saw it last."""

import asyncio
import os
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from temporalio.api.enums.v1 import TaskQueueType
from temporalio.api.taskqueue.v1 import PollerInfo, TaskQueue
from temporalio.api.workflowservice.v1 import DescribeTaskQueueRequest
from temporalio.client import Client
from temporalio.service import RPCError

from adapters.part_readiness import note_polls
from adapters.temporal.aged_connections import asked
from domain.core.ids import SHARED_QUEUE

LATEST = timedelta(seconds=90)
"""A worker asks for a minute at a time, so one that is there was seen since; its death shows then."""


LOOK_SECONDS = 0.05
"""Between two looks whether Temporal has seen a worker that has just started."""


async def is_polled(client: Client, queue: str) -> bool:
    """Tell whether a worker asked for workflow tasks of a queue just now.

    Raises:
        RPCError: Temporal does not answer.
    """
    since = datetime.now(UTC) - LATEST
    pollers = await _pollers(client, queue)
    return any(p.last_access_time.ToDatetime(tzinfo=UTC) > since for p in pollers)


async def tell_of_polls(client: Client, data_dir: Path) -> None:
    """Note in the data folder that this worker takes tasks, once Temporal has seen it poll."""
    ours = f"{os.getpid()}@"
    while True:
        with suppress(RPCError, OSError):  # Temporal is starting again, or the disk is full
            pollers = await _pollers(client, SHARED_QUEUE)
            if any(poller.identity.startswith(ours) for poller in pollers):
                note_polls(data_dir)
                return
        await asyncio.sleep(LOOK_SECONDS)


async def _pollers(client: Client, queue: str) -> Iterable[PollerInfo]:
    request = DescribeTaskQueueRequest(
        namespace=client.namespace,
        task_queue=TaskQueue(name=queue),
        task_queue_type=TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
    )
    return (await asked(client.workflow_service.describe_task_queue, request)).pollers
