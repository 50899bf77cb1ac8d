"""Terminals and ports of a thread: what runs beside its agents, and where it listens."""

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
)
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
from domain.core.ids import StreamId, session_stream, task_workflow_id, terminal_stream
from domain.core.wire import Wire

router = APIRouter(tags=["terminals"], prefix="/threads/{thread}")

Since = Annotated[int, Query(ge=0, le=MAX_POSITION, description="The position read up to")]


class TerminalList(Wire):
    """Terminals, the oldest first."""

    terminals: list[TerminalView]


class PortOfTask(AllocatedPort):
    """A port with the task that holds or held it."""

    task_id: str


class PortList(Wire):
    """The ports of all tasks, those of ended ones released."""

    ports: list[PortOfTask]


async def owner(
    thread: KnownThread, kind: Literal["tasks", "sessions"], name: str, folds: ThreadsDep
) -> StreamId:
    """Return whose terminals a path means: a task's, or those of a chat of the thread by its number.

    Raises:
        NotFoundError: The thread has no such task or session.
    """
    if kind == "tasks":
        await folds.task(thread, task_id(name))
        return StreamId(task_workflow_id(thread, task_id(name)))
    session = session_stream(thread, int(name) if name.isdecimal() else 0)
    if session not in {view.session_id for view in (await folds.view(thread)).sessions}:
        raise NotFoundError(f"thread {thread!r} has no session {name[:80]!r}; they are numbered")
    return StreamId(session)


Owner = Annotated[StreamId, Depends(owner)]


async def one(owner: Owner, number: Number) -> StreamId:
    """Return the stream of one of an owner's terminals."""
    return terminal_stream(owner, number)


One = Annotated[StreamId, Depends(one)]
_OF_OWNER = "/{kind}/{name}/terminals"


@router.get("/ports")
async def ports(thread: Thread, folds: ThreadsDep) -> PortList:
    """Show the ports of all tasks."""
    tasks = (await folds.view(thread)).tasks
    found = [PortOfTask(task_id=t.task_id, **p.model_dump()) for t in tasks for p in t.allocated]
    return PortList(ports=found)


@router.get("/terminals")
async def terminals(thread: KnownThread, journal: JournalDep) -> TerminalList:
    """Show the terminals of all tasks and chats."""
    return TerminalList(terminals=await terminals_below(journal, StreamId(thread)))


@router.get(_OF_OWNER)
async def terminals_of(owner: Owner, journal: JournalDep) -> TerminalList:
    """Show the terminals of a task, of all its runs, or of a chat."""
    return TerminalList(terminals=await terminals_below(journal, owner))


@router.get(_OF_OWNER + "/{number}")
async def terminal(terminal: One, journal: JournalDep) -> TerminalView:
    """Show one terminal."""
    return await terminal_of(journal, terminal)


@router.get(_OF_OWNER + "/{number}/output")
async def output(terminal: One, journal: JournalDep, since: Since = 0) -> OutputView:
    """Show what a terminal has said since a position, its newest 256 KiB."""
    return await output_of(journal, terminal, since)


@router.get(_OF_OWNER + "/{number}/stream", response_class=EventStream, dependencies=[Streaming])
async def follow(
    terminal: One, journal: ThreadLists, after: After = 0, last_event_id: LastEventId = None
) -> Response:
    """Stream what a terminal says and its end, from a position in the journal on."""
    return followed(journal, Wanted((terminal,)), last_event_id or after)
