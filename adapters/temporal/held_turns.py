"""The turns and steps that begin on no host that drains, and what is at work there."""

import asyncio
from collections import Counter
from typing import Any

from temporalio import activity
from temporalio.exceptions import ApplicationError
from temporalio.worker import ActivityInboundInterceptor, ExecuteActivityInput, Interceptor

from adapters.temporal.draining import ASK_AGAIN, BENIGN, BINDING, WORKER_DRAINING
from adapters.temporal.repositories_here import beating
from domain.core.ids import SHARED_QUEUE, thread_of

HELD = frozenset(
    ("run_agent_turn", "run_verification_step", "run_flow_command", "set_up_workspaces")
)
"""Activities that do not begin on a host that drains; all others are short, or belong to one that runs."""


class HeldTurns(Interceptor):
    """What a worker holds back while its host drains, until it drains no more, or their workflow has moved."""

    def __init__(self) -> None:
        """Hold nothing back yet."""
        self._may_begin = asyncio.Event()
        self._may_begin.set()
        self._at_work = Counter[str]()

    @property
    def is_holding(self) -> bool:
        """Whether turns and steps are held back."""
        return not self._may_begin.is_set()

    @property
    def at_work(self) -> tuple[str, ...]:
        """The threads and flow runs that something is carried out for here, without what is held back."""
        return tuple(sorted(+self._at_work))

    def hold(self) -> None:
        """Let no turn and no step begin from now on."""
        self._may_begin.clear()

    def resume(self) -> None:
        """Let all begin that was held back."""
        self._may_begin.set()

    def intercept_activity(self, next: ActivityInboundInterceptor) -> ActivityInboundInterceptor:  # noqa: A002  (SDK's name)
        """Look at each activity before it begins."""
        return _Held(next, self)

    async def admit(self, kind: str, queue: str) -> None:
        """Wait while an activity is held back.

        Raises:
            ApplicationError: It binds new work to this host, or the worker ends before it may begin; it is tried again.
        """
        if self.is_holding and kind in BINDING and queue == SHARED_QUEUE:
            raise _again("its host drains: another one takes it")
        if self.is_holding and kind in HELD:
            async with beating():
                await self._wait()

    async def _wait(self) -> None:
        begins = asyncio.create_task(self._may_begin.wait())
        ends = asyncio.create_task(activity.wait_for_worker_shutdown())
        try:
            await asyncio.wait({begins, ends}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            begins.cancel()
            ends.cancel()
        if not self._may_begin.is_set():
            raise _again("its host drains, and its worker ends")

    async def carry_out(self, stream: str, running: Any) -> Any:
        """Know of an activity while it runs."""
        self._at_work[stream] += 1
        try:
            return await running
        finally:
            self._at_work[stream] -= 1


class _Held(ActivityInboundInterceptor):
    def __init__(self, inner: ActivityInboundInterceptor, held: HeldTurns) -> None:
        super().__init__(inner)
        self._held = held

    async def execute_activity(self, input: ExecuteActivityInput) -> Any:  # noqa: A002  (SDK's name)
        info = activity.info()
        await self._held.admit(info.activity_type, info.task_queue)
        running = super().execute_activity(input)
        if info.task_queue == SHARED_QUEUE:
            return await running
        return await self._held.carry_out(thread_of(info.workflow_id or ""), running)


def _again(why: str) -> ApplicationError:
    return ApplicationError(why, type=WORKER_DRAINING, category=BENIGN, next_retry_delay=ASK_AGAIN)
