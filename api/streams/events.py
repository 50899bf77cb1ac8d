"""Events: as pages and as streams; a position in the journal is the only cursor."""

from fastapi import APIRouter, Response

from adapters.journal import Wanted
from api.core.dependencies import After, KnownThread, Limit, Streaming, ThreadLists
from api.core.event_pages import Before, EventPage, OneStream, page_of, wanted_in
from api.core.sse import EventStream, LastEventId, followed

router = APIRouter(tags=["events"])


@router.get("/threads/{thread}/events", response_model=EventPage)
async def thread_events(
    thread: KnownThread,
    journal: ThreadLists,
    after: After = 0,
    before: Before = None,
    limit: Limit = 500,
    stream: OneStream = None,
) -> Response:
    """Return events of a thread, its tasks and its sessions: the next ones, or those before."""
    return await page_of(journal, wanted_in(thread, stream), (after, before), limit)


@router.get("/events", response_class=EventStream, dependencies=[Streaming])
async def stream(
    journal: ThreadLists, after: After = 0, last_event_id: LastEventId = None
) -> Response:
    """Stream all events after a position, then new ones as they come."""
    return followed(journal, Wanted(), last_event_id or after)


@router.get(
    "/threads/{thread}/events/stream",
    response_class=EventStream,
    dependencies=[Streaming],
)
async def thread_stream(
    thread: KnownThread, journal: ThreadLists, after: After = 0, last_event_id: LastEventId = None
) -> Response:
    """Stream the events of a thread, its tasks and its sessions, then new ones as they come."""
    return followed(journal, Wanted((thread,), below=True), last_event_id or after)
