"""Merge conflicts of tasks and chats, and how they are resolved."""

import uuid
from typing import Annotated

from fastapi import APIRouter, Path

from api.core.commands import CommandsDep
from api.core.dependencies import Session, Task, Thread, ThreadsDep, WorkflowsDep
from api.core.permissions import OF_THREAD
from api.tasks.bodies import ConflictBody
from domain.core.command import Answer
from domain.core.conflict_lines import ConflictLines, ConflictQuery
from domain.core.errors import NotFoundError, UnavailableError
from domain.tasks.conflicts import base_subject
from domain.tasks.running_commands import ResolveConflict
from domain.threads.shown import ShownConflict

ContentHash = Annotated[str, Path(pattern="^[0-9a-f]{64}$")]

router = APIRouter(tags=["conflicts"], prefix="/threads/{thread}", dependencies=[OF_THREAD])


@router.get("/conflicts")
async def conflicts(thread: Thread, folds: ThreadsDep) -> list[ShownConflict]:
    """List the open merge conflicts."""
    return list((await folds.view(thread)).conflicts)


@router.get("/conflicts/{content_hash}")
async def lines(
    thread: Thread, content_hash: ContentHash, folds: ThreadsDep, workflows: WorkflowsDep
) -> ConflictLines:
    """Get the conflicting lines of both sides, by the `content_hash` of an open merge conflict.

    A is on the thread's branch, B is the work that is to be merged.
    """
    state = (await folds.fold(thread)).thread
    shown = (await folds.view(thread)).conflicts
    found = next((each.conflict for each in shown if each.content_hash == content_hash), None)
    if found is None or state.opened is None or not found.tip:
        raise NotFoundError(
            f"thread {thread!r} has no such open conflict: list its conflicts again"
        )
    query = ConflictQuery(
        query_id=f"{thread}/conflict-{uuid.uuid4().hex}",
        thread_id=thread,
        host=state.opened.host,
        repository=state.opened.facts.root,
        ours=found.tip,
        theirs=found.commit,
    )
    answer = await workflows.show_conflict(query)
    if answer.failure:
        raise UnavailableError(f"the conflicting lines cannot be read: {answer.failure}")
    return answer


@router.post("/tasks/{task}/conflict")
async def resolve(
    thread: Thread, task: Task, body: ConflictBody, commands: CommandsDep, folds: ThreadsDep
) -> Answer:
    """Choose how to resolve a task's merge conflict; `done` completes a resolution by hand.

    A `content_hash` that does not match the conflict is refused. Without one this resolves the conflict
    as it is now.
    """
    shown = body.content_hash or await _shown(folds, thread, task)
    return await commands.send(thread, ResolveConflict, body, task_id=task, content_hash=shown)


@router.post("/sessions/{number}/conflict")
async def resolve_session(
    thread: Thread, session: Session, body: ConflictBody, commands: CommandsDep, folds: ThreadsDep
) -> Answer:
    """Choose how to resolve the conflict of a chat's changes, as that of a task.

    `done` also merges what the chat's agent made of it; `leave` merges nothing.
    """
    shown = body.content_hash or await _shown(folds, thread, session)
    return await commands.send(
        thread, ResolveConflict, body, session_id=session, content_hash=shown
    )


@router.post("/base/conflict")
async def resolve_base(
    thread: Thread, body: ConflictBody, commands: CommandsDep, folds: ThreadsDep
) -> Answer:
    """Choose how to resolve the conflict of the base with the thread's branch, as that of a task.

    `leave` leaves the base out until it is asked for again.
    """
    subject = base_subject(thread)
    shown = body.content_hash or await _shown(folds, thread, subject)
    return await commands.send(
        thread, ResolveConflict, body, session_id=subject, content_hash=shown
    )


async def _shown(folds: ThreadsDep, thread: Thread, subject: str) -> str:
    """Return the hash of a conflict; if empty, the workflow refuses the command."""
    try:
        found = (await folds.view(thread)).conflicts
    except NotFoundError:
        return ""
    return next((c.content_hash for c in found if c.conflict.subject == subject), "")
