"""Schedules at Temporal: it keeps the time, over restarts of everything, and starts a short workflow.

What that workflow starts with is sealed, as everything is. Anybody local may still trigger, pause or
delete a schedule, or change its times; nobody can make one do other work (docs/adr/0024).
"""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from datetime import datetime
from typing import Any, NamedTuple, cast

from temporalio.api.common.v1 import Payload
from temporalio.client import (
    Client,
    ScheduleActionExecutionStartWorkflow,
    ScheduleActionStartWorkflow,
    ScheduleAlreadyRunningError,
    ScheduleDescription,
    ScheduleHandle,
    WorkflowFailureError,
    WorkflowHandle,
)
from temporalio.common import WorkflowIDReusePolicy
from temporalio.converter import WorkflowSerializationContext
from temporalio.exceptions import ApplicationError, FailureError, WorkflowAlreadyStartedError
from temporalio.service import RPCError, RPCStatusCode

from adapters.temporal.schedule_shapes import PATIENCE, WORKFLOW, temporal_schedule, view_of
from adapters.temporal.starting import Starter
from domain.core.errors import (
    InvalidError,
    NotConfirmedError,
    NotFoundError,
    TreadleError,
    UnavailableError,
)
from domain.core.ids import SHARED_QUEUE, is_name, schedule_id, scheduled_workflow_id
from domain.core.seals import Unsealed
from domain.queue.commands import EnqueueScheduled
from domain.queue.entry import QueueLimits
from domain.queue.inputs import QUEUE, QueueInput
from domain.queue.schedules.schedule import (
    MAX_SCHEDULES,
    ScheduledInput,
    ScheduledResult,
    ScheduleExistsError,
    ScheduleView,
    TimezoneError,
    no_timezone,
)

_SECONDS = 5.0
_SILENT = frozenset({RPCStatusCode.UNAVAILABLE, RPCStatusCode.DEADLINE_EXCEEDED})
_PREFIX = schedule_id("")
_USUAL = QueueLimits()
_AWAY = "Temporal does not answer, and it keeps the schedules: start Treadle with `treadle up`"


class TemporalSchedules:
    """Implements `Schedules`, and what people do with schedules."""

    def __init__(self, client: Client, limits: QueueLimits = _USUAL) -> None:
        """`limits` are those of a queue that is opened by the first entry of a schedule."""
        self._client = client
        self._limits = limits

    async def add(self, schedule: ScheduledInput) -> ScheduleView:
        """Make a schedule; returns it with the times that come next.

        Raises:
            ScheduleExistsError: There is one of that name.
            CronError: Its times can't be read, or never come.
            TimezoneError: There is no such zone.
            UnavailableError: Temporal does not answer.
        """
        made = temporal_schedule(schedule)
        try:
            async with _answering():
                await self._client.create_schedule(schedule_id(schedule.name), made)
        except ScheduleAlreadyRunningError as error:
            raise ScheduleExistsError(
                f"there is a schedule {schedule.name!r} already: choose another name, or remove it "
                "first"
            ) from error
        except RPCError as error:
            if error.status is RPCStatusCode.INVALID_ARGUMENT and "time zone" in error.message:
                raise TimezoneError(no_timezone(schedule.timezone)) from error
            raise UnavailableError(f"Temporal refused: {error.message}") from error
        return await self.view(schedule.name)

    async def every(self) -> list[ScheduleView]:
        """Return all schedules by name; one that is no longer there when it is looked at is left out.

        Raises:
            UnavailableError: Temporal does not answer.
        """
        async with _answering():
            listed = [each.id async for each in await self._client.list_schedules()]
        names = sorted(each.removeprefix(_PREFIX) for each in listed if each.startswith(_PREFIX))
        found = await asyncio.gather(*(self._found(name) for name in names[:MAX_SCHEDULES]))
        return [view_of(*each) for each in found if each is not None]

    async def view(self, name: str) -> ScheduleView:
        """Return one schedule.

        Raises:
            NotFoundError: There is none.
            UnavailableError: Temporal does not answer.
        """
        schedule, description = await self._known(name)
        view = view_of(schedule, description)
        return view.model_copy(update={"last_result": await self._last_result(description)})

    async def current(self, name: str) -> ScheduledInput | None:
        """Return a schedule as it is now, None where there is none of ours."""
        found = await self._found(name)
        return found[0] if found else None

    async def enqueue(self, scheduled: EnqueueScheduled) -> None:
        """Tell the queue of an entry; an entry that it knows is passed over."""
        await Starter(self._client).open_queue(QueueInput(defaults=self._limits))
        queue = self._client.get_workflow_handle(QUEUE)
        await queue.signal("enqueue_scheduled", scheduled)

    async def pause(self, name: str, note: str) -> ScheduleView:
        """Let a schedule come due no more until it is resumed; fails as `view`."""
        return await self._after(name, lambda handle: handle.pause(note=note))

    async def resume(self, name: str, note: str) -> ScheduleView:
        """Let a schedule come due again; what was missed is not made up for. Fails as `view`."""
        return await self._after(name, lambda handle: handle.unpause(note=note))

    async def remove(self, name: str) -> None:
        """Remove a schedule; what it put into the queue stays. Fails as `view`."""
        await self._known(name)
        async with _answering():
            await self._client.get_schedule_handle(schedule_id(name)).delete()

    async def run(self, name: str, due: datetime) -> ScheduledResult:
        """Have a schedule come due now; twice in a second is once.

        Raises:
            NotFoundError: There is none.
            NotConfirmedError: No worker took it in time; one that does carries it out.
            UnavailableError: Temporal does not answer.
        """
        schedule, _ = await self._known(name)
        workflow_id = scheduled_workflow_id(name, due)
        with suppress(WorkflowAlreadyStartedError):
            async with _answering():
                await self._client.start_workflow(
                    WORKFLOW,
                    schedule,
                    id=workflow_id,
                    task_queue=SHARED_QUEUE,
                    execution_timeout=PATIENCE,
                    id_reuse_policy=WorkflowIDReusePolicy.ALLOW_DUPLICATE_FAILED_ONLY,
                )
        handle = self._client.get_workflow_handle(workflow_id, result_type=ScheduledResult)
        return await _result(handle)

    async def _last_result(self, description: ScheduleDescription) -> str:
        """Return what came of the newest time; nothing where its history is gone."""
        if not description.info.recent_actions:
            return ""
        action = description.info.recent_actions[-1].action
        if not isinstance(action, ScheduleActionExecutionStartWorkflow):
            return ""
        handle = self._client.get_workflow_handle(action.workflow_id, result_type=ScheduledResult)
        try:
            return (await _result(handle)).message
        except TreadleError as error:
            return error.message
        except RPCError:
            return ""

    async def _after(
        self, name: str, act: Callable[[ScheduleHandle], Awaitable[None]]
    ) -> ScheduleView:
        await self._known(name)
        async with _answering():
            await act(self._client.get_schedule_handle(schedule_id(name)))
        return await self.view(name)

    async def _known(self, name: str) -> "_Found":
        found = await self._found(name)
        if found is None:
            raise NotFoundError(
                f"there is no schedule {name[:80]!r}: `treadle schedule list` has those there are"
            )
        return found

    async def _found(self, name: str) -> "_Found | None":
        """Return a schedule and what Temporal says of it, None where there is none that is ours."""
        if not is_name(name):
            return None
        try:
            async with _answering():
                description = await self._client.get_schedule_handle(schedule_id(name)).describe()
        except RPCError as error:
            if error.status is RPCStatusCode.NOT_FOUND:
                return None
            raise UnavailableError(f"Temporal refused: {error.message}") from error
        schedule = await self._opened(description)
        return (
            _Found(schedule, description)
            if schedule is not None and schedule.name == name
            else None
        )

    async def _opened(self, description: ScheduleDescription) -> ScheduledInput | None:
        """Return what a schedule starts with, None where nobody of ours has sealed it."""
        action = description.schedule.action
        if not isinstance(action, ScheduleActionStartWorkflow) or len(action.args) != 1:
            return None
        context = WorkflowSerializationContext(self._client.namespace, action.id)
        converter = self._client.data_converter.with_context(context)
        try:
            [opened] = await converter.decode([cast("Payload", action.args[0])], [ScheduledInput])
        except ApplicationError:
            return None
        return opened


class _Found(NamedTuple):
    schedule: ScheduledInput
    description: ScheduleDescription


async def _result(handle: WorkflowHandle[Any, ScheduledResult]) -> ScheduledResult:
    try:
        async with asyncio.timeout(_SECONDS):
            result: ScheduledResult | Unsealed = await handle.result()
    except TimeoutError as error:
        raise NotConfirmedError(
            "no worker took it in time; once one does, it goes into the queue"
        ) from error
    except WorkflowFailureError as error:
        cause = error.cause
        raise InvalidError(
            cause.message if isinstance(cause, FailureError) else str(cause)
        ) from error
    if isinstance(result, Unsealed):
        raise UnavailableError("something else than a worker of Treadle answered")
    return result


@asynccontextmanager
async def _answering() -> AsyncGenerator[None]:
    """Turn Temporal's silence into an error of the domain's."""
    try:
        async with asyncio.timeout(_SECONDS):
            yield
    except TimeoutError as error:
        raise UnavailableError(_AWAY) from error
    except RPCError as error:
        if error.status in _SILENT:
            raise UnavailableError(_AWAY) from error
        raise
    except RuntimeError as error:  # a lazy client could not connect
        raise UnavailableError(_AWAY) from error
