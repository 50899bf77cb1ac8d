"""How a thread or a run of a flow opens: its repository is looked at, unless it is given up before."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

from temporalio import workflow
from temporalio.exceptions import ActivityError, ApplicationError

from domain.core.effects import Effect
from domain.core.wire import Wire
from workflows import options
from workflows.loop import Loop

A = TypeVar("A")
C = TypeVar("C", bound=Effect)
R = TypeVar("R", bound=Wire)


async def opened(
    loop: Loop[Any],
    method: Callable[[A, C], Awaitable[R]],
    call: C,
    is_given_up: Callable[[], bool],
) -> R | ApplicationError | None:
    """Return what was found, why it was refused, or None where it was given up by then.

    What keeps a repository from being looked at (its disk is gone) is tried without end.
    """
    opening = asyncio.create_task(loop.run_activity(method, call, options.GIT))
    await workflow.wait_condition(lambda: opening.done() or is_given_up())
    if not opening.done():
        opening.cancel()
        with suppress(asyncio.CancelledError, ActivityError):
            await opening
        return None
    try:
        return await opening
    except ActivityError as error:
        if not isinstance(error.cause, ApplicationError):
            raise
        return error.cause
