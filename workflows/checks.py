"""Checks: workflows of one activity, whose end is journaled even where the activity could not tell it."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from temporalio import workflow
from temporalio.exceptions import ActivityError

from activities.journal import Journaling
from domain.core.checks import Check
from domain.core.effects import JournalCall
from domain.core.event import Event, EventBody
from domain.core.ids import SHARED_QUEUE, EventId, StreamId, host_queue
from domain.core.seals import Unsealed
from workflows import options
from workflows.failures import words_of
from workflows.starts import check_start

CheckT = TypeVar("CheckT", bound=Check)
Result = TypeVar("Result")


async def carry_out(
    activity: Callable[[Any, CheckT], Awaitable[Result]],
    check: CheckT,
    failed: Callable[[str], tuple[Result, EventBody]],
) -> Result:
    """Return what the activity found; that nobody could carry it out is a result, and an event, of `failed`."""
    check_start(check.stream, check.stream, is_carried=False, is_child=False)
    queue = host_queue(check.host) if check.host else SHARED_QUEUE
    how = options.named(options.on(queue, options.CHECK), "check", check)
    try:
        found: Result | Unsealed = await workflow.execute_activity_method(activity, check, **how)
    except ActivityError as error:
        return await _end(check.stream, *failed(words_of(error)))
    if isinstance(found, Unsealed):  # Temporal takes one from anybody local
        failure = "its result was not reported by a worker of Treadle"
        return await _end(check.stream, *failed(failure))
    return found


async def _end(stream: StreamId, result: Result, body: EventBody) -> Result:
    event = Event(id=EventId(f"{stream}:ended"), stream=stream, at=workflow.now(), body=body)
    call = JournalCall(events=(event,))
    how = options.named(options.SHORT, "end", call)
    await workflow.execute_activity_method(Journaling.append_events, call, **how)
    return result
