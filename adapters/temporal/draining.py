"""How a worker drains: it takes no new work, its turns and steps end by themselves, and what lasts too long is cut."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

from temporalio import activity
from temporalio.exceptions import ApplicationError, ApplicationErrorCategory
from temporalio.worker import (
    ActivityInboundInterceptor,
    ExecuteActivityInput,
    Interceptor,
    Worker,
)

from domain.core.errors import WORKER_LOST
from domain.core.ids import SHARED_QUEUE

_LOG = logging.getLogger(__name__)

GRACE_SECONDS = 5.0
"""How long activities have to end by themselves where a worker ends at once."""

WITHOUT_GRACE_OF_CORE = timedelta(days=7)
"""The own queue's worker leaves it to us when activities are cut: the SDK's limit cannot be shortened."""

BENIGN = ApplicationErrorCategory.BENIGN
WORKER_DRAINING = "worker_draining"
ASK_AGAIN = timedelta(seconds=2)
BINDING = frozenset(("open_thread", "open_flow"))
"""Activities of the shared queue that bind work to the host that carries them out."""


class Draining(Interceptor):
    """The end of a worker's own queue; one for a worker, and between all of its activities.

    The shared queue is served until the own one is empty: a turn reports and asks through workflows.
    What is cut fails as a lost activity does, so that another attempt goes on with it.
    """

    def __init__(self, limit_seconds: float, on_begin: Callable[[], None] = lambda: None) -> None:
        """Make one that gives what runs `limit_seconds`; `on_begin` is called when it drains."""
        self._limit = limit_seconds
        self.on_begin = on_begin
        self._asked = asyncio.Event()
        self._is_serving = False
        self._is_cut = False
        self._running: dict[asyncio.Task[Any], str] = {}

    @property
    def is_draining(self) -> bool:
        """Whether this worker takes no new work any more."""
        return self._asked.is_set()

    def begin(self) -> bool:
        """Begin to drain; False where the worker shall end at once: it drains already, or does not serve yet."""
        if self._asked.is_set() or not self._is_serving or not self._limit:
            return False
        self._asked.set()
        self.on_begin()
        return True

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:  # noqa: A002  (SDK's name)
        """Know an activity while it runs."""
        return _Known(next, self)

    @asynccontextmanager
    async def serving(self, own: Worker) -> AsyncGenerator[None]:
        """Serve the worker's own queue; at the end what still runs is cut after a moment."""
        async with own:
            self._is_serving = True
            try:
                yield
            finally:
                asyncio.get_running_loop().call_later(GRACE_SECONDS, self._cut)

    async def keep_until_drained(self, own: Worker, work: Awaitable[Any]) -> None:
        """Go on with work without end until the worker has drained."""
        working = asyncio.ensure_future(work)
        drained = asyncio.create_task(self._drain(own))
        try:
            await asyncio.wait({working, drained}, return_when=asyncio.FIRST_COMPLETED)
            if working.done():
                await working
        finally:
            working.cancel()
            drained.cancel()
            await asyncio.gather(working, drained, return_exceptions=True)

    async def run(self, name: str, running: Coroutine[Any, Any, Any]) -> Any:
        """Carry out an activity, unless it would bind new work to a host that drains."""
        if self.is_draining and name in BINDING:
            running.close()
            raise ApplicationError(
                "its worker drains: another one takes it, or this one's next start",
                type=WORKER_DRAINING,
                category=BENIGN,
                next_retry_delay=ASK_AGAIN,
            )
        task = asyncio.current_task()
        if task is None or activity.info().task_queue == SHARED_QUEUE:
            return await running
        self._running[task] = name
        try:
            return await running
        except asyncio.CancelledError:
            details = activity.cancellation_details()
            if not self._is_cut or (details is not None and details.cancel_requested):
                raise
            raise ApplicationError(
                "its worker was stopped", type=WORKER_LOST, category=BENIGN
            ) from None
        finally:
            del self._running[task]

    async def _drain(self, own: Worker) -> None:
        await self._asked.wait()
        _LOG.warning(
            "draining: no new work is taken, and what runs here has %g s to end; a second SIGTERM ends it at once",
            self._limit,
        )
        ending = asyncio.create_task(own.shutdown())
        try:
            await asyncio.wait({ending}, timeout=self._limit)
            if not ending.done():
                _LOG.warning("cut after %g s: %s", self._limit, ", ".join(self._running.values()))
                self._cut()
            await ending
        finally:
            ending.cancel()
        _LOG.warning("drained")

    def _cut(self) -> None:
        self._is_cut = True
        for task in list(self._running):
            task.cancel()


class _Known(ActivityInboundInterceptor):
    def __init__(self, inner: ActivityInboundInterceptor, draining: Draining) -> None:
        super().__init__(inner)
        self._draining = draining

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:  # noqa: A002  (SDK's name)
        name = activity.info().activity_type
        return await self._draining.run(name, super().execute_activity(input))
