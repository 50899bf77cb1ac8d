"""Streams that end when their reader may read no more: a role, token or session was lost meanwhile."""

import asyncio
import logging
from collections.abc import AsyncIterable, AsyncIterator, Awaitable, Callable

from starlette.requests import Request

from api.core.callers import CALLER, Callers
from api.core.declared import permissions_in
from api.core.problems import RefusedError
from domain.core.errors import TreadleError

CHECK_SECONDS = 1.0
"""How old the last check of a reader may be when something is sent."""

Check = Callable[[], Awaitable[None]]

_LOG = logging.getLogger(__name__)


async def nothing_more() -> None:
    """Check nothing beyond what the route declares."""


async def while_permitted(
    chunks: AsyncIterable[bytes], request: Request, check: Check = nothing_more
) -> AsyncIterator[bytes]:
    """Yield what a reader may read: it ends, like any stream does, once they may not.

    Who reconnects gets the refusal. `check` is for what a route learns from its parameters.
    """
    clock = asyncio.get_running_loop().time
    checked_at = clock()
    async for chunk in chunks:
        if clock() - checked_at >= CHECK_SECONDS:
            try:
                await _check_again(request)
                await check()
            except (RefusedError, TreadleError) as error:
                _LOG.info("a stream has ended: its reader may read no more: %s", error)
                return
            checked_at = clock()
        yield chunk


async def _check_again(request: Request) -> None:
    """Check the credentials and roles of a request as when it came.

    Raises:
        RefusedError: The credentials are good no more.
        TreadleError: The role was lost.
    """
    callers: Callers = request.app.state.callers
    request.scope[CALLER] = await callers.of(request.scope)
    for permission in permissions_in(request.scope["route"].dependencies):
        await permission(request)
