"""Single calls over connections that Temporal's server ends, each after five minutes."""

from collections.abc import Awaitable, Callable
from typing import TypeVar

from temporalio.service import RPCError, RPCStatusCode

R = TypeVar("R")
A = TypeVar("A")


async def asked(call: Callable[[R], Awaitable[A]], request: R) -> A:
    """Return the answer to a request; it is made once more where its connection was ended under it."""
    try:
        return await call(request)
    except RPCError as error:
        if error.status is not RPCStatusCode.CANCELLED:
            raise
    return await call(request)
