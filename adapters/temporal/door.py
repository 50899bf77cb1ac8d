"""Commands to workflows as updates, and the results of task workflows."""

from temporalio.client import Client, WorkflowUpdateFailedError
from temporalio.exceptions import ApplicationError
from temporalio.service import RPCError, RPCStatusCode

from domain import errors
from domain.commands import Answer, Command
from domain.errors import TreadleError
from domain.tasks.inputs import TaskResult


class TemporalDoor:
    """Sends commands to workflows as updates: the tool server's and the API's way in."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def send(self, workflow_id: str, command: Command) -> Answer:
        """Send a command and return its answer; the command's id makes it once.

        Raises:
            TreadleError: The workflow refused it, or there is no such workflow.
        """
        handle = self._client.get_workflow_handle(workflow_id)
        try:
            return await handle.execute_update(  # pyright: ignore[reportUnknownMemberType] SDK's type
                command.door,
                command,
                id=command.command_id or None,
                result_type=Answer,
            )
        except WorkflowUpdateFailedError as error:
            raise refusal(error) from error
        except RPCError as error:
            if error.status is RPCStatusCode.NOT_FOUND:
                raise await self._missing(workflow_id) from error
            raise

    async def _missing(self, workflow_id: str) -> TreadleError:
        """Tell a closed workflow from one that never was, by asking and not by message text."""
        try:
            described = await self._client.get_workflow_handle(workflow_id).describe()
        except RPCError:
            return errors.NotFoundError(f"there is no {workflow_id!r}")
        status = described.status.name.lower() if described.status else "closed"
        return errors.WrongStateError(f"{workflow_id!r} has ended ({status})")


def refusal(error: WorkflowUpdateFailedError) -> TreadleError:
    """Return the domain error that a workflow answered an update with."""
    cause = error.cause
    if isinstance(cause, ApplicationError):
        for kind in _all_errors(TreadleError):
            if kind.type == cause.type:
                return kind(cause.message)
        return errors.InvalidError(cause.message)
    return errors.InvalidError(str(cause or error))


def _all_errors(root: type[TreadleError]) -> list[type[TreadleError]]:
    return [root, *(e for child in root.__subclasses__() for e in _all_errors(child))]


class TaskResults:
    """The results of task workflows."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def result_of(self, workflow_id: str) -> TaskResult:
        """Wait for a task workflow's end and return its result."""
        handle = self._client.get_workflow_handle(workflow_id, result_type=TaskResult)
        return await handle.result()
