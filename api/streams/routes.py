"""The one stream of a page: everything it shows, on one connection."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from api.core.dependencies import After, Streaming, ThreadLists
from api.core.sse import EventStream, LastEventId
from api.streams.topics import TopicStream, topics_of

router = APIRouter(tags=["events"], prefix="/stream")

TopicNames = Annotated[
    str,
    Query(
        min_length=1,
        max_length=16_000,
        description="With commas: inbox, threads, queue, thread:ID, flow:ID, check:AGENT/NUMBER",
    ),
]


@router.get("", response_class=EventStream, dependencies=[Streaming])
async def topics(
    journal: ThreadLists,
    topics: TopicNames,
    after: After = 0,
    last_event_id: LastEventId = None,
) -> Response:
    """Stream topics: `journal` has an event; `threads`, `inbox`, `queue` say that a list changed.

    `threads` brings the lines that did. `reset` says that the journal ends before the position that
    was asked for: what was read before is to be read again.
    """
    wanted = topics_of(topics)
    return EventStream(TopicStream(journal, wanted, last_event_id or after).chunks())
