"""What routes depend on: the journal, the workflows, the settings, checked ids."""

import re
from collections.abc import AsyncGenerator
from typing import Annotated, Any

from fastapi import Depends, Path, Query, Request
from pydantic import AfterValidator, Field

from adapters.journal import SqlJournal
from adapters.journal.ledger import JournalLedger
from adapters.readings.projections import (
    FlowProjections,
    QueueProjections,
    ThreadProjections,
    Timelines,
)
from adapters.redaction import Redactor
from api.core.browser_sessions import BrowserSessions
from api.core.callers import CALLER
from api.core.rates import Rates
from api.core.workflow_client import WorkflowClient
from domain.core.errors import NotFoundError
from domain.core.ids import (
    WORK,
    SessionId,
    StreamId,
    TaskId,
    ThreadId,
    session_stream,
    task_workflow_id,
)
from domain.core.ports import CodeKey, Journal
from domain.core.remote_repositories import local_folder
from domain.people.access import Caller
from domain.plans.best_of import is_run
from domain.threads.working.rules import takes_turns_of
from settings import Settings

MAX_POSITION = 2**53 - 1
_THREAD_ID = re.compile(r"thread-[a-z0-9][a-z0-9-]{0,80}", re.ASCII)


def from_app(name: str) -> Any:
    """Return the dependency on a part of the application's state."""

    def part(request: Request) -> Any:
        return getattr(request.app.state, name)

    return Depends(part)


async def _streaming(request: Request) -> AsyncGenerator[None]:
    rates: Rates = request.app.state.rates
    with rates.streaming():
        yield


ThreadsDep = Annotated[ThreadProjections, from_app("folds")]
FlowProjectionsDep = Annotated[FlowProjections, from_app("flow_folds")]
QueueProjectionsDep = Annotated[QueueProjections, from_app("queue_folds")]
TimelinesDep = Annotated[Timelines, from_app("timelines")]
LedgerDep = Annotated[JournalLedger, from_app("ledger")]
JournalDep = Annotated[Journal, from_app("journal")]
ThreadLists = Annotated[SqlJournal, from_app("journal")]
WorkflowsDep = Annotated[WorkflowClient, from_app("workflows")]
KeyDep = Annotated[CodeKey, from_app("key")]
SettingsDep = Annotated[Settings, from_app("settings")]
SessionsDep = Annotated[BrowserSessions, from_app("sessions")]
RedactorDep = Annotated[Redactor, from_app("redactor")]
Streaming = Depends(_streaming)
"""Counts a stream while it is open."""


def person_of(request: Request) -> str:
    """Return who sends a request: the user that the API runs as, or whose token or session it is."""
    caller: Caller = request.scope[CALLER]
    return caller.person


Person = Annotated[str, Depends(person_of)]

After = Annotated[
    int, Query(ge=0, le=MAX_POSITION, description="Only events after this journal position")
]
Limit = Annotated[int, Query(ge=1, le=1000)]

Repository = Annotated[
    str | None,
    Query(
        min_length=1,
        max_length=4096,
        description="A folder of the repository; without one, those of repositories are left out",
    ),
]
"""Of which repository files are found, beside those of the user and the built-in ones."""

AnyRepository = Annotated[
    Annotated[str, Field(min_length=1, max_length=4096)] | None,
    AfterValidator(local_folder),
    Query(
        description="A folder of the repository; without one, or with a URL, those of repositories are left out"
    ),
]
"""The same where a URL may stand, whose files are not known here."""


def thread_id(thread: str) -> ThreadId:
    """Check a thread's id in a path; a malformed one is not found.

    Raises:
        NotFoundError: It is malformed.
    """
    if not _THREAD_ID.fullmatch(thread):
        raise NotFoundError("no such thread; ids look like 'thread-add-a-flag-1a2b3c'")
    return ThreadId(thread)


def task_id(task: str) -> TaskId:
    """Check a task's id in a path.

    Raises:
        NotFoundError: It is malformed.
    """
    if not is_run(task):
        raise NotFoundError("no such task; ids look like 'task-1'")
    return TaskId(task)


Thread = Annotated[ThreadId, Depends(thread_id)]
Task = Annotated[TaskId, Depends(task_id)]

Number = Annotated[int, Path(ge=1, le=1_000_000)]
"""The number of a session in its thread, or of a terminal or check."""


def thread_session(thread: Thread, number: Number) -> SessionId:
    """Return the id of a session of a thread in a path."""
    return session_stream(thread, number)


def task_workflow(thread: Thread, task: Task) -> StreamId:
    """Return the workflow id of a task in a path."""
    return StreamId(task_workflow_id(thread, task))


Session = Annotated[SessionId, Depends(thread_session)]


async def turns_of(thread: Thread, session: Session, folds: ThreadsDep) -> str:
    """Return the workflow that takes a session's turns: its own, or that of the plan's work."""
    try:
        state = (await folds.fold(thread)).thread
    except NotFoundError:
        return session  # its workflow says that there is none
    return task_workflow_id(thread, WORK) if takes_turns_of(session, state) else session


SessionTurns = Annotated[str, Depends(turns_of)]
TaskWorkflow = Annotated[StreamId, Depends(task_workflow)]


async def known_thread(thread: Thread, journal: JournalDep) -> ThreadId:
    """Check that the journal has a thread.

    Raises:
        NotFoundError: It does not.
    """
    if not await journal.read(StreamId(thread), limit=1):
        raise NotFoundError(f"thread {thread!r} not found; list threads with `treadle threads`")
    return thread


KnownThread = Annotated[ThreadId, Depends(known_thread)]
