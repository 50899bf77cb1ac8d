"""Checkpoints of a thread, and forks: new threads that start from an earlier point of another one."""

from fastapi import APIRouter

from api.core.dependencies import Thread, ThreadsDep, WorkflowsDep
from api.threads.bodies import ForkBody
from api.threads.fork_preparation import ForkPreparationDep
from api.threads.routes import OpenedThread
from domain.threads.checkpoints import Checkpoint

router = APIRouter(tags=["checkpoints"], prefix="/threads/{thread}")


@router.get("/checkpoints")
async def checkpoints(thread: Thread, folds: ThreadsDep) -> list[Checkpoint]:
    """List the checkpoints of a thread's branch, its tasks and its chats, the oldest first."""
    return list((await folds.fold(thread)).recall.checkpoints)


@router.post("/forks", status_code=201)
async def fork(
    thread: Thread, body: ForkBody, preparation: ForkPreparationDep, workflows: WorkflowsDep
) -> OpenedThread:
    """Open a new thread at a moment of this one, which stays as it is.

    The new one has a branch of its own that begins at the checkpoint, and is told what happened until
    then. The same `command_id` again names the same thread.
    """
    forked = await preparation.prepare(thread, body)
    answer = await workflows.open_thread(forked)
    return OpenedThread(thread_id=forked.thread_id, message=answer.message)
