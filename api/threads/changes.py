"""The changes of a thread: its branch against its start, the work of one session, and files beside them."""

import uuid
from typing import Annotated

from fastapi import APIRouter, Depends, Query
from fastapi.responses import PlainTextResponse

from api.core.dependencies import JournalDep, Thread, ThreadsDep, WorkflowsDep
from api.core.permissions import OF_THREAD
from domain.core.changes import BranchChanges, ChangesQuery
from domain.core.contents import MAX_CONTENT_PATH, MAX_PICTURE_BYTES, ContentQuery, FileContent
from domain.core.errors import NotFoundError, UnavailableError, WrongStateError
from domain.core.ids import ThreadId, session_stream

SessionNumber = Annotated[
    int | None,
    Query(ge=1, le=1_000_000, description="Only the latest changes of this chat session"),
]

ThreadCommit = Annotated[
    str,
    Query(
        pattern="^([0-9a-f]{40}|[0-9a-f]{64})$",
        description="A commit of the thread's branch or of one of its checkpoints",
    ),
]

Path = Annotated[
    str,
    Query(
        min_length=1,
        max_length=MAX_CONTENT_PATH,
        pattern=r"^[^\x00]+$",
        description="The path as the diff has it; `../NAME/…` is in a repository beside",
    ),
]
Offset = Annotated[
    int, Query(ge=0, le=MAX_PICTURE_BYTES, description="Where a piece of a picture begins")
]


class BranchComparison:
    """Has the host of a thread's repository compare its branch."""

    def __init__(self, folds: ThreadsDep, workflows: WorkflowsDep) -> None:
        self._folds = folds
        self._workflows = workflows

    async def look(
        self, thread: ThreadId, session: int | None = None, since: str = "", commit: str = ""
    ) -> BranchChanges:
        """Compare a thread's branch, or the work of a session, with where the branch started; or two commits.

        Raises:
            TreadleError: There is no such session, or the host does not answer.
        """
        known = (await self._folds.fold(thread)).thread
        opened = known.opened
        if opened is None:
            raise WrongStateError("the thread is not open yet")
        session_id = session_stream(thread, session) if session is not None else None
        if session_id is not None and session_id not in known.sessions:
            raise NotFoundError(f"thread {thread!r} has no session {session}")
        query = ChangesQuery(
            query_id=f"{thread}/changes-{uuid.uuid4().hex}",
            thread_id=thread,
            host=opened.host,
            repository=opened.facts.root,
            branch=opened.branch,
            begins_at=opened.begins_at or opened.facts.head,
            target=opened.facts.head_branch or "",
            session_id=session_id,
            since=since,
            commit=commit,
            beside=opened.beside,
        )
        found = await self._workflows.compare_branch(query)
        if found.failure:
            raise UnavailableError(f"the changes of {thread} cannot be read: {found.failure}")
        return found


BranchComparisonDep = Annotated[BranchComparison, Depends()]


router = APIRouter(tags=["changes"], prefix="/threads/{thread}", dependencies=[OF_THREAD])


@router.get("/changes")
async def changes(
    thread: Thread, comparison: BranchComparisonDep, session: SessionNumber = None
) -> BranchChanges:
    """Compare a thread's branch with its start; get the patch with `GET /v1/texts/{diff_ref}`."""
    return await comparison.look(thread, session)


@router.get("/changes/diff", response_class=PlainTextResponse)
async def thread_diff(
    thread: Thread,
    comparison: BranchComparisonDep,
    journal: JournalDep,
    session: SessionNumber = None,
) -> PlainTextResponse:
    """Get the changes of a thread, or of one session, as a patch."""
    found = await comparison.look(thread, session)
    patch = await journal.text(found.diff_ref) if found.diff_ref else ""
    return PlainTextResponse(patch or "")


@router.get("/changes/between", response_class=PlainTextResponse)
async def between(
    comparison: BranchComparisonDep,
    journal: JournalDep,
    thread: Thread,
    since: ThreadCommit,
    commit: ThreadCommit,
) -> PlainTextResponse:
    """Get what changed between two commits of a thread, as a patch."""
    found = await comparison.look(thread, since=since, commit=commit)
    patch = await journal.text(found.diff_ref) if found.diff_ref else ""
    return PlainTextResponse(patch or "")


@router.get("/contents")
async def content(
    thread: Thread,
    folds: ThreadsDep,
    workflows: WorkflowsDep,
    commit: ThreadCommit,
    path: Path,
    offset: Offset = 0,
) -> FileContent:
    """Get a file at a commit of a thread: a text of up to 1 MiB, or a picture of up to 5 MiB in pieces of 1 MiB."""
    opened = (await folds.fold(thread)).thread.opened
    if opened is None:
        raise WrongStateError("the thread is not open yet")
    query = ContentQuery(
        query_id=f"{thread}/content-{uuid.uuid4().hex}",
        thread_id=thread,
        host=opened.host,
        repository=opened.facts.root,
        branch=opened.branch,
        commit=commit,
        path=path,
        offset=offset,
        beside=opened.beside,
    )
    found = await workflows.read_content(query)
    if found.failure:
        raise UnavailableError(f"{path} cannot be read: {found.failure}")
    return found
