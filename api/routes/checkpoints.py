"""Checkpoints of a thread: the commits that its work can be gone on with."""

from fastapi import APIRouter

from api.dependencies import FoldsDep, Thread
from domain.threads.checkpoints import Checkpoint

router = APIRouter(tags=["checkpoints"], prefix="/threads/{thread}")


@router.get("/checkpoints")
async def checkpoints(thread: Thread, folds: FoldsDep) -> list[Checkpoint]:
    """List the checkpoints of a thread's branch, its tasks and its chats, the oldest first."""
    return list((await folds.fold(thread)).recall.checkpoints)
