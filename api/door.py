"""The way from the API to the workflows: every command as an update that is validated and answered."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import Any

from temporalio.client import (
    Client,
    WithStartWorkflowOperation,
    WorkflowFailureError,
    WorkflowUpdateFailedError,
    WorkflowUpdateRPCTimeoutOrCancelledError,
)
from temporalio.common import WorkflowIDConflictPolicy, WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.service import RPCError, RPCStatusCode

from adapters.temporal import TemporalDoor, refusal
from domain.agent_checks import CheckInput
from domain.commands import Answer, Command
from domain.errors import NotConfirmedError, UnavailableError
from domain.ids import SHARED_QUEUE
from domain.ports import CodeKey
from domain.seals import Public
from domain.threads.inputs import ThreadInput
from workflows import options
from workflows.agents import AgentCheckWorkflow
from workflows.attributes import at_start, project_name
from workflows.thread import ThreadWorkflow

ANSWER_SECONDS = 5.0
OPENING_SECONDS = 30.0
"""A thread is open when its repository was looked at, which git may need a while for."""

ENDING_SECONDS = 20.0
HEALTH_SECONDS = 2.0
CHECK_TIMEOUT = timedelta(hours=2)
SILENT = frozenset({RPCStatusCode.UNAVAILABLE, RPCStatusCode.DEADLINE_EXCEEDED})
AWAY = "Temporal does not answer, so nothing can be changed now; reading works"


class WorkflowDoor:
    """Opens threads and sends commands, with an answer in any case and in time."""

    def __init__(self, client: Client, key: CodeKey) -> None:
        self._client = client
        self._door = TemporalDoor(client, key)

    @property
    def address(self) -> str:
        """The host and port of Temporal."""
        return self._client.service_client.config.target_host

    async def send(self, workflow_id: str, command: Command) -> Answer:
        """Send a command and return its answer; the same command id twice is the same as once.

        Raises:
            TreadleError: What the workflow refused, that there is none, or that none answers.
        """
        async with _answering(workflow_id, ANSWER_SECONDS):
            return await self._door.send(workflow_id, command)

    async def open_thread(self, thread: ThreadInput) -> Answer:
        """Start a thread's workflow and wait until it is open; again with its id is the same.

        Raises:
            TreadleError: The repository, agent or template is not usable, or none answers.
        """
        if not await self.is_up():
            raise UnavailableError(AWAY)
        start: WithStartWorkflowOperation[Any, Any] = WithStartWorkflowOperation(
            ThreadWorkflow.run,
            thread,
            id=thread.thread_id,
            task_queue=SHARED_QUEUE,
            static_summary=Public(f"{thread.agent} on {project_name(thread.repository)}"),
            search_attributes=at_start("thread", project_name(thread.repository), "open"),
            task_timeout=options.WORKFLOW_TASK,
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
        )
        try:
            async with _answering(thread.thread_id, OPENING_SECONDS):
                return await self._client.execute_update_with_start_workflow(  # pyright: ignore[reportUnknownMemberType, reportReturnType] (SDK's overloads)
                    ThreadWorkflow.open, id="open", start_workflow_operation=start
                )
        except NotConfirmedError as error:
            raise NotConfirmedError(
                f"{error.message}; its repository may not be reachable. "
                f"`treadle cancel {thread.thread_id}` gives it up"
            ) from error

    async def start_check(self, check: CheckInput) -> CheckInput:
        """Start a check of an agent; returns it with a number that was free.

        Raises:
            UnavailableError: Temporal does not answer.
        """
        if not await self.is_up():
            raise UnavailableError(AWAY)
        while True:
            try:
                async with _answering(check.stream, ANSWER_SECONDS):
                    await self._client.start_workflow(
                        AgentCheckWorkflow.run,
                        check,
                        id=check.stream,
                        task_queue=SHARED_QUEUE,
                        static_summary=Public(f"{check.kind} {check.agent}"),
                        search_attributes=at_start("agent", check.agent, str(check.kind)),
                        task_timeout=options.WORKFLOW_TASK,
                        execution_timeout=CHECK_TIMEOUT,
                        id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
                    )
            except WorkflowAlreadyStartedError:
                check = check.model_copy(update={"number": check.number + 1})
            else:
                return check

    async def give_up(self, check: CheckInput) -> None:
        """End a check that no worker took: one that came later would be nobody's."""
        with suppress(RPCError):
            await self._client.get_workflow_handle(check.stream).terminate("no worker took it")

    async def ending(self, workflow_id: str) -> str | None:
        """Wait a while for a thread's end and return its last words; None while it goes on."""
        handle = self._client.get_workflow_handle_for(ThreadWorkflow.run, workflow_id)
        try:
            async with asyncio.timeout(ENDING_SECONDS):
                return await handle.result()
        except (TimeoutError, RPCError, WorkflowFailureError):
            return None

    async def is_up(self) -> bool:
        """Tell whether Temporal answers."""
        try:
            async with asyncio.timeout(HEALTH_SECONDS):
                return await self._client.service_client.check_health()
        except (RPCError, RuntimeError, TimeoutError):
            return False


@asynccontextmanager
async def _answering(workflow_id: str, seconds: float) -> AsyncGenerator[None]:
    """Turn silence and refusals of Temporal into the domain's errors."""
    try:
        async with asyncio.timeout(seconds):
            yield
    except WorkflowUpdateFailedError as error:
        raise refusal(error) from error
    except (TimeoutError, WorkflowUpdateRPCTimeoutOrCancelledError) as error:
        raise NotConfirmedError(
            f"no worker answered for {workflow_id!r} within {seconds:g} s: "
            "the command is not confirmed, it may still be carried out"
        ) from error
    except RPCError as error:
        said = AWAY if error.status in SILENT else f"Temporal refused: {error.message}"
        raise UnavailableError(said) from error
    except RuntimeError as error:  # a lazy client could not connect
        raise UnavailableError(AWAY) from error
