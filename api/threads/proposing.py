"""Opening a thread: what programs do for people, too."""

from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import BaseModel

from api.core.dependencies import WorkflowsDep
from api.core.permissions import PROPOSES
from api.threads.bodies import ThreadBody
from api.threads.imported import ImportedBefore
from api.threads.opening import ThreadPreparationDep
from domain.core.ids import ThreadId

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
    answer = await workflows.open_thread(thread)
    if thread.imports is not None:
        answer = await again.say(thread, body) or answer
    return OpenedThread(thread_id=thread.thread_id, message=answer.message)
