"""A thread as a whole: renaming, archiving and deleting it, and merging its chats."""

from fastapi import APIRouter, Request

from api.core.bodies import AssignBody, CommandBody, DeletionBody, TopicBody
from api.core.commands import CommandRoute, CommandsDep, add_commands
from api.core.deletion import Deletion, delete_workflow
from api.core.dependencies import KnownThread, Session, Thread, ThreadsDep, WorkflowsDep, thread_id
from api.core.permissions import OF_THREAD, REMOVES
from api.threads.bodies import BaseBody
from domain.conversations.commands import MergeSession
from domain.core.command import Answer
from domain.core.errors import InvalidError, WrongStateError
from domain.core.lifecycle.commands import Archive, Assign, Rename, Unarchive
from domain.people.directory import Directory
from domain.threads.bases.commands import UpdateBase
from settings import user_name

router = APIRouter(tags=["threads"], prefix="/threads/{thread}", dependencies=[OF_THREAD])

add_commands(
    router,
    thread_id,
    CommandRoute("/rename", Rename, "Rename a thread.", TopicBody),
    CommandRoute(
        "/archive", Archive, "Archive a thread; it stays readable, and running work continues."
    ),
    CommandRoute("/unarchive", Unarchive, "Unarchive a thread."),
    CommandRoute(
        "/base",
        UpdateBase,
        "Fetch the base of a thread's branch, and take it in if it has moved.\n\n"
        "The thread's `base` has the progress and the result: `asked` is 0 once it has ended.",
        BaseBody,
        202,
    ),
)


@router.post("/assign")
async def assign(
    thread: Thread, body: AssignBody, commands: CommandsDep, request: Request
) -> Answer:
    """Assign a thread to a person, whose inbox has it first; anybody with the role still decides."""
    directory: Directory | None = request.app.state.people.read()
    known = {user_name()} if directory is None else {user_name(), *directory.users}
    if body.person and body.person not in known:
        raise InvalidError(f"people.toml names no {body.person!r}: assign it to somebody it names")
    return await commands.send(thread, Assign, body)


@router.post("/sessions/{number}/merge", status_code=202)
async def merge_session(
    thread: Thread, session: Session, body: CommandBody, commands: CommandsDep
) -> Answer:
    """Merge the latest changes of a chat session into the thread's branch.

    `data.number` of the answer names this merge: `merge` of the session tells when that number has ended,
    and how. With conflicts a person is asked, as for a task.
    """
    return await commands.send(thread, MergeSession, body, session_id=session)


@router.delete("", dependencies=[REMOVES])
async def delete(
    thread: KnownThread,
    body: DeletionBody,
    workflows: WorkflowsDep,
    commands: CommandsDep,
    folds: ThreadsDep,
) -> Deletion:
    """Delete a thread with its transcripts, worktrees and branches.

    Refused while something is running, unless `is_forced`. A branch with work that exists nowhere else
    is kept unless `is_forced`; the message names it.
    """
    view = await folds.view(thread)
    busy = [session.session_id for session in view.sessions if session.is_working]
    if busy and not body.is_forced:
        raise WrongStateError(
            f"{', '.join(busy)} is working: wait for the end of its turn, stop it, or delete the "
            "thread with --force"
        )
    return await delete_workflow(thread, body, commands, workflows, folds)
