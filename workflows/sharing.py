"""A session's side of the directory that chats of a thread share."""

import asyncio
from collections.abc import Awaitable, Callable

from temporalio import workflow
from temporalio.exceptions import ApplicationError, FailureError, is_cancelled_exception

from domain.agents.agents import StopReason, TurnResult
from domain.conversations.sessions.inputs import Grant
from domain.core.directories.commands import AskDirectory, FreeDirectory
from domain.core.ids import SessionId, ThreadId, TurnId
from workflows.signalling import reaches, send_signal


class Place:
    """A session's place in the queue for the shared directory."""

    def __init__(self, thread_id: ThreadId, session_id: SessionId) -> None:
        self._thread_id = thread_id
        self._session_id = session_id
        self._grants: dict[TurnId, int] = {}

    def take(self, grant: Grant) -> None:
        """Note that the directory is a turn's."""
        self._grants[grant.turn_id] = grant.number

    async def hold(
        self, turn_id: TurnId, run: Callable[[int], Awaitable[TurnResult]]
    ) -> TurnResult:
        """Run a turn once the directory is its own; one that is stopped before then is over."""
        asked = AskDirectory(session_id=self._session_id, turn_id=turn_id)
        try:
            await send_signal(self._thread_id, "ask_directory", asked)
            await workflow.wait_condition(lambda: turn_id in self._grants)
            result = await run(self._grants.pop(turn_id))
        except (asyncio.CancelledError, FailureError) as error:
            # a signal that was not sent yet ends in an error of Temporal's own, and so does one to a
            # thread that was terminated
            if not is_cancelled_exception(error) and not isinstance(error, ApplicationError):
                raise
            result = TurnResult(turn_id=turn_id, stop_reason=StopReason.CANCELLED)
        # not in a `finally`: an evicted workflow sends nothing
        await reaches(self._thread_id, "free_directory", FreeDirectory(turn_id=turn_id))
        return result
