"""Full-text search of the journal: what was said, planned, decided and reported, in all threads and runs."""

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel

from adapters.journal import Searches
from api.core.dependencies import MAX_POSITION, Limit, ThreadLists
from api.core.list_parameters import LineOfText, NextPage, Project
from api.core.permissions import OF_PROJECTS, PermitsDep
from domain.core.errors import JournalError
from domain.core.words import terms_of
from domain.reading.search.finds import PAGE, Find, SearchQuery

router = APIRouter(tags=["search"], prefix="/search", dependencies=[OF_PROJECTS])

_LOG = logging.getLogger("treadle.api")

Words = Annotated[
    LineOfText,
    Query(description='Words, each by its beginning; all must occur. "Quoted words" are a phrase'),
]
Top = Annotated[LineOfText | None, Query(description="Only in this thread or flow run")]


class SearchPage(BaseModel):
    """A page of finds, newest first; `next` is the `after` of the next page.

    `unindexed` is how many older events are not searched yet, after an upgrade.
    """

    finds: list[Find]
    next: int | None = None
    unindexed: int = 0


@router.get("")
async def search(  # noqa: PLR0913  (each is a parameter of the query)
    journal: ThreadLists,
    permits: PermitsDep,
    *,
    q: Words,
    thread: Top = None,
    project: Project = None,
    limit: Limit = PAGE,
    after: NextPage = MAX_POSITION,
) -> SearchPage:
    """Search what people and agents said, plans, decisions, reports and output of verification steps."""
    query = SearchQuery(
        terms=terms_of(q),
        top=thread,
        project=project,
        projects=await permits.visible(),
        before=after,
        limit=limit + 1,
    )
    found, unindexed = await journal.searches.find(query)
    page = found[:limit]
    behind = page[-1].position if len(found) > limit else None
    return SearchPage(finds=page, next=behind, unindexed=unindexed)


@asynccontextmanager
async def indexing(searches: Searches) -> AsyncGenerator[None]:
    """Index in the background what a journal holds that is older than its search."""
    is_over = asyncio.Event()

    async def index() -> None:
        try:
            while await searches.index_older() and not is_over.is_set():
                pass
        except JournalError:
            _LOG.warning("older events are not indexed for the search until the next start")

    task = asyncio.create_task(index(), name="indexing of older events")
    try:
        yield
    finally:
        is_over.set()
        await task
