"""Forks: a new thread that begins at a moment of another one."""

from fastapi import APIRouter

from api.dependencies import DoorDep, Thread
from api.fork_bodies import ForkBody
from api.forking import ForkingDep
from api.routes.threads import OpenedThread

router = APIRouter(tags=["checkpoints"], prefix="/threads/{thread}")


@router.post("/forks", status_code=201)
async def fork(thread: Thread, body: ForkBody, forking: ForkingDep, door: DoorDep) -> OpenedThread:
    """Open a new thread at a moment of this one, which stays as it is.

    The new one has a branch of its own that begins at the checkpoint, and is told what happened until
    then. The same `command_id` again names the same thread.
    """
    forked = await forking.prepared(thread, body)
    answer = await door.open_thread(forked)
    return OpenedThread(thread_id=forked.thread_id, message=answer.message)
