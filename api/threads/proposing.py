"""Opening a thread: what programs do for people, too."""

from fastapi import APIRouter
from pydantic import BaseModel

from api.core.dependencies import WorkflowsDep
from api.core.permissions import PROPOSES
from api.threads.bodies import ThreadBody
from api.threads.opening import ThreadPreparationDep
from domain.core.ids import ThreadId

router = APIRouter(tags=["threads"], prefix="/threads", dependencies=[PROPOSES])


class OpenedThread(BaseModel):
    """The new thread's id, which is also its workflow id."""

    thread_id: ThreadId
    message: str


@router.post("", status_code=201)
async def open_thread(
    body: ThreadBody, new: ThreadPreparationDep, workflows: WorkflowsDep
) -> OpenedThread:
    """Open a thread on a repository.

    The same `command_id` returns the same thread.
    """
    thread = await new.prepare(body)
    answer = await workflows.open_thread(thread)
    return OpenedThread(thread_id=thread.thread_id, message=answer.message)
