"""Tasks of a thread: show, their diff, talk to, abort, retry."""

from fastapi import APIRouter
from fastapi.responses import PlainTextResponse

from api.bodies import CommandBody, MessageBody
from api.dependencies import DoorDep, JournalDep, Task, TaskWorkflowId, Thread
from domain.commands import Abort, Answer, Retry, SendMessage
from domain.errors import NotFoundError
from domain.events import Headline
from domain.events.task import TaskTurnEnded
from domain.ids import SessionId, StreamId
from domain.ports import Journal
from domain.workspaces import Snapshot

router = APIRouter(tags=["tasks"], prefix="/threads/{thread}/tasks/{task}")

CHUNK = 500


@router.get("")
async def task(workflow_id: TaskWorkflowId, journal: JournalDep) -> list[Headline]:
    """Show a task."""
    return await journal.headlines(below=StreamId(workflow_id))


@router.get("/diff", response_class=PlainTextResponse)
async def diff(workflow_id: TaskWorkflowId, journal: JournalDep) -> PlainTextResponse:
    """Return what the task has changed up to its last turn, as a patch."""
    snapshot = await _snapshot(journal, workflow_id)
    patch = await journal.text(snapshot.diff_ref) if snapshot and snapshot.diff_ref else None
    if patch is None:
        raise NotFoundError(f"{workflow_id!r} has no diff yet: it comes with the first turn's end")
    return PlainTextResponse(patch)


@router.post("/abort")
async def abort(thread: Thread, task: Task, body: CommandBody, door: DoorDep) -> Answer:
    """Abort the task; its dependants are blocked until it is retried."""
    return await door.send(thread, Abort(command_id=body.command_id, by="api", task_id=task))


@router.post("/retry")
async def retry(thread: Thread, task: Task, body: CommandBody, door: DoorDep) -> Answer:
    """Run a failed, cancelled or blocked task again, with a new session."""
    return await door.send(thread, Retry(command_id=body.command_id, by="api", task_id=task))


@router.post("/messages")
async def send_message(workflow_id: TaskWorkflowId, body: MessageBody, door: DoorDep) -> Answer:
    """Say something to the task's agent; it takes it with its next turn."""
    session = SessionId(body.session_id) if body.session_id else None
    command = SendMessage(command_id=body.command_id, by="api", text=body.text, session_id=session)
    return await door.send(workflow_id, command)


async def _snapshot(journal: Journal, workflow_id: str) -> Snapshot | None:
    found: Snapshot | None = None
    after = 0
    while batch := await journal.read(StreamId(workflow_id), after=after, limit=CHUNK):
        after = batch[-1].position
        for journaled in batch:
            body = journaled.event.body
            if isinstance(body, TaskTurnEnded) and body.snapshot:
                found = body.snapshot
    return found
