"""Checks: short workflows that a worker must take up at once."""

import asyncio

from api.core.workflow_client import WorkflowClient
from domain.core.errors import UnavailableError
from domain.core.ids import StreamId
from domain.core.ports import Journal

BEGIN_SECONDS = 10.0


async def await_start(
    stream: StreamId, what: str, journal: Journal, workflows: WorkflowClient
) -> None:
    """Wait until a worker has started a check; one that none starts is terminated.

    Raises:
        UnavailableError: No worker did; names `what` it checks.
    """
    try:
        async with asyncio.timeout(BEGIN_SECONDS):
            await anext(journal.follow(stream))
    except TimeoutError as error:
        await workflows.terminate(stream, "no worker started it")
        raise UnavailableError(
            f"no worker started the check of {what} within {BEGIN_SECONDS:g} s: run `treadle doctor`"
        ) from error
