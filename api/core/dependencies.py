"""What routes are given: the journal, the door to the workflows, the key, checked ids."""

import re
from collections.abc import AsyncGenerator
from typing import Annotated

from fastapi import Depends, Path, Query, Request

from adapters.journal import SqlJournal
from api.core.browser_sessions import BrowserSessions
from api.core.projections import ThreadProjections
from api.core.rates import Rates
from api.core.workflow_client import WorkflowClient
from domain.core.errors import NotFoundError
from domain.core.ids import StreamId, TaskId, ThreadId, is_name
from domain.core.ports import CodeKey, Journal
from settings import Settings, user_name

MAX_POSITION = 2**53 - 1
_THREAD_ID = re.compile(r"thread-[a-z0-9][a-z0-9-]{0,80}", re.ASCII)


def _journal(request: Request) -> SqlJournal:
    return request.app.state.journal


def _folds(request: Request) -> ThreadProjections:
    return request.app.state.folds


def _workflows(request: Request) -> WorkflowClient:
    return request.app.state.workflows


def _key(request: Request) -> CodeKey:
    return request.app.state.key


def _settings(request: Request) -> Settings:
    return request.app.state.settings


def _sessions(request: Request) -> BrowserSessions:
    return request.app.state.sessions


async def _streaming(request: Request) -> AsyncGenerator[None]:
    rates: Rates = request.app.state.rates
    with rates.streaming():
        yield


ThreadsDep = Annotated[ThreadProjections, Depends(_folds)]
JournalDep = Annotated[Journal, Depends(_journal)]
ThreadLists = Annotated[SqlJournal, Depends(_journal)]
WorkflowsDep = Annotated[WorkflowClient, Depends(_workflows)]
KeyDep = Annotated[CodeKey, Depends(_key)]
SettingsDep = Annotated[Settings, Depends(_settings)]
SessionsDep = Annotated[BrowserSessions, Depends(_sessions)]
Streaming = Depends(_streaming)
"""Counts a stream for as long as it lasts."""

Person = Annotated[str, Depends(user_name)]
"""Who holds the token: the user that the API runs as."""

After = Annotated[int, Query(ge=0, le=MAX_POSITION, description="The last position already seen")]
Limit = Annotated[int, Query(ge=1, le=1000)]


def thread_id(thread: str) -> ThreadId:
    """Check a thread's id in a path; one that cannot be is simply not found.

    Raises:
        NotFoundError: No thread can have it.
    """
    if not _THREAD_ID.fullmatch(thread):
        raise NotFoundError("there is no such thread; ids look like 'thread-add-a-flag-1a2b3c'")
    return ThreadId(thread)


def task_id(task: str) -> TaskId:
    """Check a task's id in a path.

    Raises:
        NotFoundError: No task can have it.
    """
    if not is_name(task):
        raise NotFoundError("there is no such task; ids look like 'task-1'")
    return TaskId(task)


Thread = Annotated[ThreadId, Depends(thread_id)]
Task = Annotated[TaskId, Depends(task_id)]

Number = Annotated[int, Path(ge=1, le=1_000_000)]
"""Which session of a thread."""


async def known_thread(thread: Thread, journal: JournalDep) -> ThreadId:
    """Check that the journal knows a thread.

    Raises:
        NotFoundError: It has no event of it.
    """
    if not await journal.read(StreamId(thread), limit=1):
        raise NotFoundError(f"there is no thread {thread!r}")
    return thread


KnownThread = Annotated[ThreadId, Depends(known_thread)]
