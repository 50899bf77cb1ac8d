"""Starts of workflows by their name: threads, flow runs, and the one queue."""

import asyncio
import json
from contextlib import suppress
from datetime import timedelta
from typing import Any

from temporalio.client import (
    Client,
    WithStartWorkflowOperation,
    WorkflowFailureError,
    WorkflowUpdateFailedError,
)
from temporalio.common import (
    Priority,
    SearchAttributeKey,
    SearchAttributePair,
    TypedSearchAttributes,
    WorkflowIDConflictPolicy,
)
from temporalio.service import RPCError

from adapters.temporal.door import refusal
from domain.core.command import Answer
from domain.core.ids import SHARED_QUEUE, tracker_id
from domain.core.listing import TITLE, Listing
from domain.core.seals import Public
from domain.flows.inputs import FlowInput
from domain.money.commands import NoteLimits
from domain.money.inputs import MONEY, MoneyInput
from domain.queue.entry import EntryKind
from domain.queue.inputs import QUEUE, QueueInput, StartQueuedCall
from domain.threads.inputs import ThreadInput
from domain.trackers.calls import TrackerInput

WORKFLOW_TASK = timedelta(seconds=10)
ENDING_SECONDS = 10.0
FIRST = "open"
"""The attempt to open what is started once."""

FAIRNESS_KEY_BYTES = 64
"""What Temporal takes of a fairness key."""

_NAMES = {EntryKind.THREAD: "Thread", EntryKind.FLOW: "Flow"}
_INPUTS: dict[EntryKind, type[ThreadInput] | type[FlowInput]] = {
    EntryKind.THREAD: ThreadInput,
    EntryKind.FLOW: FlowInput,
}
QUEUE_LISTING = Listing(
    kind="queue", status="idle", title="what waits for its place", look="treadle queue"
)


MONEY_LISTING = Listing(kind="money", status="idle", title="spending limits", look="treadle money")


class Starter:
    """Starts workflows; one that runs is left as it is, so twice is once."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def start(self, call: StartQueuedCall, spec: str) -> None:
        """Start what waited in the queue; `spec` is its input as JSON.

        Temporal's own queues go by the entry's priority and project where tasks pile up. It answers a
        known update id as before, though what refused has ended: each attempt has its own.

        Raises:
            TreadleError: It refused to open.
        """
        key = call.project.encode()[-FAIRNESS_KEY_BYTES:].decode(errors="ignore")
        start: WithStartWorkflowOperation[Any, Any] = WithStartWorkflowOperation(
            _NAMES[call.kind],
            json.loads(spec),
            id=call.entry_id,
            task_queue=SHARED_QUEUE,
            **listed(_INPUTS[call.kind].model_validate_json(spec).listing),
            task_timeout=WORKFLOW_TASK,
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
            priority=Priority(priority_key=call.priority, fairness_key=key),
        )
        try:
            await self._opened(start, f"open-{call.attempt}")
        except WorkflowUpdateFailedError as error:
            await self._ended(call.entry_id)
            raise refusal(error) from error

    async def open_thread(self, thread: ThreadInput, attempt: str = FIRST) -> Answer:
        """Start a thread's workflow and wait until it is open; each attempt is answered once, as `start` has it.

        Raises:
            WorkflowUpdateFailedError: It refused to open.
        """
        start: WithStartWorkflowOperation[Any, Any] = WithStartWorkflowOperation(
            "Thread",
            thread,
            id=thread.thread_id,
            task_queue=SHARED_QUEUE,
            **listed(thread.listing),
            task_timeout=WORKFLOW_TASK,
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
        )
        try:
            return await self._opened(start, attempt)
        except WorkflowUpdateFailedError:
            if attempt != FIRST:
                await self._ended(thread.thread_id)
            raise

    async def open_queue(self, queue: QueueInput) -> None:
        """Have the queue run; one that does keeps its state."""
        await self._client.start_workflow(
            "Queue",
            queue,
            id=QUEUE,
            task_queue=SHARED_QUEUE,
            **listed(QUEUE_LISTING),
            task_timeout=WORKFLOW_TASK,
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
        )

    async def open_money(self, note: NoteLimits | None = None) -> None:
        """Have the workflow of limits run, and take a note; one that runs keeps its state."""
        told: dict[str, Any] = {}
        if note is not None:
            told = {"start_signal": "note_limits", "start_signal_args": [note]}
        await self._client.start_workflow(
            "Money",
            MoneyInput(),
            id=MONEY,
            task_queue=SHARED_QUEUE,
            **listed(MONEY_LISTING),
            task_timeout=WORKFLOW_TASK,
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
            **told,
        )

    async def open_tracker(self, name: str, watches: str = "") -> None:
        """Have a tracker's workflow run; one that does keeps its state. `watches` is how hints find it."""
        listing = Listing(
            kind="tracker",
            status="idle",
            title=f"the tracker {name}",
            look=f"temporal workflow describe --workflow-id {tracker_id(name)}",
            watches=watches,
        )
        await self._client.start_workflow(
            "Tracker",
            TrackerInput(name=name),
            id=tracker_id(name),
            task_queue=SHARED_QUEUE,
            **listed(listing),
            task_timeout=WORKFLOW_TASK,
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
        )

    async def _opened(self, start: WithStartWorkflowOperation[Any, Any], update_id: str) -> Answer:
        return await self._client.execute_update_with_start_workflow(  # pyright: ignore[reportUnknownMemberType, reportReturnType] (SDK's overloads)
            "open", id=update_id, start_workflow_operation=start, result_type=Answer
        )

    async def _ended(self, workflow_id: str) -> None:
        """Wait for the end of what refused to open: the next attempt needs a run of its own."""
        with suppress(TimeoutError, RPCError, WorkflowFailureError):
            async with asyncio.timeout(ENDING_SECONDS):
                await self._client.get_workflow_handle(workflow_id).result()


def listed(listing: Listing) -> dict[str, Any]:
    """Return what lists show of a workflow."""
    title = listing.shown_title
    titled = [SearchAttributePair(SearchAttributeKey.for_text(TITLE), title)]
    pairs = [
        SearchAttributePair(SearchAttributeKey.for_keyword(name), value)
        for name, value in listing.keywords.items()
    ]
    watching = {"watches": Public(listing.watches)} if listing.watches else {}
    return {
        "static_summary": Public(title),
        "static_details": Public(listing.details),
        "search_attributes": TypedSearchAttributes([*pairs, *titled]),
        "memo": {"title": Public(title), **watching},
    }
