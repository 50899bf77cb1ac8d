"""Files of a thread's commits, read beside a diff."""

import uuid
from typing import Annotated

from fastapi import APIRouter, Query

from api.core.dependencies import Thread, ThreadsDep, WorkflowsDep
from api.core.permissions import OF_THREAD
from api.threads.changes import ThreadCommit
from domain.core.contents import MAX_CONTENT_PATH, MAX_PICTURE_BYTES, ContentQuery, FileContent
from domain.core.errors import UnavailableError, WrongStateError

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

router = APIRouter(tags=["changes"], prefix="/threads/{thread}/contents", dependencies=[OF_THREAD])


@router.get("")
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
