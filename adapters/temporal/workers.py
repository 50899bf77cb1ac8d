"""Workers of our task queues: what both have in common."""

from collections.abc import Callable, Sequence
from datetime import timedelta
from importlib.metadata import version
from typing import Any

from temporalio.client import Client
from temporalio.worker import Interceptor, Worker

AT_ONCE = 12


def queue_worker(
    client: Client,
    queue: str,
    activities: Sequence[Callable[..., Any]],
    workflows: Sequence[type],
    interceptors: Sequence[Interceptor],
) -> Worker:
    """Return the worker of a queue; whoever is gone is noticed soon, and soon told to cancel."""
    return Worker(
        client,
        task_queue=queue,
        workflows=workflows,
        activities=activities,
        interceptors=interceptors,
        # without one, Temporal hashes the code of all that is loaded: 0.9 s of each start
        build_id=version("treadle"),
        max_concurrent_activities=500,
        # few: all share one interpreter, and what has begun must end in its task's time; others
        # wait at Temporal, where no time runs out
        max_concurrent_workflow_tasks=AT_ONCE,
        sticky_queue_schedule_to_start_timeout=timedelta(seconds=1),
        max_heartbeat_throttle_interval=timedelta(seconds=2),
        default_heartbeat_throttle_interval=timedelta(seconds=2),
        graceful_shutdown_timeout=timedelta(seconds=5),
    )
