"""Checkpoints of a thread, and forks, which start from one."""

from fastapi import APIRouter

from api.core.dependencies import Thread, ThreadsDep, WorkflowsDep
from api.core.permissions import OF_THREAD
from api.threads.bodies import ForkBody
from api.threads.fork_preparation import ForkPreparationDep
from api.threads.proposing import OpenedThread
from domain.threads.checkpoints import Checkpoint

router = APIRouter(tags=["checkpoints"], prefix="/threads/{thread}", dependencies=[OF_THREAD])


@router.get("/checkpoints")
async def checkpoints(thread: Thread, folds: ThreadsDep) -> list[Checkpoint]:
    """List the checkpoints of a thread's branch, tasks and chats, oldest first."""
    return list((await folds.fold(thread)).recall.checkpoints)


@router.post("/forks", status_code=201)
async def fork(
    thread: Thread, body: ForkBody, preparation: ForkPreparationDep, workflows: WorkflowsDep
) -> OpenedThread:
    """Start a new thread from a checkpoint of this one, which stays unchanged.

    Its own branch starts from the checkpoint, and its agents get a summary of what happened before. The
    same `command_id` returns the same thread.
    """
    forked = await preparation.prepare(thread, body)
    answer = await workflows.open_thread(forked)
    return OpenedThread(thread_id=forked.thread_id, message=answer.message)
