"""Conflicts of a plan's merges, and how they are resolved."""

from fastapi import APIRouter

from api.core.dependencies import Person, Task, Thread, ThreadsDep, WorkflowsDep
from api.tasks.bodies import ConflictBody
from domain.core.command import Answer
from domain.core.errors import NotFoundError
from domain.tasks.running_commands import ResolveConflict
from domain.threads.shown import ShownConflict

router = APIRouter(tags=["conflicts"], prefix="/threads/{thread}")


@router.get("/conflicts")
async def conflicts(thread: Thread, folds: ThreadsDep) -> list[ShownConflict]:
    """List the conflicts that wait for a person."""
    return list((await folds.view(thread)).conflicts)


@router.post("/tasks/{task}/conflict")
async def resolve(
    thread: Thread,
    task: Task,
    body: ConflictBody,
    workflows: WorkflowsDep,
    folds: ThreadsDep,
    person: Person,
) -> Answer:
    """Say how the conflict of a task's merge is resolved; `done` ends the work by hand.

    Another `content_hash` than that of the conflict is refused. Without one it is about the conflict as
    the journal shows it now.
    """
    shown = body.content_hash or await _shown(folds, thread, task)
    command = ResolveConflict(
        command_id=body.command_id, by=person, task_id=task, how=body.how, content_hash=shown
    )
    return await workflows.send(thread, command)


async def _shown(folds: ThreadsDep, thread: Thread, task: Task) -> str:
    """Return the hash of a task's conflict, empty where the workflow is to say that there is none."""
    try:
        found = (await folds.view(thread)).conflicts
    except NotFoundError:
        return ""
    return next((c.content_hash for c in found if c.conflict.task_id == task), "")
