"""Pages of events; the cursor is a journal position."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Response
from pydantic import BaseModel

from adapters.journal import SqlJournal, Wanted
from api.core.dependencies import MAX_POSITION, After, Limit, Streaming, ThreadLists
from api.core.sse import EventStream, LastEventId, followed
from domain.core.errors import InvalidError
from domain.core.event import JournaledEvent
from domain.core.ids import StreamId

Before = Annotated[
    int | None,
    Query(
        ge=1, le=MAX_POSITION, description="The last events before this journal position instead"
    ),
]

OneStream = Annotated[
    str | None,
    Query(max_length=300, description="Only events of this stream"),
]


class EventPage(BaseModel):
    """A page of events in order; `after` is the cursor of the next page, `before` of the previous one.

    `before` is null if there is no previous page.
    """

    events: list[JournaledEvent]
    after: int
    before: int | None = None


def wanted_in(top: str, stream: str | None) -> Wanted:
    """Return the query for all events of a thread or flow run, or for one of its streams.

    Raises:
        InvalidError: The stream belongs to another one.
    """
    if stream is None:
        return Wanted((top,), below=True)
    if stream != top and not stream.startswith(f"{top}/"):
        raise InvalidError(f"the stream must be {top!r} or start with {f'{top}/'!r}")
    return Wanted((stream,))


async def page_of(
    journal: SqlJournal, wanted: Wanted, positions: tuple[int, int | None], limit: int
) -> Response:
    """Return a page of events after the first position or before the second.

    Raises:
        InvalidError: Both are given.
    """
    after, before = positions
    if after and before is not None:
        raise InvalidError("give either `after` or `before`, not both")
    found = await journal.page(wanted, after=after, before=before, limit=limit)
    if found:
        has_more = len(found) == limit if before is not None else after > 0
        after, before = found[-1].position, found[0].position if has_more else None
    else:
        before = None
    events = ",".join(event.text for event in found)
    cursors = f'"after":{after},"before":{"null" if before is None else before}'
    return Response(f'{{"events":[{events}],{cursors}}}', media_type="application/json")


def add_event_routes(router: APIRouter, path: str, known: Callable[..., Any], what: str) -> None:
    """Add the routes of a thread's or flow run's events, as pages and as a stream."""
    top_of_path = Depends(known)

    @router.get(
        path,
        response_model=EventPage,
        description=f"List events of {what}, in order: later or earlier ones.",
    )
    async def events(
        top: Annotated[StreamId, top_of_path],
        journal: ThreadLists,
        after: After = 0,
        before: Before = None,
        limit: Limit = 500,
        stream: OneStream = None,
    ) -> Response:
        return await page_of(journal, wanted_in(top, stream), (after, before), limit)

    @router.get(
        f"{path}/stream",
        response_class=EventStream,
        dependencies=[Streaming],
        description=f"Stream events of {what}: existing ones, then new ones.",
    )
    async def follow(
        top: Annotated[StreamId, top_of_path],
        journal: ThreadLists,
        after: After = 0,
        last_event_id: LastEventId = None,
    ) -> Response:
        return followed(journal, Wanted((top,), below=True), last_event_id or after)
