"""What Temporal or a workflow does not answer, as an error of the domain."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from temporalio.client import WorkflowUpdateFailedError, WorkflowUpdateRPCTimeoutOrCancelledError
from temporalio.service import RPCError, RPCStatusCode

from adapters.temporal import refusal
from domain.core.errors import NotConfirmedError, UnavailableError

A = TypeVar("A")
PAUSE_SECONDS = 0.5

SILENT = frozenset({RPCStatusCode.UNAVAILABLE})
BUSY = frozenset(
    {
        RPCStatusCode.DEADLINE_EXCEEDED,
        RPCStatusCode.FAILED_PRECONDITION,
        RPCStatusCode.RESOURCE_EXHAUSTED,
        RPCStatusCode.ABORTED,
    }
)
"""Temporal's codes for a workflow task that was late, and for being slow or overloaded."""

AWAY = "Temporal does not answer, so nothing can be changed now; reading still works"
NOT_SET_UP = (
    "Temporal does not have Treadle's search attributes yet: the first worker registers them as it "
    "starts, or says in its log how it is done by hand"
)


@asynccontextmanager
async def answering(workflow_id: str, seconds: float) -> AsyncGenerator[None]:
    """Translate timeouts and errors of Temporal to errors of the domain."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except WorkflowUpdateFailedError as error:
        raise refusal(error) from error
    except (TimeoutError, WorkflowUpdateRPCTimeoutOrCancelledError) as error:
        raise NotConfirmedError(
            f"no worker answered for {workflow_id!r} within {seconds:g} s: "
            "the command is not confirmed, but may still be carried out"
        ) from error
    except RPCError as error:
        if error.status in BUSY:
            raise NotConfirmedError(
                f"Treadle is busy: the command to {workflow_id!r} is not confirmed"
            ) from error
        raise UnavailableError(_reason(error)) from error
    except RuntimeError as error:  # a lazy client could not connect
        raise UnavailableError(AWAY) from error


def _reason(error: RPCError) -> str:
    if error.status in SILENT:
        return AWAY
    if "no mapping defined for search attribute" in error.message:
        return NOT_SET_UP
    return f"Temporal refused the request: {error.message}"


async def until_taken(call: Callable[[], Awaitable[A]]) -> A:
    """Call again while Temporal is busy, for what may be repeated as it has an id."""
    while True:
        try:
            return await call()
        except RPCError as error:
            if error.status not in BUSY:
                raise
        await asyncio.sleep(PAUSE_SECONDS)
