"""Starts of workflows by their name: threads, flow runs, and the one queue."""

import json
from datetime import timedelta
from typing import Any

from temporalio.client import Client, WithStartWorkflowOperation, WorkflowUpdateFailedError
from temporalio.common import (
    Priority,
    SearchAttributeKey,
    SearchAttributePair,
    TypedSearchAttributes,
    WorkflowIDConflictPolicy,
)

from adapters.temporal.door import refusal
from domain.commands import Answer
from domain.ids import SHARED_QUEUE
from domain.queue.entry import EntryKind
from domain.queue.inputs import QUEUE, QueueInput, StartQueuedCall
from domain.seals import Public
from domain.threads.inputs import ThreadInput

WORKFLOW_TASK = timedelta(seconds=5)
FAIRNESS_KEY_BYTES = 64
"""What Temporal takes of a fairness key."""

MAX_SHOWN = 160
_ATTRIBUTES = ("TreadleKind", "TreadleProject", "TreadleStatus")


class Starter:
    """Starts workflows; one that runs is left as it is, so twice is once."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def start(self, call: StartQueuedCall, spec: str) -> None:
        """Start what waited in the queue; `spec` is its input as JSON.

        Temporal's own queues go by the entry's priority and project where tasks pile up.

        Raises:
            TreadleError: A thread refused to open.
        """
        key = call.project.encode()[-FAIRNESS_KEY_BYTES:].decode(errors="ignore")
        rank = Priority(priority_key=call.priority, fairness_key=key)
        if call.kind is EntryKind.FLOW:
            await self._start_flow(call, json.loads(spec), rank)
            return
        try:
            thread = ThreadInput.model_validate_json(spec)
            await self.open_thread(thread, f"open-{call.attempt}", rank)
        except WorkflowUpdateFailedError as error:
            raise refusal(error) from error

    async def _start_flow(self, call: StartQueuedCall, flow: Any, rank: Priority) -> None:
        project = _short(call.project)
        await self._client.start_workflow(
            "Flow",
            flow,
            id=call.entry_id,
            task_queue=SHARED_QUEUE,
            static_summary=Public(f"flow on {project}"),
            search_attributes=_attributes("flow", project, "idle"),
            task_timeout=WORKFLOW_TASK,
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
            priority=rank,
        )

    async def open_thread(
        self, thread: ThreadInput, update_id: str = "open", rank: Priority = Priority.default
    ) -> Answer:
        """Start a thread's workflow and wait until it is open.

        Temporal answers a known update id as before, though the thread that refused has ended: who
        tries again after a refusal needs another.

        Raises:
            WorkflowUpdateFailedError: It refused to open.
        """
        project = _short(thread.repository)
        start: WithStartWorkflowOperation[Any, Any] = WithStartWorkflowOperation(
            "Thread",
            thread,
            id=thread.thread_id,
            task_queue=SHARED_QUEUE,
            static_summary=Public(f"{thread.agent} on {project}"),
            search_attributes=_attributes("thread", project, "open"),
            task_timeout=WORKFLOW_TASK,
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
            priority=rank,
        )
        return await self._client.execute_update_with_start_workflow(  # pyright: ignore[reportUnknownMemberType, reportReturnType] (SDK's overloads)
            "open", id=update_id, start_workflow_operation=start, result_type=Answer
        )

    async def open_queue(self, queue: QueueInput) -> None:
        """Have the queue run; one that does keeps its state."""
        await self._client.start_workflow(
            "Queue",
            queue,
            id=QUEUE,
            task_queue=SHARED_QUEUE,
            static_summary=Public("what waits for its place"),
            search_attributes=_attributes("queue", "", "idle"),
            task_timeout=WORKFLOW_TASK,
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
        )


def _short(repository: str) -> str:
    return (repository.rstrip("/").rsplit("/", 1)[-1] or repository)[:MAX_SHOWN]


def _attributes(*values: str) -> TypedSearchAttributes:
    pairs = zip(map(SearchAttributeKey.for_keyword, _ATTRIBUTES), values, strict=True)
    return TypedSearchAttributes([SearchAttributePair(key, value) for key, value in pairs])
