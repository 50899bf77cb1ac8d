"""Searching the files of a worktree, for what a person types after `@`."""

import uuid
from typing import Annotated

from fastapi import Depends, Query

from adapters.host import known_host
from adapters.readings.projections import task_of
from api.core.dependencies import SettingsDep, ThreadLists, ThreadsDep, WorkflowsDep
from domain.core.errors import NotFoundError, UnavailableError, WrongStateError
from domain.core.file_queries import (
    MAX_FILES,
    MAX_PATH,
    MAX_QUERY,
    FileQuery,
    FoundFiles,
    WorktreePlace,
)
from domain.core.ids import (
    WORK,
    SessionId,
    TaskId,
    ThreadId,
    run_workspace_id,
    session_workspace_id,
)
from domain.core.workspaces import WorkspaceKind, WorkspaceSpec
from domain.reading.projection import ThreadFold
from domain.threads.events import ThreadOpened
from domain.threads.working.rules import takes_turns_of

SearchText = Annotated[str, Query(max_length=MAX_QUERY, description="Part of a name or path")]
FileLimit = Annotated[int, Query(ge=1, le=MAX_FILES)]
OneFile = Annotated[
    str, Query(max_length=MAX_PATH, description="A file of it; without one the worktree itself")
]


class FileSearch:
    """Has the host of a worktree search it, or say where a file of it is."""

    def __init__(
        self,
        folds: ThreadsDep,
        workflows: WorkflowsDep,
        journal: ThreadLists,
        settings: SettingsDep,
    ) -> None:
        self._folds = folds
        self._workflows = workflows
        self._hosts = journal.hosts
        self._own = known_host(settings.data_dir)

    async def of_session(
        self, thread: ThreadId, session_id: SessionId, text: str, limit: int
    ) -> FoundFiles:
        """Return the best matches in the worktree of a session.

        Raises:
            TreadleError: There is no such session, or its host does not answer.
        """
        fold = await self._folds.fold(thread)
        return await self._find(fold, _of_session(fold, session_id), text, limit)

    async def of_task(self, thread: ThreadId, task: TaskId, text: str, limit: int) -> FoundFiles:
        """Return the best matches in the worktree of a task's newest run; before it, its thread's.

        Raises:
            TreadleError: There is no such task, or its host does not answer.
        """
        fold = await self._folds.fold(thread)
        return await self._find(fold, _of_task(fold, task), text, limit)

    async def place_in_session(
        self, thread: ThreadId, session_id: SessionId, file: str
    ) -> WorktreePlace:
        """Return where a file of a session's worktree is, or the worktree itself; fails as `of_session`."""
        fold = await self._folds.fold(thread)
        return await self._place(fold, _of_session(fold, session_id), file)

    async def place_in_task(self, thread: ThreadId, task: TaskId, file: str) -> WorktreePlace:
        """Return where a file of a task's worktree is, or the worktree itself; fails as `of_task`."""
        fold = await self._folds.fold(thread)
        return await self._place(fold, _of_task(fold, task), file)

    async def _find(self, fold: ThreadFold, workspace_id: str, text: str, limit: int) -> FoundFiles:
        query = _query(fold, workspace_id)
        found = await self._workflows.find_files(
            query.model_copy(update={"text": text, "limit": limit})
        )
        if found.failure:
            raise UnavailableError(f"the files of {workspace_id} cannot be listed: {found.failure}")
        return found

    async def _place(self, fold: ThreadFold, workspace_id: str, file: str) -> WorktreePlace:
        query = _query(fold, workspace_id)
        found = await self._workflows.find_files(query.model_copy(update={"place": file}))
        if not found.place:
            raise NotFoundError(found.failure or "the host of this worktree is of an older version")
        name = await self._hosts.name_of(query.host)
        return WorktreePlace(path=found.place, host=name, is_here=query.host == self._own)


def _of_session(fold: ThreadFold, session_id: SessionId) -> str:
    thread = fold.thread.thread_id
    session = fold.thread.sessions.get(session_id)
    if session is None:
        raise NotFoundError(f"thread {thread!r} has no session {session_id!r}")
    if takes_turns_of(session_id, fold.thread):
        return _of_task(fold, WORK)
    return session_workspace_id(thread, session_id, has_own=session.has_own_worktree)


def _of_task(fold: ThreadFold, task: TaskId) -> str:
    return run_workspace_id(fold.thread.thread_id, task, task_of(fold, task).run)


def _query(fold: ThreadFold, workspace_id: str) -> FileQuery:
    opened = fold.thread.opened
    if opened is None:
        raise WrongStateError("the thread is not open yet")
    thread = fold.thread.thread_id
    return FileQuery(
        query_id=f"{thread}/files-{uuid.uuid4().hex}",
        thread_id=thread,
        host=opened.host,
        workspace=_workspace(opened, thread, workspace_id),
    )


def _workspace(opened: ThreadOpened, thread: ThreadId, workspace_id: str) -> WorkspaceSpec:
    return WorkspaceSpec(
        workspace_id=workspace_id,
        kind=WorkspaceKind.CHAT,
        repository=opened.facts.root,
        thread_id=thread,
        base=opened.branch,
        name=opened.name,
        beside=opened.others,
    )


FileSearchDep = Annotated[FileSearch, Depends()]
