"""Tasks of a thread: show, their diff, talk to, abort, retry."""

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

from api.bodies import CommandBody, MessageBody
from api.dependencies import DoorDep, FoldsDep, JournalDep, Person, Task, Thread
from domain.commands import Abort, Answer, Retry, SendMessage
from domain.errors import NotFoundError
from domain.ids import SessionId, task_workflow_id
from domain.views import TaskView

router = APIRouter(tags=["tasks"], prefix="/threads/{thread}/tasks/{task}")


@router.get("")
async def task(thread: Thread, task: Task, folds: FoldsDep) -> TaskView:
    """Show a task."""
    return await folds.task(thread, task)


@router.get("/diff", response_class=PlainTextResponse)
async def diff(
    thread: Thread, task: Task, folds: FoldsDep, journal: JournalDep
) -> PlainTextResponse:
    """Return what the task has changed up to its last turn, as a patch."""
    snapshot = (await folds.task(thread, task)).snapshot
    patch = await journal.text(snapshot.diff_ref) if snapshot and snapshot.diff_ref else None
    if patch is None:
        raise NotFoundError(f"task {task!r} has no diff yet: it comes with the end of a turn")
    return PlainTextResponse(patch)


@router.post("/abort")
async def abort(
    thread: Thread, task: Task, body: CommandBody, door: DoorDep, person: Person
) -> Answer:
    """Abort the task; its dependants are blocked until it is retried."""
    return await door.send(thread, Abort(command_id=body.command_id, by=person, task_id=task))


@router.post("/retry")
async def retry(
    thread: Thread, task: Task, body: CommandBody, door: DoorDep, person: Person
) -> Answer:
    """Run a failed, cancelled or blocked task again, with a new session."""
    return await door.send(thread, Retry(command_id=body.command_id, by=person, task_id=task))


@router.post("/messages")
async def send_message(
    thread: Thread, task: Task, body: MessageBody, door: DoorDep, person: Person
) -> Answer:
    """Say something to the task's agent; it takes it with its next turn."""
    session = SessionId(body.session_id) if body.session_id else None
    command = SendMessage(
        command_id=body.command_id,
        by=person,
        text=body.text,
        session_id=session,
        attachments=tuple(body.attachments),
    )
    return await door.send(task_workflow_id(thread, task), command)
