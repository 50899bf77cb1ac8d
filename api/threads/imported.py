"""A session that is continued again: its thread is there, and gets what is said now."""

from api.core.commands import CommandsDep
from api.core.dependencies import RedactorDep, ThreadsDep
from api.sessions.bodies import MessageBody
from api.threads.bodies import ThreadBody
from domain.conversations.commands import SendMessage
from domain.core.command import Answer
from domain.core.errors import NotFoundError
from domain.core.ids import ThreadId
from domain.threads.inputs import ThreadInput


class ImportedBefore:
    """Says in the thread of a session what would have opened it."""

    def __init__(self, threads: ThreadsDep, redactor: RedactorDep, commands: CommandsDep) -> None:
        self._threads = threads
        self._redactor = redactor
        self._commands = commands

    async def is_open(self, thread_id: ThreadId) -> bool:
        """Tell whether the session has a thread."""
        return await self._goal_of(thread_id) is not None

    async def say(self, thread: ThreadInput, body: ThreadBody) -> Answer | None:
        """Send the goal as a message to a thread that is open; None where it opened with this goal.

        Raises:
            TreadleError: The caller may not say anything there, or the thread takes no messages any more.
        """
        goal = await self._goal_of(thread.thread_id)
        if goal is None or goal in {thread.goal, self._redactor.text(thread.goal)}:
            return None
        said = MessageBody(
            command_id=body.command_id, text=thread.goal, attachments=body.attachments
        )
        return await self._commands.send(thread.thread_id, SendMessage, said)

    async def _goal_of(self, thread_id: ThreadId) -> str | None:
        try:
            opened = (await self._threads.fold(thread_id)).thread.opened
        except NotFoundError:
            return None
        return None if opened is None else opened.goal
