"""Events as pages and as streams; the cursor is a journal position."""

from fastapi import APIRouter, Response

from adapters.journal import Wanted
from api.core.dependencies import After, Streaming, ThreadLists, known_thread
from api.core.event_pages import add_event_routes
from api.core.permissions import OF_SERVER, OF_THREAD
from api.core.sse import EventStream, LastEventId, followed

router = APIRouter(tags=["events"], dependencies=[OF_THREAD])

add_event_routes(
    router, "/threads/{thread}/events", known_thread, "a thread, its tasks and its sessions"
)


@router.get("/events", response_class=EventStream, dependencies=[Streaming, OF_SERVER])
async def stream(
    journal: ThreadLists, after: After = 0, last_event_id: LastEventId = None
) -> Response:
    """Stream all events after a journal position, then new ones."""
    return followed(journal, Wanted(), last_event_id or after)
