"""Terminals and ports of a thread: processes that its agents started, and where they listen."""

from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Query, Response

from adapters.journal import Wanted
from api.core.dependencies import (
    MAX_POSITION,
    After,
    JournalDep,
    KnownThread,
    Number,
    Streaming,
    Thread,
    ThreadLists,
    ThreadsDep,
    task_id,
    task_workflow,
)
from api.core.permissions import OF_THREAD
from api.core.sse import EventStream, LastEventId, followed
from api.tasks.terminal_views import (
    OutputView,
    TerminalView,
    output_of,
    terminal_of,
    terminals_below,
)
from domain.agents.terminals import AllocatedPort
from domain.core.errors import NotFoundError
from domain.core.ids import StreamId, session_stream, terminal_stream
from domain.core.wire import Wire

router = APIRouter(tags=["terminals"], prefix="/threads/{thread}", dependencies=[OF_THREAD])

Since = Annotated[int, Query(ge=0, le=MAX_POSITION, description="Only output after this position")]


class TerminalList(Wire):
    """Terminals, oldest first."""

    terminals: list[TerminalView]


class PortOfTask(AllocatedPort):
    """A port and the task that has or had it."""

    task_id: str


class PortList(Wire):
    """The ports of all tasks; those of ended tasks are released."""

    ports: list[PortOfTask]


async def owner(
    thread: KnownThread, kind: Literal["tasks", "sessions"], name: str, folds: ThreadsDep
) -> StreamId:
    """Return the task or session whose terminals a path means.

    Raises:
        NotFoundError: The thread has no such task or session.
    """
    if kind == "tasks":
        await folds.task(thread, task_id(name))
        return task_workflow(thread, task_id(name))
    session = session_stream(thread, int(name) if name.isdecimal() else 0)
    if session not in {view.session_id for view in (await folds.view(thread)).sessions}:
        raise NotFoundError(f"thread {thread!r} has no session {name[:80]!r}; use its number")
    return StreamId(session)


Owner = Annotated[StreamId, Depends(owner)]


async def one(owner: Owner, number: Number) -> StreamId:
    """Return the stream of one of an owner's terminals."""
    return terminal_stream(owner, number)


One = Annotated[StreamId, Depends(one)]
_OF_OWNER = "/{kind}/{name}/terminals"


@router.get("/ports")
async def ports(thread: Thread, folds: ThreadsDep) -> PortList:
    """List the ports of a thread's tasks."""
    tasks = (await folds.view(thread)).runs
    found = [PortOfTask(task_id=t.task_id, **p.model_dump()) for t in tasks for p in t.allocated]
    return PortList(ports=found)


@router.get("/terminals")
async def terminals(thread: KnownThread, journal: JournalDep) -> TerminalList:
    """List the terminals of a thread's tasks and chats."""
    return TerminalList(terminals=await terminals_below(journal, StreamId(thread)))


@router.get(_OF_OWNER)
async def terminals_of(owner: Owner, journal: JournalDep) -> TerminalList:
    """List the terminals of a task, with those of its earlier runs, or of a chat."""
    return TerminalList(terminals=await terminals_below(journal, owner))


@router.get(_OF_OWNER + "/{number}")
async def terminal(terminal: One, journal: JournalDep) -> TerminalView:
    """Get a terminal."""
    return await terminal_of(journal, terminal)


@router.get(_OF_OWNER + "/{number}/output")
async def output(terminal: One, journal: JournalDep, since: Since = 0) -> OutputView:
    """Get the output of a terminal after a position, at most the last 256 KiB."""
    return await output_of(journal, terminal, since)


@router.get(_OF_OWNER + "/{number}/stream", response_class=EventStream, dependencies=[Streaming])
async def follow(
    terminal: One, journal: ThreadLists, after: After = 0, last_event_id: LastEventId = None
) -> Response:
    """Stream the output of a terminal and its end, after a journal position."""
    return followed(journal, Wanted((terminal,)), last_event_id or after)
