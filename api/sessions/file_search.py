"""Searching the files of a worktree, for what a person types after `@`."""

import uuid
from typing import Annotated

from fastapi import Depends, Query

from adapters.readings.projections import task_of
from api.core.dependencies import ThreadsDep, WorkflowsDep
from domain.core.errors import NotFoundError, UnavailableError, WrongStateError
from domain.core.file_queries import MAX_FILES, MAX_QUERY, FileQuery, FoundFiles
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


class FileSearch:
    """Has the host of a worktree search it."""

    def __init__(self, folds: ThreadsDep, workflows: WorkflowsDep) -> None:
        self._folds = folds
        self._workflows = workflows

    async def of_session(
        self, thread: ThreadId, session_id: SessionId, text: str, limit: int
    ) -> FoundFiles:
        """Return the best matches in the worktree of a session.

        Raises:
            TreadleError: There is no such session, or its host does not answer.
        """
        fold = await self._folds.fold(thread)
        session = fold.thread.sessions.get(session_id)
        if session is None:
            raise NotFoundError(f"thread {thread!r} has no session {session_id!r}")
        if takes_turns_of(session_id, fold.thread):
            return await self.of_task(thread, WORK, text, limit)
        workspace_id = session_workspace_id(thread, session_id, has_own=session.has_own_worktree)
        return await self._find(fold, workspace_id, text, limit)

    async def of_task(self, thread: ThreadId, task: TaskId, text: str, limit: int) -> FoundFiles:
        """Return the best matches in the worktree of a task's newest run; before it, its thread's.

        Raises:
            TreadleError: There is no such task, or its host does not answer.
        """
        fold = await self._folds.fold(thread)
        workspace_id = run_workspace_id(thread, task, task_of(fold, task).run)
        return await self._find(fold, workspace_id, text, limit)

    async def _find(self, fold: ThreadFold, workspace_id: str, text: str, limit: int) -> FoundFiles:
        opened = fold.thread.opened
        if opened is None:
            raise WrongStateError("the thread is not open yet")
        thread = fold.thread.thread_id
        query = FileQuery(
            query_id=f"{thread}/files-{uuid.uuid4().hex}",
            thread_id=thread,
            host=opened.host,
            workspace=_workspace(opened, thread, workspace_id),
            text=text,
            limit=limit,
        )
        found = await self._workflows.find_files(query)
        if found.failure:
            raise UnavailableError(f"the files of {workspace_id} cannot be listed: {found.failure}")
        return found


def _workspace(opened: ThreadOpened, thread: ThreadId, workspace_id: str) -> WorkspaceSpec:
    return WorkspaceSpec(
        workspace_id=workspace_id,
        kind=WorkspaceKind.CHAT,
        repository=opened.facts.root,
        thread_id=thread,
        base=opened.branch,
    )


FileSearchDep = Annotated[FileSearch, Depends()]
