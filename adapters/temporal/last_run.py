"""What the history of a session's last run has that its journal may lack: a termination comes between them."""

from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple, TypeVar

from pydantic import ValidationError
from temporalio.api.common.v1 import Payload
from temporalio.api.history.v1 import HistoryEvent
from temporalio.client import Client
from temporalio.converter import (
    ActivitySerializationContext,
    SerializationContext,
    WorkflowSerializationContext,
)
from temporalio.service import RPCError, RPCStatusCode

from adapters.temporal.sealing import KeyMissingError
from domain.conversations.calls import TurnCall
from domain.conversations.sessions.inputs import SessionInput
from domain.conversations.sessions.rules import QueuePrompt
from domain.core.wire import Wire

_CLEAR = b"json/plain"
_TURN = "run_agent_turn"

W = TypeVar("W", bound=Wire)


class LastTurn(NamedTuple):
    """A turn that a worker was given, and the queue of its host."""

    call: TurnCall
    queue: str


class LastRun(NamedTuple):
    """What a session was told, read or not, and the turn that it began last."""

    told: tuple[QueuePrompt, ...] = ()
    turn: LastTurn | None = None


async def read_last_run(client: Client, session_id: str, run_id: str) -> LastRun:
    """Read a run of a session's workflow; only what a program of ours has sealed is taken."""
    told: list[QueuePrompt] = []
    turn: LastTurn | None = None
    async for event in _events(client, session_id, run_id):
        if (message := await _message(client, session_id, event)) is not None:
            told.append(message)
        turn = await _turn(client, session_id, event) or turn
    return LastRun(tuple(told), turn)


async def _events(client: Client, session_id: str, run_id: str) -> AsyncIterator[HistoryEvent]:
    handle = client.get_workflow_handle(session_id, run_id=run_id)
    try:
        async for event in handle.fetch_history_events():
            yield event
    except RPCError as error:
        if error.status is not RPCStatusCode.NOT_FOUND:  # what is old is removed
            raise


async def _message(client: Client, session_id: str, event: HistoryEvent) -> QueuePrompt | None:
    """Return what an event tells the session: its first prompt, or a later one."""
    place = WorkflowSerializationContext(namespace=client.namespace, workflow_id=session_id)
    if event.HasField("workflow_execution_started_event_attributes"):
        started = event.workflow_execution_started_event_attributes.input.payloads
        began = await _first(client, place, started, SessionInput)
        if began is not None and began.carried is None:
            return QueuePrompt(key=began.first_key, prompt=began.first_prompt)
    if event.HasField("workflow_execution_signaled_event_attributes"):
        signal = event.workflow_execution_signaled_event_attributes
        if signal.signal_name == "queue_prompt":
            return await _first(client, place, signal.input.payloads, QueuePrompt)
    return None


async def _turn(client: Client, session_id: str, event: HistoryEvent) -> LastTurn | None:
    if not event.HasField("activity_task_scheduled_event_attributes"):
        return None
    scheduled = event.activity_task_scheduled_event_attributes
    if scheduled.activity_type.name != _TURN:
        return None
    queue = scheduled.task_queue.name
    place = ActivitySerializationContext(
        namespace=client.namespace,
        activity_id=scheduled.activity_id,
        activity_type=scheduled.activity_type.name,
        activity_task_queue=queue,
        workflow_id=session_id,
        workflow_type="",
        is_local=False,
    )
    call = await _first(client, place, scheduled.input.payloads, TurnCall)
    return LastTurn(call, queue) if call is not None else None


async def _first(
    client: Client, place: SerializationContext, payloads: Sequence[Payload], kind: type[W]
) -> W | None:
    """Return the first of some payloads; None where it is not ours, or of another host's key."""
    codec = client.data_converter.with_context(place).payload_codec
    try:
        opened = await codec.decode(payloads) if codec else list(payloads)
        is_ours = bool(opened) and opened[0].metadata.get("encoding") == _CLEAR
        return kind.model_validate_json(opened[0].data) if is_ours else None
    except (KeyMissingError, ValidationError):
        return None
