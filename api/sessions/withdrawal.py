"""Queued messages, and their withdrawal."""

import asyncio
from typing import Annotated

from fastapi import Depends

from api.core.dependencies import JournalDep, ThreadsDep, WorkflowsDep
from domain.conversations.commands import WithdrawMessage
from domain.conversations.conversation import message_of
from domain.conversations.events import MessageQueued
from domain.conversations.messages import WaitingMessage, waiting_in
from domain.core.errors import NotConfirmedError
from domain.core.ids import StreamId, TaskId, ThreadId

PATIENCE_SECONDS = 5.0


class MessageWithdrawal:
    """Lists queued messages and withdraws them."""

    def __init__(self, folds: ThreadsDep, journal: JournalDep, workflows: WorkflowsDep) -> None:
        self._folds = folds
        self._journal = journal
        self._workflows = workflows

    async def waiting(self, thread: ThreadId) -> list[WaitingMessage]:
        """Return the queued messages of a thread and its tasks.

        Raises:
            NotFoundError: There is no such thread.
        """
        fold = await self._folds.fold(thread)
        messages = [m for session in fold.sessions.values() for m in waiting_in(session)]
        runs = ((run, run.task.id if run.task else None) for run in fold.tasks.values())
        return messages + [m for run, task_id in runs for m in waiting_in(run, task_id)]

    async def take(
        self, thread: ThreadId, workflow_id: str, command: WithdrawMessage
    ) -> WaitingMessage:
        """Withdraw a message from a session or task; repeating it is harmless.

        Raises:
            TreadleError: It is no longer queued, there is none, or none answers.
        """
        known = {message.message_id: message for message in await self.waiting(thread)}
        await self._workflows.send(workflow_id, command)
        if found := known.get(command.message_id):
            return found
        message = await self._waiting_message(workflow_id, command.message_id)
        if message.session_id:
            return message
        run = (await self._folds.fold(thread)).tasks[workflow_id]
        return message.model_copy(update={"session_id": run.session_id})

    async def _waiting_message(self, workflow_id: str, message_id: str) -> WaitingMessage:
        """Return a message that is no longer queued, or reached the journal only now."""
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
            f"{message_id[:80]!r} is withdrawn, but its text is not in the journal yet"
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
