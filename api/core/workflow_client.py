"""The client of the workflows: sends commands as updates, and starts workflows."""

import asyncio
import time
import uuid
from collections.abc import Awaitable, Callable
from contextlib import suppress
from datetime import timedelta
from functools import partial
from typing import Any, TypeVar

from temporalio.client import (
    Client,
    WorkflowFailureError,
    WorkflowUpdateFailedError,
)
from temporalio.common import WorkflowIDConflictPolicy, WorkflowIDReusePolicy
from temporalio.exceptions import WorkflowAlreadyStartedError
from temporalio.service import RPCError, RPCStatusCode

from adapters.temporal import FIRST, Starter, TemporalCommands, cli_options, is_answering, is_polled
from api.core.admission import Admission
from api.core.answering import AWAY, PAUSE_SECONDS, answering, until_taken
from api.core.pending import CommandPendingError
from api.core.workflow_queries import ANSWER_SECONDS, OPENING_SECONDS, WorkflowQueries
from domain.agents.checks import CheckInput
from domain.core.answered import Outcome
from domain.core.command import Answer, Command
from domain.core.errors import NotConfirmedError, UnavailableError
from domain.core.ids import SHARED_QUEUE, CommandId
from domain.core.json_parts import has_more_parts
from domain.core.ports import CodeKey
from domain.flows.inputs import FlowInput
from domain.money.inputs import MONEY
from domain.queue.entry import QueueLimits
from domain.queue.inputs import QUEUE, QueueInput
from domain.recipes.checks import RecipeCheckInput
from domain.threads.inputs import ThreadInput
from domain.threads.lifecycle.ended import EndedInput
from workflows import options
from workflows.agents import AgentCheckWorkflow
from workflows.attributes import listed
from workflows.doors import MAX_PARTS
from workflows.ended import EndedWorkflow
from workflows.flow import FlowWorkflow
from workflows.recipes import RecipeCheckWorkflow
from workflows.thread import ThreadWorkflow

C = TypeVar("C", CheckInput, RecipeCheckInput)

PATIENCE_SECONDS = 10.0
"""How long a command may wait for its turn and its answer; then its sender is told where to ask."""

LEAVING_SECONDS = 5.0
ENDING_SECONDS = 20.0
HEALTH_SECONDS = 2.0
CHECK_TIMEOUT = timedelta(hours=2)


def _identified(command: Command) -> Command:
    """Return a command with an id: it may be sent more than once."""
    if command.command_id:
        return command
    return command.model_copy(update={"command_id": CommandId(uuid.uuid4().hex)})


def _not_sent(workflow_id: str, error: TimeoutError) -> NotConfirmedError:
    unsent = NotConfirmedError(f"Treadle is busy: the command to {workflow_id!r} was not sent")
    unsent.__cause__ = error
    return unsent


class WorkflowClient(WorkflowQueries):
    """Opens threads and sends commands; always answers, and in time."""

    def __init__(self, client: Client, key: CodeKey) -> None:
        super().__init__(client)
        self._workflows = TemporalCommands(client, key)
        self._starter = Starter(client)
        self._admission = Admission()

    @property
    def cli_options(self) -> str:
        """The options with which Temporal's command line reaches this cluster, as shell text."""
        return cli_options(self._client)

    async def send(self, workflow_id: str, command: Command) -> Answer:
        """Send a command and return its answer; repeating a command id is harmless.

        Raises:
            TreadleError: The workflow refused it, or there is none.
            CommandPendingError: It was not answered in time, and is left for the workflow to take.
            RefusedError: Too many commands wait (429).
        """
        command = _identified(command)
        try:
            async with (
                asyncio.timeout(PATIENCE_SECONDS),
                self._admission.place(workflow_id),
                answering(workflow_id, ANSWER_SECONDS),
            ):
                return await self._sent(workflow_id, command)
        except TimeoutError as error:
            return await self._leave(workflow_id, command, _not_sent(workflow_id, error))
        except NotConfirmedError as error:
            return await self._leave(workflow_id, command, error)

    async def _leave(
        self, workflow_id: str, command: Command, unconfirmed: NotConfirmedError
    ) -> Answer:
        """Leave a command at Temporal, where it means the same later and a signal takes it.

        One that its workflow took before it ended is answered.
        """
        if not command.may_be_late or has_more_parts(command.model_dump(), MAX_PARTS):
            raise unconfirmed
        async with answering(workflow_id, LEAVING_SECONDS):
            earlier = await self._workflows.leave(workflow_id, command)
        if earlier:
            return earlier
        raise CommandPendingError(workflow_id, command.command_id)

    async def outcome(self, workflow_id: str, command_id: CommandId) -> Outcome:
        """Return what became of a command that was left; it waits where no worker answers.

        Raises:
            TreadleError: There is no such workflow, or Temporal does not answer.
        """
        try:
            async with answering(workflow_id, ANSWER_SECONDS):
                return await self._workflows.outcome(workflow_id, command_id)
        except NotConfirmedError:
            return Outcome()

    async def send_to_queue(self, command: Command, defaults: QueueLimits) -> Answer:
        """Send the queue a command; start the queue if it is not running yet.

        Raises:
            TreadleError: The queue refused it, or none answers.
        """
        opening = partial(self._starter.open_queue, QueueInput(defaults=defaults))
        return await self._send_opened(QUEUE, opening, command)

    async def send_to_money(self, command: Command) -> Answer:
        """Send a command about spending limits; fails as `send_to_queue`."""
        return await self._send_opened(MONEY, self._starter.open_money, command)

    async def _send_opened(
        self, workflow_id: str, opening: Callable[[], Awaitable[None]], command: Command
    ) -> Answer:
        await self._require_up()
        command = _identified(command)
        async with answering(workflow_id, ANSWER_SECONDS):
            await opening()
        return await self.send(workflow_id, command)

    async def _sent(self, workflow_id: str, command: Command) -> Answer:
        """Send a command, and retry while Temporal is busy; its id makes that safe."""
        send = partial(self._workflows.send, workflow_id, command)
        return await (until_taken(send) if command.command_id else send())

    async def open_thread(self, thread: ThreadInput, attempt: str = FIRST) -> Answer:
        """Start a thread's workflow and wait until it is open; repeating its id is harmless.

        One attempt gets one answer for ever; after a refusal another one opens anew.

        Raises:
            TreadleError: The repository, agent or template cannot be used, or none answers.
        """
        await self._require_up()
        try:
            async with answering(thread.thread_id, OPENING_SECONDS):
                return await until_taken(partial(self._starter.open_thread, thread, attempt))
        except NotConfirmedError as error:
            raise NotConfirmedError(
                f"{error.message}; its repository may not be reachable. "
                f"Cancel it with `treadle cancel {thread.thread_id}`"
            ) from error

    async def start_check(self, check: CheckInput) -> CheckInput:
        """Start a check of an agent; return it with the number that it got. Fails where Temporal is away."""
        return await self._start_numbered(AgentCheckWorkflow.run, check)

    async def start_recipe_check(self, check: RecipeCheckInput) -> RecipeCheckInput:
        """Start a check of a recipe; fails as `start_check`."""
        return await self._start_numbered(RecipeCheckWorkflow.run, check)

    async def _start_numbered(self, run: Callable[[Any, C], Any], check: C) -> C:
        await self._require_up()
        while True:
            try:
                async with answering(check.stream, ANSWER_SECONDS):
                    await self._client.start_workflow(
                        run,
                        check,
                        id=check.stream,
                        task_queue=SHARED_QUEUE,
                        **listed(check.listing),
                        task_timeout=options.WORKFLOW_TASK,
                        execution_timeout=CHECK_TIMEOUT,
                        id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
                    )
            except WorkflowAlreadyStartedError:
                check = check.model_copy(update={"number": check.number + 1})
            else:
                return check

    async def open_flow(self, flow: FlowInput) -> FlowInput:
        """Start a flow run and wait until it is open; return it with the number that it got.

        Raises:
            TreadleError: The repository cannot be used, or none answers.
        """
        await self._require_up()
        while not await self._began(flow):
            flow = flow.numbered(flow.number + 1)
        return flow

    async def _began(self, flow: FlowInput) -> bool:
        """Start a run, or find that the same command started it; False if its id is taken."""
        run = self._client.get_workflow_handle_for(FlowWorkflow.run, flow.run_id)
        is_new = True
        async with answering(flow.run_id, OPENING_SECONDS):
            try:
                await self._client.start_workflow(
                    FlowWorkflow.run,
                    flow,
                    id=flow.run_id,
                    task_queue=SHARED_QUEUE,
                    **listed(flow.listing),
                    task_timeout=options.WORKFLOW_TASK,
                    id_reuse_policy=WorkflowIDReusePolicy.REJECT_DUPLICATE,
                )
            except WorkflowAlreadyStartedError:
                is_new = False
            if not is_new and not flow.command_id:
                return False
            try:
                opened: Answer = await run.execute_update(  # pyright: ignore[reportUnknownMemberType, reportAssignmentType] (SDK's overloads)
                    "open", id="open", result_type=Answer
                )
            except (WorkflowUpdateFailedError, RPCError) as error:
                is_ended = isinstance(error, WorkflowUpdateFailedError) or (
                    error.status is RPCStatusCode.NOT_FOUND
                )
                if is_new or not is_ended:
                    raise
                return False
        return is_new or opened.data.get("command_id") == flow.command_id

    async def terminate(self, workflow_id: str, reason: str) -> None:
        """Terminate a check that no worker has started."""
        with suppress(RPCError):
            await self._client.get_workflow_handle(workflow_id).terminate(reason)

    async def await_end(self, workflow_id: str) -> str | None:
        """Wait a while for a thread's end and return its last message; None if it continues."""
        handle = self._client.get_workflow_handle_for(ThreadWorkflow.run, workflow_id)
        try:
            async with asyncio.timeout(ENDING_SECONDS):
                return await handle.result()
        except (TimeoutError, RPCError, WorkflowFailureError):
            return None

    async def carry_out_ended(self, given: EndedInput) -> Answer:
        """Carry out a command for what was terminated; the same id again gives the same answer."""
        async with answering(given.stream, ENDING_SECONDS):
            return await self._client.execute_workflow(
                EndedWorkflow.run,
                given,
                id=given.workflow_id,
                task_queue=SHARED_QUEUE,
                task_timeout=options.WORKFLOW_TASK,
                id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
            )

    async def _require_up(self) -> None:
        """Refuse what would wait for a Temporal that is away; a slow one is waited for, a failing one asked again."""
        asked = time.monotonic()
        while not await self.is_up(PATIENCE_SECONDS):
            if time.monotonic() - asked > HEALTH_SECONDS:
                raise UnavailableError(AWAY)
            await asyncio.sleep(PAUSE_SECONDS)

    async def is_up(self, seconds: float = HEALTH_SECONDS) -> bool:
        """Tell whether Temporal answers within so many seconds, from its database."""
        try:
            async with asyncio.timeout(seconds):
                return await is_answering(self._client)
        except (RPCError, RuntimeError, TimeoutError):
            return False

    async def has_worker(self) -> bool | None:
        """Tell whether a worker is running; None if Temporal does not say."""
        try:
            async with asyncio.timeout(HEALTH_SECONDS):
                return await is_polled(self._client, SHARED_QUEUE)
        except (RPCError, RuntimeError, TimeoutError):
            return None
