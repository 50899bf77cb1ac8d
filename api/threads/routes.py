"""Threads: open, list, show, and steer as a whole."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from api.core.bodies import CommandBody
from api.core.dependencies import (
    MAX_POSITION,
    KeyDep,
    Person,
    Thread,
    ThreadLists,
    ThreadsDep,
    WorkflowsDep,
)
from api.threads.bodies import ThreadBody
from api.threads.history import At, HistoriesDep
from api.threads.lines import ThreadLine, lines_of
from api.threads.opening import ThreadPreparationDep
from api.threads.signal_lines import with_signal_lines
from domain.core.command import Answer
from domain.core.ids import ThreadId
from domain.reading.listing import PAGE, ThreadQuery
from domain.reading.views import ThreadView
from domain.tasks.running_commands import AbortAll, Cancel, Pause, Resume

router = APIRouter(tags=["threads"], prefix="/threads")

Status = Literal[
    "open",
    "chat",
    "planning",
    "waiting",
    "running",
    "paused",
    "failed",
    "completed",
    "cancelled",
]
"""What a thread's status may be."""

Text = Annotated[str, Field(max_length=200, pattern=r"^[^\x00-\x1f\x7f]*$")]
Search = Annotated[
    Text | None, Query(description="Words that are all in the id, the title or the goal")
]
Project = Annotated[Text | None, Query(description="A repository's folder, or its last name")]
Archived = Annotated[bool, Query(description="Those that were put away, instead of the others")]
PageSize = Annotated[int, Query(ge=1, le=1000)]
Before = Annotated[int, Query(ge=0, le=MAX_POSITION, description="`next` of the page before")]


class ThreadPage(BaseModel):
    """Threads, the latest changed first; `next` is the `after` of the page behind, if any.

    `position` is how far the journal was when they were looked for: a stream goes on from there.
    """

    threads: list[ThreadLine]
    next: int | None = None
    position: int


class OpenedThread(BaseModel):
    """The id of a new thread, which is also its workflow id."""

    thread_id: ThreadId
    message: str


@router.post("", status_code=201)
async def open_thread(
    body: ThreadBody, new: ThreadPreparationDep, workflows: WorkflowsDep
) -> OpenedThread:
    """Open a thread on a repository; the same `command_id` again names the same thread."""
    thread = new.prepare(body)
    answer = await workflows.open_thread(thread)
    return OpenedThread(thread_id=thread.thread_id, message=answer.message)


@router.get("")
async def threads(  # noqa: PLR0913  (each is a parameter of the query)
    journal: ThreadLists,
    *,
    status: Status | None = None,
    project: Project = None,
    q: Search = None,
    archived: Archived = False,
    limit: PageSize = PAGE,
    after: Before = MAX_POSITION,
) -> ThreadPage:
    """List threads, the latest changed first."""
    query = ThreadQuery(
        words=q or "",
        status=status,
        project=project,
        is_archived=archived,
        before=after,
        limit=limit + 1,
    )
    position = await journal.position()
    found = await journal.threads(query)
    page = lines_of(found[:limit])
    behind = page[-1].changed if len(found) > limit else None
    return ThreadPage(threads=page, next=behind, position=position)


@router.get("/{thread}")
async def thread(
    thread: Thread,
    folds: ThreadsDep,
    histories: HistoriesDep,
    workflows: WorkflowsDep,
    key: KeyDep,
    at: At = None,
) -> ThreadView:
    """Show a thread with its plan, tasks, sessions, and what waits for a person; now, or as it was."""
    if at is not None:
        return await histories.view(thread, at)
    return with_signal_lines(await folds.view(thread), key, workflows.address)


@router.post("/{thread}/pause")
async def pause(
    thread: Thread, body: CommandBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Start no further task; running ones finish."""
    return await workflows.send(thread, Pause(command_id=body.command_id, by=person))


@router.post("/{thread}/resume")
async def resume(
    thread: Thread, body: CommandBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Start tasks again."""
    return await workflows.send(thread, Resume(command_id=body.command_id, by=person))


@router.post("/{thread}/cancel")
async def cancel(
    thread: Thread, body: CommandBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Cancel the plan for good, or planning: running tasks are aborted, waiting ones cancelled."""
    return await workflows.send(thread, Cancel(command_id=body.command_id, by=person))


@router.post("/{thread}/abort-all")
async def abort_all(
    thread: Thread, body: CommandBody, workflows: WorkflowsDep, person: Person
) -> Answer:
    """Abort every running task and pause the plan; pending tasks stay pending."""
    return await workflows.send(thread, AbortAll(command_id=body.command_id, by=person))
