"""Events: as pages and as streams; a position in the journal is the only cursor."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Header
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel

from api.dependencies import MAX_POSITION, After, JournalDep, KnownThread, Limit, Streaming
from domain.events import JournaledEvent
from domain.ids import StreamId
from domain.ports import Journal

router = APIRouter(tags=["events"])

LastEventId = Annotated[int | None, Header(ge=0, le=MAX_POSITION)]
"""What a reconnecting EventSource sends; it goes before `after`."""


class EventPage(BaseModel):
    """The next events; `after` is what to ask for the page behind them."""

    events: list[JournaledEvent]
    after: int


@router.get("/threads/{thread}/events")
async def thread_events(
    thread: KnownThread, journal: JournalDep, after: After = 0, limit: Limit = 500
) -> EventPage:
    """Return the next events of a thread, its tasks and its sessions."""
    events = await journal.read(StreamId(thread), after=after, limit=limit, below=True)
    return EventPage(events=events, after=events[-1].position if events else after)


@router.get("/events", response_class=EventSourceResponse, dependencies=[Streaming])
async def stream(
    journal: JournalDep, after: After = 0, last_event_id: LastEventId = None
) -> AsyncIterator[ServerSentEvent]:
    """Stream all events after a position, then new ones as they come."""
    async for event in stream_of(journal, None, last_event_id or after):
        yield event


@router.get(
    "/threads/{thread}/events/stream",
    response_class=EventSourceResponse,
    dependencies=[Streaming],
)
async def thread_stream(
    thread: KnownThread, journal: JournalDep, after: After = 0, last_event_id: LastEventId = None
) -> AsyncIterator[ServerSentEvent]:
    """Stream the events of a thread, its tasks and its sessions, then new ones as they come."""
    async for event in stream_of(journal, StreamId(thread), last_event_id or after):
        yield event


async def stream_of(
    journal: Journal, stream: StreamId | None, after: int
) -> AsyncIterator[ServerSentEvent]:
    """Yield the events of a stream and of those under it after a position, and new ones without end."""
    async for journaled in journal.follow(stream, after=after, below=True):
        yield ServerSentEvent(id=str(journaled.position), raw_data=journaled.model_dump_json())
