"""Messages that wait for their turn, and how their writers get them back with all their words."""

import asyncio
from typing import Annotated

from fastapi import Depends

from api.core.dependencies import JournalDep, ThreadsDep, WorkflowsDep
from domain.conversations.commands import TakeBack
from domain.conversations.conversation import message_of
from domain.conversations.events import MessageQueued
from domain.conversations.messages import WaitingMessage
from domain.conversations.sessions import withdrawal as of_session
from domain.core.errors import NotConfirmedError
from domain.core.ids import StreamId, TaskId, ThreadId
from domain.tasks import withdrawal as of_task

PATIENCE_SECONDS = 5.0


class MessageWithdrawal:
    """Lists messages that wait, and takes one back."""

    def __init__(self, folds: ThreadsDep, journal: JournalDep, workflows: WorkflowsDep) -> None:
        self._folds = folds
        self._journal = journal
        self._workflows = workflows

    async def waiting(self, thread: ThreadId) -> list[WaitingMessage]:
        """Return the messages of a thread that wait, those of its tasks too.

        Raises:
            NotFoundError: There is no such thread.
        """
        fold = await self._folds.fold(thread)
        messages = [m for session in fold.sessions.values() for m in of_session.waiting_in(session)]
        return messages + [m for run in fold.tasks.values() for m in of_task.waiting_in(run)]

    async def take(self, thread: ThreadId, workflow_id: str, command: TakeBack) -> WaitingMessage:
        """Take a message back from whoever keeps it; again with the same id is the same.

        Raises:
            TreadleError: It waits no more, there is none, or none answers.
        """
        known = {message.message_id: message for message in await self.waiting(thread)}
        await self._workflows.send(workflow_id, command)
        if found := known.get(command.message_id):
            return found
        messages = await self._waiting_message(workflow_id, command.message_id)
        if messages.session_id:
            return messages
        run = (await self._folds.fold(thread)).tasks[workflow_id]
        return messages.model_copy(update={"session_id": of_task.worker_of(run)})

    async def _waiting_message(self, workflow_id: str, message_id: str) -> WaitingMessage:
        """Return a message that does not wait any more, or came to the journal only now."""
        try:
            async with asyncio.timeout(PATIENCE_SECONDS):
                async for journaled in self._journal.follow(StreamId(workflow_id)):
                    match journaled.event.body:
                        case MessageQueued(message_id=found) as queued if found == message_id:
                            return _waiting(workflow_id, queued)
                        case _:
                            pass
        except TimeoutError:
            pass
        raise NotConfirmedError(
            f"{message_id[:80]!r} is taken back, but its words are not in the journal yet"
        )


def _waiting(stream: str, queued: MessageQueued) -> WaitingMessage:
    is_of_task = queued.session_id != stream
    message = message_of(queued)
    return WaitingMessage(
        message_id=queued.message_id,
        session_id=queued.session_id,
        task_id=TaskId(stream.rpartition("/")[2]) if is_of_task else None,
        text=message.text,
        attachments=message.attachments,
    )


WithdrawalDep = Annotated[MessageWithdrawal, Depends()]
