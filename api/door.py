"""The way from the API to the workflows: every command as an update that is validated and answered."""

import asyncio
import uuid
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

from temporalio.client import (
    Client,
    WithStartWorkflowOperation,
    WorkflowHandle,
    WorkflowUpdateFailedError,
    WorkflowUpdateRPCTimeoutOrCancelledError,
)
from temporalio.common import WorkflowIDConflictPolicy, WorkflowIDReusePolicy
from temporalio.exceptions import ApplicationError
from temporalio.service import RPCError, RPCStatusCode

from domain.commands import Answer, Command
from domain.errors import NotFoundError, TreadleError, UnavailableError, WrongStateError
from domain.ids import SHARED_QUEUE
from domain.threads.inputs import ThreadInput

Connect = Callable[[], Awaitable[Client]]

CONNECT_SECONDS = 5.0
ANSWER_SECONDS = 30.0
AWAY = "Temporal does not answer, so nothing can be changed now; reading works"


class WorkflowDoor:
    """Sends commands; connects at the first one, so that reading needs no Temporal."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect
        self._client: Client | None = None
        self._connecting = asyncio.Lock()

    async def send(self, workflow_id: str, command: Command) -> Answer:
        """Send a command and return its answer; the same command id twice is the same as once.

        Raises:
            TreadleError: What the workflow refused, that there is none, or that none answers.
        """
        client = await self._connected()
        handle = client.get_workflow_handle(workflow_id)
        update_id = command.command_id or str(uuid.uuid4())
        async with _translated(workflow_id, handle):
            return await handle.execute_update(  # pyright: ignore[reportUnknownMemberType] (SDK)
                command.door, command, id=update_id, result_type=Answer
            )

    async def open_thread(self, thread: ThreadInput) -> Answer:
        """Start a thread's workflow and wait until it is open; again with its id is the same.

        Raises:
            TreadleError: The repository, agent or template is not usable, or none answers.
        """
        client = await self._connected()
        start: WithStartWorkflowOperation[Any, Any] = WithStartWorkflowOperation(
            "ThreadWorkflow",
            thread,
            id=thread.thread_id,
            task_queue=SHARED_QUEUE,
            static_summary=thread.goal[:200],
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
            id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
        )
        async with _translated(thread.thread_id, None):
            return await client.execute_update_with_start_workflow(  # pyright: ignore[reportUnknownMemberType] (SDK)
                "open", id="open", start_workflow_operation=start, result_type=Answer
            )

    async def is_up(self) -> bool:
        """Tell whether Temporal answers."""
        try:
            client = await self._connected()
            return await client.service_client.check_health()
        except (UnavailableError, RPCError):
            return False

    async def _connected(self) -> Client:
        async with self._connecting:
            if self._client is None:
                try:
                    async with asyncio.timeout(CONNECT_SECONDS):
                        self._client = await self._connect()
                except (RuntimeError, TimeoutError) as error:  # what the SDK raises
                    raise UnavailableError(AWAY) from error
            return self._client


@asynccontextmanager
async def _translated(
    workflow_id: str, handle: WorkflowHandle[Any, Any] | None
) -> AsyncGenerator[None]:
    """Turn what Temporal raises into the domain's errors."""
    try:
        async with asyncio.timeout(ANSWER_SECONDS):
            yield
    except WorkflowUpdateFailedError as error:
        raise _refusal(error) from error
    except (TimeoutError, WorkflowUpdateRPCTimeoutOrCancelledError) as error:
        raise UnavailableError(
            f"no worker answered for {workflow_id!r} within {ANSWER_SECONDS:g} s; "
            "the command may still be carried out, sending it again is safe"
        ) from error
    except RPCError as error:
        raise await _explained(error, workflow_id, handle) from error


def _refusal(error: WorkflowUpdateFailedError) -> TreadleError:
    cause = error.cause
    if not isinstance(cause, ApplicationError):
        return WrongStateError(f"the workflow ended before it answered: {cause}")
    for known in _tree(TreadleError):
        if known.type == cause.type:
            return known(cause.message)
    return TreadleError(cause.message)


def _tree(root: type[TreadleError]) -> Iterator[type[TreadleError]]:
    yield root
    for child in root.__subclasses__():
        yield from _tree(child)


async def _explained(
    error: RPCError, workflow_id: str, handle: WorkflowHandle[Any, Any] | None
) -> TreadleError:
    """Say what an RPC error means; a missing and a closed workflow look alike (facts on Temporal)."""
    if error.status is RPCStatusCode.ALREADY_EXISTS:
        return WrongStateError(f"{workflow_id!r} was opened before and is over: choose another id")
    if error.status is not RPCStatusCode.NOT_FOUND or handle is None:
        return UnavailableError(AWAY)
    try:
        await handle.describe()
    except RPCError as missing:
        if missing.status is RPCStatusCode.NOT_FOUND:
            return NotFoundError(f"there is no {workflow_id!r}")
        return UnavailableError(AWAY)
    return WrongStateError(f"{workflow_id!r} is over and takes no more commands")
