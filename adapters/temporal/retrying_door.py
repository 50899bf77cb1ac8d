"""The tool server's way to the workflows: it sends again what a busy Temporal did not answer."""

import asyncio

from temporalio.client import WorkflowUpdateRPCTimeoutOrCancelledError
from temporalio.service import RPCError, RPCStatusCode

from domain.core.command import Answer, Command
from domain.core.errors import UnavailableError
from domain.core.ports import CommandDoor

PAUSE_SECONDS = 0.5
FINAL = frozenset(
    {
        RPCStatusCode.INVALID_ARGUMENT,
        RPCStatusCode.PERMISSION_DENIED,
        RPCStatusCode.UNAUTHENTICATED,
        RPCStatusCode.UNIMPLEMENTED,
    }
)
"""What Temporal says again, however often it is asked."""


class RetryingDoor:
    """Sends a command until it is answered; whoever waits for it says how long.

    The same command is the same update, so however often it is sent, it is carried out once. One
    without an id could be carried out twice: it is sent once.
    """

    def __init__(self, door: CommandDoor, *, pause_seconds: float = PAUSE_SECONDS) -> None:
        self._door = door
        self._pause_seconds = pause_seconds

    async def send(self, workflow_id: str, command: Command) -> Answer:
        """Send a command and return its answer.

        Raises:
            TreadleError: It was refused, or Temporal does not answer and it cannot be sent again.
            CancelledError: Nobody waits any longer.
        """
        while True:
            try:
                return await self._door.send(workflow_id, command)
            except WorkflowUpdateRPCTimeoutOrCancelledError as error:
                _pass_cancellation_on(error)
                missed: Exception = error
            except RPCError as error:
                if error.status in FINAL:
                    raise UnavailableError(f"Temporal refused: {error.message}") from error
                missed = error
            if not command.command_id:
                raise UnavailableError(
                    "Treadle is too busy to answer: it may still be carried out; look before you "
                    "call it again"
                ) from missed
            await asyncio.sleep(self._pause_seconds)


def _pass_cancellation_on(error: Exception) -> None:
    """Tell a call that nobody waits for from one that took too long: the SDK says both in one word."""
    task = asyncio.current_task()
    if task is not None and task.cancelling():
        raise asyncio.CancelledError from error
