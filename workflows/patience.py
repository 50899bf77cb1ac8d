"""How long events wait for an effect that carries them before they are carried alone."""

import asyncio
from collections.abc import Callable
from contextlib import suppress

from temporalio import workflow

from workflows import options
from workflows.summaries import shown

_SUMMARY = shown("record what no activity carries")


class Patience:
    """Bounds each wait by a second; with one timer for all that wait meanwhile, or by one each."""

    def __init__(self) -> None:
        self._timer: asyncio.Task[None] | None = None

    async def wait(self, is_over: Callable[[], bool], *, is_shared: bool) -> None:
        """Wait until something is so, or for a second at most; a shared timer is never cancelled."""
        if not is_shared:
            with suppress(TimeoutError):
                await workflow.wait_condition(
                    is_over, timeout=options.FLUSH_PATIENCE, timeout_summary=_SUMMARY
                )
            return
        if self._timer is None or self._timer.done():
            wait = workflow.sleep(options.FLUSH_PATIENCE, summary=_SUMMARY)
            self._timer = asyncio.create_task(wait)
        timer = self._timer
        await workflow.wait_condition(lambda: is_over() or timer.done())
