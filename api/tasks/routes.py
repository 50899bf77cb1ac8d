"""Tasks of a thread: show, their diff, talk to, abort, retry."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from fastapi.responses import PlainTextResponse

from api.core.bodies import CommandBody
from api.core.dependencies import JournalDep, Person, Task, Thread, ThreadsDep, WorkflowsDep
from api.sessions.bodies import MessageBody, WithdrawalBody
from api.sessions.file_search import FileLimit, FileSearchDep, SearchText
from api.sessions.withdrawal import WithdrawalDep
from api.threads.bodies import RetryBody
from api.threads.fork_preparation import ForkPreparationDep
from api.threads.history import At, HistoriesDep
from domain.conversations.commands import SendMessage, TakeBack
from domain.conversations.messages import WaitingMessage
from domain.core.command import Answer
from domain.core.errors import NotFoundError, NotShownError
from domain.core.file_queries import FoundFiles
from domain.core.ids import SessionId, task_workflow_id
from domain.core.ports import Journal
from domain.reading.views import TaskView
from domain.tasks.running_commands import Abort, Retry

router = APIRouter(tags=["tasks"], prefix="/threads/{thread}/tasks/{task}")


@router.get("")
async def task(
    thread: Thread, task: Task, folds: ThreadsDep, histories: HistoriesDep, at: At = None
) -> TaskView:
    """Show a task; now, or as it was."""
    if at is not None:
        return await histories.task(thread, task, at)
    return await folds.task(thread, task)


Since = Annotated[
    Literal["base", "review"],
    Query(description="`review`: only what changed since a person last sent the work back"),
]


Commit = Annotated[
    str,
    Query(
        max_length=64,
        description="The commit that the diff is to be of, as the task's snapshot names it; "
        "refused with 409 where the task has worked on since",
    ),
]


@router.get("/diff", response_class=PlainTextResponse)
async def diff(
    thread: Thread,
    task: Task,
    folds: ThreadsDep,
    journal: JournalDep,
    since: Since = "base",
    commit: Commit = "",
) -> PlainTextResponse:
    """Return what the task has changed up to its last turn, as a patch."""
    view = await folds.task(thread, task)
    _refuse_other(view, commit)
    if since == "review":
        return PlainTextResponse(await _since_review(view, journal))
    snapshot = view.snapshot
    if snapshot and snapshot.commit == snapshot.base:
        return PlainTextResponse("")
    patch = await journal.text(snapshot.diff_ref) if snapshot and snapshot.diff_ref else None
    if patch is None:
        raise NotFoundError(f"task {task!r} has no diff yet: it comes with the end of a turn")
    return PlainTextResponse(patch)


def _refuse_other(task: TaskView, commit: str) -> None:
    """Refuse the diff of another state of the work than the one that is asked for."""
    present = task.snapshot.commit if task.snapshot else ""
    if commit and commit != present:
        raise NotShownError(
            f"task {task.task_id!r} is at commit {present[:12] or 'none'}, not {commit[:12]!r}: "
            "read the task again, and its diff then"
        )


async def _since_review(task: TaskView, journal: Journal) -> str:
    """Return what changed since the work was sent back; nothing before the turn after it has ended.

    Raises:
        NotFoundError: It never was.
    """
    if task.reviewed is None:
        raise NotFoundError(
            f"task {task.task_id!r} was not sent back from its gate yet: see its whole diff"
        )
    snapshot = task.snapshot
    if snapshot is None or snapshot.commit == task.reviewed or not snapshot.since_review_ref:
        return ""
    return await journal.text(snapshot.since_review_ref) or ""


@router.get("/files")
async def files(
    thread: Thread, task: Task, search: FileSearchDep, query: SearchText = "", limit: FileLimit = 20
) -> FoundFiles:
    """Find files that the task works with: those git knows, and new ones that are not ignored."""
    return await search.of_task(thread, task, query, limit)


@router.post("/abort")
async def abort(
    thread: Thread, task: Task, body: CommandBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Abort the task; its dependants are blocked until it is retried."""
    return await workflows.send(thread, Abort(command_id=body.command_id, by=person, task_id=task))


@router.post("/retry")
async def retry(
    thread: Thread,
    task: Task,
    body: RetryBody,
    workflows: WorkflowsDep,
    person: Person,
    preparation: ForkPreparationDep,
) -> Answer:
    """Run a failed, cancelled or blocked task again, with a new session.

    With a `position` the run begins with the files of the task's newest checkpoint until then.
    """
    command = Retry(command_id=body.command_id, by=person, task_id=task)
    if body.position is not None:
        checkpoint = await preparation.checkpoint_of_task(thread, task, body.position)
        chosen = {"commit": checkpoint.commit, "position": checkpoint.position}
        command = command.model_copy(update=chosen)
    return await workflows.send(thread, command)


@router.post("/messages")
async def send_message(
    thread: Thread, task: Task, body: MessageBody, workflows: WorkflowsDep, person: Person
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
    return await workflows.send(task_workflow_id(thread, task), command)


@router.post("/withdraw")
async def withdraw_message(
    thread: Thread, task: Task, body: WithdrawalBody, withdrawal: WithdrawalDep, person: Person
) -> WaitingMessage:
    """Take a message back that waits: the agent never gets it. Refused when the agent has it."""
    command = TakeBack(command_id=body.command_id, by=person, message_id=body.message_id)
    return await withdrawal.take(thread, task_workflow_id(thread, task), command)
