"""Commands to workflows as updates, and the results of task workflows."""

import uuid
from contextlib import suppress

from temporalio.client import (
    Client,
    WorkflowFailureError,
    WorkflowQueryFailedError,
    WorkflowUpdateFailedError,
)
from temporalio.exceptions import ApplicationError
from temporalio.service import RPCError, RPCStatusCode

from domain.core import errors
from domain.core.answered import Outcome, fingerprint
from domain.core.approvals import decision_code
from domain.core.command import Answer, Command, Proven
from domain.core.errors import TreadleError
from domain.core.ids import CommandId
from domain.core.ports import CodeKey
from domain.core.seals import Unsealed
from domain.core.task_names import workflow_called
from domain.tasks.inputs import TaskResult

_ENDED_MEANWHILE = "AcceptedUpdateCompletedWorkflow"
"""What the server answers where a workflow ended with an update under way."""


class TemporalCommands:
    """Sends commands to workflows as updates: the tool server's and the API's way in.

    With the key it gives people's commands their code; the tool server has none.
    """

    def __init__(self, client: Client, key: CodeKey | None = None) -> None:
        self._client = client
        self._key = key

    async def send(self, workflow_id: str, command: Command) -> Answer:
        """Send a command and return its answer; the command's id makes it once.

        Raises:
            TreadleError: The workflow refused it, or there is no such workflow.
        """
        handle = self._client.get_workflow_handle(workflow_id)
        command = self._coded(workflow_id, command)
        # Temporal answers a known update id without asking the workflow, whatever it says now
        update_id = f"{command.command_id}/{fingerprint(command)}" if command.command_id else None
        command = command.model_copy(update={"sent_to": command.door})
        try:
            answer: Answer | Unsealed = await handle.execute_update(  # pyright: ignore[reportUnknownMemberType] SDK's type
                command.door,
                command,
                id=update_id,
                result_type=Answer,
            )
        except WorkflowUpdateFailedError as error:
            raise refusal(error) from error
        except RPCError as error:
            if error.status is RPCStatusCode.NOT_FOUND:
                return await self._answered_before(workflow_id, command)
            raise
        if isinstance(answer, Unsealed):
            raise errors.UnavailableError("something else than a worker of Treadle answered")
        return answer

    async def leave(self, workflow_id: str, command: Command) -> Answer | None:
        """Leave a command for a workflow to take when it can: it lies at Temporal, and is not answered.

        Its id makes it once, also where it was sent before. `outcome` tells what became of it. A workflow
        that took it before, and has ended since, gives its answer here.

        Raises:
            TreadleError: There is no such workflow, or it has ended without it.
        """
        handle = self._client.get_workflow_handle(workflow_id)
        try:
            coded = self._coded(workflow_id, command)
            await handle.signal(command.door, coded.model_copy(update={"sent_to": command.door}))
        except RPCError as error:
            if error.status is RPCStatusCode.NOT_FOUND:
                return await self._answered_before(workflow_id, command)
            raise
        return None

    async def outcome(self, workflow_id: str, command_id: CommandId) -> Outcome:
        """Return what became of a command that was left.

        Raises:
            TreadleError: There is no such workflow.
        """
        handle = self._client.get_workflow_handle(workflow_id)
        try:
            return await handle.query("outcome", command_id, result_type=Outcome)
        except WorkflowQueryFailedError as error:
            raise errors.NotFoundError(
                f"{workflow_called(workflow_id)} takes no commands"
            ) from error
        except RPCError as error:
            if error.status is RPCStatusCode.NOT_FOUND:
                raise await self._missing(workflow_id) from error
            raise

    async def _answered_before(self, workflow_id: str, command: Command) -> Answer:
        """Return what a workflow that is not there any more answered to a command.

        Raises:
            TreadleError: It answered nothing, or there never was one.
        """
        missing = await self._missing(workflow_id)
        if command.command_id and isinstance(missing, errors.WrongStateError):
            with suppress(errors.NotFoundError):
                outcome = await self.outcome(workflow_id, command.command_id)
                if answer := outcome.given_to(command):
                    return answer
        raise missing

    def _coded(self, workflow_id: str, command: Command) -> Command:
        if self._key is None or not isinstance(command, Proven):
            return command
        return _sealed(self._key.read(), workflow_id, command)

    async def _missing(self, workflow_id: str) -> TreadleError:
        """Tell a closed workflow from one that never was, by asking and not by message text."""
        try:
            described = await self._client.get_workflow_handle(workflow_id).describe()
        except RPCError:
            return errors.NotFoundError(f"there is no {workflow_called(workflow_id)}")
        status = described.status.name.lower() if described.status else "closed"
        return errors.WrongStateError(f"{workflow_called(workflow_id)} has ended ({status})")


def _sealed(key: bytes, workflow_id: str, command: Proven) -> Proven:
    """Return a command with its code, and with an id of its own where its sender gave none."""
    named = {"command_id": command.command_id or CommandId(uuid.uuid4().hex)}
    command = command.model_copy(update=named)
    code = decision_code(
        key, workflow_id, command.request, command.choice, command.content, by=command.by
    )
    return command.model_copy(update={"code": code})


def refusal(error: WorkflowUpdateFailedError) -> TreadleError:
    """Return the domain error that a workflow answered an update with."""
    cause = error.cause
    if isinstance(cause, ApplicationError):
        if cause.type == _ENDED_MEANWHILE:
            return errors.WrongStateError("it ended before it took the command")
        return errors.error_named(cause.type or "", cause.message)
    return errors.InvalidError(str(cause or error))


class TaskResults:
    """The results of task workflows."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def result_of(self, workflow_id: str) -> TaskResult:
        """Wait for a task workflow's end and return its result.

        Raises:
            ApplicationError: Not retryable: it was terminated or has failed, its history is gone, or
                something else than Treadle made its result.
        """
        handle = self._client.get_workflow_handle(workflow_id, result_type=TaskResult)
        try:
            result: TaskResult | Unsealed = await handle.result()
        except WorkflowFailureError as error:
            raise _lost(f"{workflow_id} ended without a result: {error.cause}") from error
        except RPCError as error:
            if error.status is not RPCStatusCode.NOT_FOUND:
                raise
            raise _lost(f"Temporal has no history of {workflow_id}") from error
        if isinstance(result, Unsealed):
            raise _lost(f"the result of {workflow_id} was not made by Treadle")
        return result


def _lost(message: str) -> ApplicationError:
    return ApplicationError(message, type="task_lost", non_retryable=True)
