"""The `PrunedWorkflows` port, and the start of a prune."""

import asyncio
from collections.abc import Collection
from datetime import timedelta

from temporalio.api.common.v1 import WorkflowExecution
from temporalio.api.workflowservice.v1 import DeleteWorkflowExecutionRequest
from temporalio.client import Client, WorkflowExecutionStatus, WorkflowFailureError
from temporalio.common import WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.service import RPCError, RPCStatusCode

from adapters.temporal.door import TemporalCommands
from adapters.temporal.starting import WORKFLOW_TASK, listed
from domain.core.command import Command
from domain.core.ids import SHARED_QUEUE, ThreadId
from domain.core.listing import Listing
from domain.core.ports import CodeKey
from domain.retention.calls import PruneInput

END_SECONDS = 300.0
"""How long a thread may take to remove itself: its host may be away."""

LOOKS = 40
"""How often it is looked whether something has ended before it is left alone."""

_NOT_ALLOWED = (RPCStatusCode.PERMISSION_DENIED, RPCStatusCode.UNIMPLEMENTED)
_PAUSE_SECONDS = 0.5


class TemporalPrunedWorkflows:
    """Has threads delete themselves, and removes their histories."""

    def __init__(self, client: Client, key: CodeKey) -> None:
        self._client = client
        self._commands = TemporalCommands(client, key)

    async def delete(self, thread: ThreadId, command: Command) -> None:
        """Send a thread the command to delete itself; again is once.

        Raises:
            TreadleError: It refuses, or there is none.
        """
        await self._commands.send(thread, command)

    async def await_end(self, thread: ThreadId) -> str | None:
        """Wait for the end of a thread and return its last message; None where it does not end in time."""
        handle = self._client.get_workflow_handle(thread, result_type=str)
        try:
            async with asyncio.timeout(END_SECONDS):
                return str(await handle.result())
        except (TimeoutError, WorkflowFailureError):
            return None
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise
            return None

    async def erase(self, thread: ThreadId, workflows: Collection[str]) -> int:
        """Remove the histories of workflows that have ended; returns how many there were.

        A cluster that does not allow it keeps them for its own retention.
        """
        count = 0
        for workflow_id in {thread, *workflows}:
            if workflow_id == thread or workflow_id.startswith(f"{thread}/"):
                try:
                    count += await self._erase(workflow_id)
                except RPCError as error:
                    if error.status not in _NOT_ALLOWED:
                        raise
        return count

    async def _erase(self, workflow_id: str) -> int:
        """Remove all runs of one id once none of them runs; those of one that goes on are left."""
        for _ in range(LOOKS):
            if not await self._is_running(workflow_id):
                break
            await asyncio.sleep(_PAUSE_SECONDS)
        else:
            return 0
        query = f"WorkflowId = '{workflow_id}'"
        runs = [run.run_id async for run in self._client.list_workflows(query)]
        for run_id in runs:
            await self._erase_run(workflow_id, run_id)
        return len(runs)

    async def _is_running(self, workflow_id: str) -> bool:
        try:
            about = await self._client.get_workflow_handle(workflow_id).describe()
        except RPCError as error:
            if error.status is RPCStatusCode.NOT_FOUND:
                return False
            raise
        return about.status is WorkflowExecutionStatus.RUNNING

    async def _erase_run(self, workflow_id: str, run_id: str) -> None:
        request = DeleteWorkflowExecutionRequest(
            namespace=self._client.namespace,
            workflow_execution=WorkflowExecution(workflow_id=workflow_id, run_id=run_id),
        )
        try:
            await self._client.workflow_service.delete_workflow_execution(request)
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise


async def start_prune(client: Client, prune: PruneInput) -> bool:
    """Start a prune; False where one of its id was started before."""
    title = f"{len(prune.threads)} threads"
    listing = Listing(kind="prune", status="running", title=title, look="treadle prune --list")
    try:
        await client.start_workflow(
            "Prune",
            prune,
            id=prune.prune_id,
            task_queue=SHARED_QUEUE,
            **listed(listing),
            task_timeout=WORKFLOW_TASK,
            execution_timeout=timedelta(days=7),
            id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
        )
    except WorkflowAlreadyStartedError:
        return False
    return True
