"""Tasks of a thread: show, diff, abort, retry."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from fastapi.responses import PlainTextResponse

from api.core.bodies import CommandBody
from api.core.commands import CommandsDep
from api.core.dependencies import (
    JournalDep,
    Person,
    Task,
    TaskWorkflow,
    Thread,
    ThreadsDep,
    WorkflowsDep,
)
from api.core.permissions import OF_THREAD
from api.sessions.bodies import WithdrawalBody
from api.sessions.file_search import FileLimit, FileSearchDep, OneFile, SearchText
from api.sessions.withdrawal import WithdrawalDep
from api.tasks.bodies import SuggestionsBody
from api.threads.bodies import RetryBody
from api.threads.fork_preparation import ForkPreparationDep
from api.threads.history import At, HistoriesDep
from domain.conversations.commands import WithdrawMessage
from domain.conversations.messages import WaitingMessage
from domain.core.command import Answer
from domain.core.errors import NotFoundError, NotShownError
from domain.core.file_queries import FoundFiles, WorktreePlace
from domain.core.ids import RequestId, task_workflow_id
from domain.core.ports import Journal
from domain.core.suggestions import Suggestion
from domain.reading.views import TaskView
from domain.tasks.edits import ApplySuggestions
from domain.tasks.running_commands import Abort, Retry

router = APIRouter(
    tags=["tasks"], prefix="/threads/{thread}/tasks/{task}", dependencies=[OF_THREAD]
)


@router.get("")
async def task(
    thread: Thread, task: Task, folds: ThreadsDep, histories: HistoriesDep, at: At = None
) -> TaskView:
    """Get a task; now, or at a journal position."""
    if at is not None:
        return await histories.task(thread, task, at)
    return await folds.task(thread, task)


Since = Annotated[
    Literal["base", "review"],
    Query(description="`review`: only changes since the last rejection"),
]


Commit = Annotated[
    str,
    Query(
        max_length=64,
        description="The commit that the diff must be of, from the task's snapshot; "
        "refused with 409 if the task has a newer one",
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
    """Get the changes of a task up to its last turn, as a patch."""
    view = await folds.task(thread, task)
    _refuse_other(view, commit)
    if since == "review":
        return PlainTextResponse(await _since_review(view, journal))
    snapshot = view.snapshot
    if snapshot and snapshot.commit == snapshot.base:
        return PlainTextResponse("")
    patch = await journal.text(snapshot.diff_ref) if snapshot and snapshot.diff_ref else None
    if patch is None:
        raise NotFoundError(_why_no_diff(task, view))
    return PlainTextResponse(patch)


def _why_no_diff(task: str, view: TaskView) -> str:
    if not view.status.is_over:
        return f"task {task!r} has no diff yet: wait for the end of its first turn"
    return (
        f"task {task!r} ended before its first turn did, so it has no diff; what its worktree held is "
        f"kept in the repository, on its branch {view.branch or ''} or below refs/treadle/released/"
    )


def _refuse_other(task: TaskView, commit: str) -> None:
    """Refuse the diff of another commit than the one that is asked for."""
    present = task.snapshot.commit if task.snapshot else ""
    if commit and commit != present:
        raise NotShownError(
            f"task {task.task_id!r} is at commit {present[:12] or 'none'}, not {commit[:12]!r}: "
            "get the task again, then its diff"
        )


async def _since_review(task: TaskView, journal: Journal) -> str:
    """Return what changed since the last rejection; empty until the next turn has ended.

    Raises:
        NotFoundError: The task was never rejected.
    """
    if task.reviewed is None:
        raise NotFoundError(
            f"task {task.task_id!r} has not been rejected yet: omit `since` to get its whole diff"
        )
    snapshot = task.snapshot
    if snapshot is None or snapshot.commit == task.reviewed or not snapshot.since_review_ref:
        return ""
    return await journal.text(snapshot.since_review_ref) or ""


@router.get("/files")
async def files(
    thread: Thread, task: Task, search: FileSearchDep, query: SearchText = "", limit: FileLimit = 20
) -> FoundFiles:
    """Find files in a task's worktree: tracked ones, and new ones that are not ignored."""
    return await search.of_task(thread, task, query, limit)


@router.get("/worktree")
async def worktree(
    thread: Thread, task: Task, search: FileSearchDep, file: OneFile = ""
) -> WorktreePlace:
    """Get the path of a task's worktree, or of a file in it, to open it in an editor.

    An agent may be at work in it. A file that is not there, or a link that leads out of the worktree, is not found.
    """
    return await search.place_in_task(thread, task, file)


@router.post("/abort")
async def abort(thread: Thread, task: Task, body: CommandBody, commands: CommandsDep) -> Answer:
    """Abort a task; tasks that depend on it are blocked until it is retried."""
    return await commands.send(thread, Abort, body, task_id=task)


@router.post("/retry")
async def retry(
    thread: Thread,
    task: Task,
    body: RetryBody,
    commands: CommandsDep,
    preparation: ForkPreparationDep,
) -> Answer:
    """Run a failed, cancelled or blocked task again in a new session.

    With a `position`, it starts from the files of the task's last checkpoint at or before it.
    """
    chosen: dict[str, str | int] = {"position": 0}
    if body.position is not None:
        checkpoint = await preparation.checkpoint_of_task(thread, task, body.position)
        chosen = {"commit": checkpoint.commit, "position": checkpoint.position}
    return await commands.send(thread, Retry, body, task_id=task, **chosen)


@router.post("/withdraw")
async def withdraw_message(
    thread: Thread,
    task: TaskWorkflow,
    body: WithdrawalBody,
    withdrawal: WithdrawalDep,
    person: Person,
) -> WaitingMessage:
    """Withdraw a queued message; refused if the agent already has it."""
    command = WithdrawMessage(**body.model_dump(), by=person)
    return await withdrawal.take(thread, task, command)


@router.post("/suggestions")
async def apply_suggestions(
    thread: Thread, task: Task, body: SuggestionsBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Apply suggested changes to a task at its gate, all or none; the result is verified again.

    Refused if the gate shows other content by now, or an agent is at work on these files. The gate opens again on
    what is verified then.
    """
    some = tuple(Suggestion.model_validate(each.model_dump()) for each in body.suggestions)
    command = ApplySuggestions(
        command_id=body.command_id,
        by=person,
        request_id=RequestId(body.request_id),
        content_hash=body.content_hash,
        suggestions=some,
    )
    return await workflows.send(task_workflow_id(thread, task), command)
