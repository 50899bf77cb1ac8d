"""The events that Temporal's histories still have: each rode as a sealed input of an activity."""

from collections.abc import AsyncIterator, Collection
from typing import Any

from pydantic import ValidationError
from pydantic_core import from_json
from temporalio.api.history.v1 import ActivityTaskScheduledEventAttributes, HistoryEvent
from temporalio.client import Client
from temporalio.converter import ActivitySerializationContext
from temporalio.service import RPCError, RPCStatusCode

from domain.core.event import Event
from domain.core.ids import EventId

_CLEAR = b"json/plain"


async def read_history_events(
    client: Client, stream: str, wanted: Collection[EventId]
) -> dict[EventId, Event]:
    """Return those of the wanted events that the workflow of a stream, or one above it, has carried.

    Only what a program of ours has sealed is taken.
    """
    found = dict[EventId, Event]()
    name = stream
    while name and not found.keys() >= set(wanted):
        async for event in _events_of(client, name):
            if event.id in wanted:
                found[event.id] = event
        name = name.rpartition("/")[0]
    return found


async def _events_of(client: Client, workflow_id: str) -> AsyncIterator[Event]:
    """Yield what the runs of a workflow have carried."""
    async for run_id in _runs(client, workflow_id):
        handle = client.get_workflow_handle(workflow_id, run_id=run_id)
        async for event in handle.fetch_history_events():
            if event.HasField("activity_task_scheduled_event_attributes"):
                scheduled = event.activity_task_scheduled_event_attributes
                for carried in await _carried(client, workflow_id, scheduled):
                    yield carried


async def _runs(client: Client, workflow_id: str) -> AsyncIterator[str]:
    """Yield the run ids of a workflow: of the newest, of those it continues, and of earlier ones."""
    seen, run_id = set[str](), ""
    try:
        run_id = (await client.get_workflow_handle(workflow_id).describe()).run_id
    except RPCError as error:
        if error.status not in {RPCStatusCode.NOT_FOUND, RPCStatusCode.INVALID_ARGUMENT}:
            raise
    while run_id and run_id not in seen:
        seen.add(run_id)
        yield run_id
        first = await _first_event(client, workflow_id, run_id)
        run_id = (
            first.workflow_execution_started_event_attributes.continued_execution_run_id
            if first
            else ""
        )
    if seen and "'" not in workflow_id:
        async for execution in client.list_workflows(f"WorkflowId = '{workflow_id}'"):
            if execution.run_id not in seen:
                yield execution.run_id


async def _first_event(client: Client, workflow_id: str, run_id: str) -> HistoryEvent | None:
    handle = client.get_workflow_handle(workflow_id, run_id=run_id)
    async for event in handle.fetch_history_events():
        return event
    return None


async def _carried(
    client: Client, workflow_id: str, scheduled: ActivityTaskScheduledEventAttributes
) -> list[Event]:
    place = ActivitySerializationContext(
        namespace=client.namespace,
        activity_id=scheduled.activity_id,
        activity_type=scheduled.activity_type.name,
        activity_task_queue=scheduled.task_queue.name,
        workflow_id=workflow_id,
        workflow_type="",
        is_local=False,
    )
    codec = client.data_converter.with_context(place).payload_codec
    payloads = list(scheduled.input.payloads)
    opened = await codec.decode(payloads) if codec else payloads
    return [
        event
        for payload in opened
        if payload.metadata.get("encoding") == _CLEAR
        for event in _events_in(from_json(payload.data))
    ]


def _events_in(value: Any) -> list[Event]:
    if not isinstance(value, dict):
        return []
    call: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]  (JSON)
    try:
        return [Event.model_validate(event) for event in call.get("events") or ()]
    except ValidationError:
        return []
