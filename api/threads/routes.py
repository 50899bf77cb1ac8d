"""Threads: list, show; pause, resume and cancel their plans."""

from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel

from api.core.commands import CommandRoute, add_commands
from api.core.dependencies import (
    MAX_POSITION,
    Limit,
    Thread,
    ThreadLists,
    ThreadsDep,
    thread_id,
)
from api.core.list_parameters import Archived, NextPage, Project, Search
from api.core.permissions import OF_THREAD, PermitsDep
from api.core.signal_lines import LinesDep
from api.threads.history import At, HistoriesDep
from api.threads.lines import ThreadLine, page_of
from api.threads.signal_lines import with_signal_lines
from domain.reading.listing import PAGE, ThreadQuery
from domain.reading.views import ThreadView
from domain.tasks.running_commands import AbortAll, Cancel, Pause, Resume

router = APIRouter(tags=["threads"], prefix="/threads", dependencies=[OF_THREAD])

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
    "terminated",
]
"""The statuses to filter by."""


class ThreadPage(BaseModel):
    """A page of threads, most recently changed first; `next` is the `after` of the next page.

    `position` is the journal position of the query: start a stream there.
    """

    threads: list[ThreadLine]
    next: int | None = None
    position: int


@router.get("")
async def threads(  # noqa: PLR0913  (each is a parameter of the query)
    journal: ThreadLists,
    permits: PermitsDep,
    *,
    status: Status | None = None,
    project: Project = None,
    q: Search = None,
    archived: Archived = False,
    limit: Limit = PAGE,
    after: NextPage = MAX_POSITION,
) -> ThreadPage:
    """List threads, most recently changed first."""
    query = ThreadQuery(
        words=q or "",
        status=status,
        project=project,
        is_archived=archived,
        before=after,
        limit=limit + 1,
        projects=await permits.visible(),
    )
    position = await journal.position()
    found = await journal.threads(query)
    page, behind = page_of(found, limit)
    return ThreadPage(threads=page, next=behind, position=position)


@router.get("/{thread}")
async def thread(
    thread: Thread,
    folds: ThreadsDep,
    histories: HistoriesDep,
    lines: LinesDep,
    at: At = None,
) -> ThreadView:
    """Get a thread: its plan, tasks, sessions and open requests; now, or at a journal position."""
    if at is not None:
        return await histories.view(thread, at)
    return with_signal_lines(await folds.view(thread), lines)


add_commands(
    router,
    thread_id,
    CommandRoute(
        "/{thread}/pause", Pause, "Pause a plan: no new tasks start, and running ones finish."
    ),
    CommandRoute("/{thread}/resume", Resume, "Resume a paused plan."),
    CommandRoute(
        "/{thread}/cancel",
        Cancel,
        "Cancel a plan or its planning: abort running tasks, cancel pending ones.",
    ),
    CommandRoute(
        "/{thread}/abort-all",
        AbortAll,
        "Abort running tasks and pause the plan; pending ones, and those at their gate, stay as they are.",
    ),
)
