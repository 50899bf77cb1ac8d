"""Opening a thread: what programs do for people, too."""

import hashlib
import secrets
from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel

from api.core.dependencies import WorkflowsDep
from api.core.permissions import PROPOSES
from api.core.workflow_client import WorkflowClient
from api.threads.bodies import ThreadBody
from api.threads.imported import ImportedBefore
from api.threads.opening import ThreadPreparationDep
from domain.core.command import Answer
from domain.core.ids import ThreadId
from domain.threads.inputs import ThreadInput

router = APIRouter(tags=["threads"], prefix="/threads", dependencies=[PROPOSES])


class OpenedThread(BaseModel):
    """The new thread's id, which is also its workflow id."""

    thread_id: ThreadId
    message: str


@router.post("", status_code=201)
async def open_thread(
    body: ThreadBody,
    new: ThreadPreparationDep,
    workflows: WorkflowsDep,
    again: Annotated[ImportedBefore, Depends()],
) -> OpenedThread:
    """Open a thread on a repository.

    The same `command_id` returns the same thread. A session is continued in one thread: again, the `goal` is
    sent there as a message.
    """
    thread = await new.prepare(body)
    if thread.imports is not None:
        return await _continued(thread, body, workflows, again)
    answer = await workflows.open_thread(thread)
    return OpenedThread(thread_id=thread.thread_id, message=answer.message)


async def _continued(
    thread: ThreadInput, body: ThreadBody, workflows: WorkflowClient, again: ImportedBefore
) -> OpenedThread:
    """Open the one thread of a session, or say in it what would have opened it.

    What was refused once, or is deleted, opens at the next command: its id says nothing of that.
    """
    answer = Answer(message=thread.thread_id)
    if not await again.is_open(thread.thread_id):
        answer = await workflows.open_thread(thread, f"open-{_name_of(body.command_id)}")
    answer = await again.say(thread, body) or answer
    return OpenedThread(thread_id=thread.thread_id, message=answer.message)


def _name_of(command_id: str) -> str:
    """Return a name of this try to open; the same command is the same one."""
    if not command_id:
        return secrets.token_hex(8)
    return hashlib.sha256(command_id.encode()).hexdigest()[:16]
