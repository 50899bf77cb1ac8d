"""Workers of our task queues: what both have in common."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from importlib.metadata import version
from typing import Any

from temporalio.client import Client
from temporalio.worker import Interceptor, Worker

from adapters.temporal.versions import Deployment, versioned

AT_ONCE = 12
GRACE = timedelta(seconds=5)


@dataclass(frozen=True)
class QueueWork:
    """What a worker carries out of a queue."""

    queue: str
    activities: Sequence[Callable[..., Any]]
    workflows: Sequence[type] = ()


def queue_worker(
    client: Client,
    work: QueueWork,
    interceptors: Sequence[Interceptor],
    *,
    grace: timedelta = GRACE,
    deployment: Deployment | None = None,
) -> Worker:
    """Return the worker of a queue; whoever is gone is noticed soon, and soon told to cancel.

    What runs when it ends has `grace` to end by itself. With a deployment its workflows have versions.
    """
    return Worker(
        client,
        task_queue=work.queue,
        workflows=versioned(work.workflows) if deployment else work.workflows,
        activities=work.activities,
        interceptors=interceptors,
        # without one, Temporal hashes the code of all that is loaded: 0.9 s of each start
        build_id=None if deployment else version("treadle"),
        deployment_config=deployment.config if deployment else None,
        max_concurrent_activities=500,
        # few: all share one interpreter, and what has begun must end in its task's time; others
        # wait at Temporal, where no time runs out
        max_concurrent_workflow_tasks=AT_ONCE,
        sticky_queue_schedule_to_start_timeout=timedelta(seconds=1),
        max_heartbeat_throttle_interval=timedelta(seconds=2),
        default_heartbeat_throttle_interval=timedelta(seconds=2),
        graceful_shutdown_timeout=grace,
    )
