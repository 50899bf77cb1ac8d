"""How a worker looks at something again and again."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import NoReturn

from temporalio.service import RPCError

from domain.core.errors import JournalError


async def keep_looking(
    look: Callable[[], Awaitable[None]], every: float, trouble: str, log: logging.Logger
) -> NoReturn:
    """Look each time so many seconds later, until it is cancelled.

    Where the journal or Temporal does not answer, `trouble` is logged, and the next look tries again.
    """
    while True:
        await asyncio.sleep(every)
        try:
            await look()
        except (JournalError, RPCError) as error:
            log.warning("%s: %s", trouble, error)
