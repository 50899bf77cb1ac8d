"""A thread as a whole: its name, its place in lists, the changes of its chats, its end."""

from fastapi import APIRouter
from pydantic import BaseModel

from api.core.bodies import CommandBody, DeletionBody, TopicBody
from api.core.dependencies import KnownThread, Number, Person, Thread, ThreadsDep, WorkflowsDep
from domain.conversations.commands import MergeSession
from domain.core.command import Answer
from domain.core.errors import WrongStateError
from domain.core.ids import session_stream
from domain.core.lifecycle.commands import Archive, DeleteThread, Rename, Unarchive

router = APIRouter(tags=["threads"], prefix="/threads/{thread}")


class Deletion(BaseModel):
    """How far a deletion is; `is_over` is false where it goes on by itself."""

    message: str
    is_over: bool


@router.post("/rename")
async def rename(
    thread: Thread, body: TopicBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Give a thread a topic of one's own."""
    return await workflows.send(thread, Rename(**body.model_dump(), by=person))


@router.post("/archive")
async def archive(
    thread: Thread, body: CommandBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Put a thread away: it is in the list of archived ones, readable, and what runs goes on."""
    return await workflows.send(thread, Archive(command_id=body.command_id, by=person))


@router.post("/unarchive")
async def unarchive(
    thread: Thread, body: CommandBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Put a thread back among the others."""
    return await workflows.send(thread, Unarchive(command_id=body.command_id, by=person))


@router.post("/sessions/{number}/merge", status_code=202)
async def merge_session(
    thread: Thread, number: Number, body: CommandBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Merge a chat's newest changes into the thread's branch; events tell how it ended."""
    session = session_stream(thread, number)
    return await workflows.send(
        thread, MergeSession(command_id=body.command_id, session_id=session, by=person)
    )


@router.delete("")
async def delete(
    thread: KnownThread,
    body: DeletionBody,
    workflows: WorkflowsDep,
    folds: ThreadsDep,
    person: Person,
) -> Deletion:
    """Remove a thread with all that it holds; refused while something runs, unless it is forced.

    A branch with work that is nowhere else stays unless it is forced; the message names it.
    """
    view = await folds.view(thread)
    busy = [session.session_id for session in view.sessions if session.is_working]
    if busy and not body.is_forced:
        raise WrongStateError(
            f"{', '.join(busy)} works: wait for its turn's end or stop it, or delete the thread with "
            "--force, which ends it"
        )
    answer = await workflows.send(thread, DeleteThread(**body.model_dump(), by=person))
    ending = await workflows.await_end(thread)
    if ending is not None:
        folds.forget(thread)
    return Deletion(message=ending or answer.message, is_over=ending is not None)
