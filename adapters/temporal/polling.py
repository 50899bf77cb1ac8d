"""Whether a worker takes what a task queue holds, as Temporal saw it last."""

from datetime import UTC, datetime, timedelta

from temporalio.api.enums.v1 import TaskQueueType
from temporalio.api.taskqueue.v1 import TaskQueue
from temporalio.api.workflowservice.v1 import DescribeTaskQueueRequest
from temporalio.client import Client

LATEST = timedelta(seconds=90)
"""A worker asks for a minute at a time, so one that is there was seen since; its death shows then."""


async def is_polled(client: Client, queue: str) -> bool:
    """Tell whether a worker asked for workflow tasks of a queue just now.

    Raises:
        RPCError: Temporal does not answer.
    """
    answer = await client.workflow_service.describe_task_queue(
        DescribeTaskQueueRequest(
            namespace=client.namespace,
            task_queue=TaskQueue(name=queue),
            task_queue_type=TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
        )
    )
    since = datetime.now(UTC) - LATEST
    return any(p.last_access_time.ToDatetime(tzinfo=UTC) > since for p in answer.pollers)
