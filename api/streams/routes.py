"""The stream of the page: everything it shows, on one connection."""

from typing import Annotated

from fastapi import APIRouter, Query, Response

from api.core.dependencies import After, Streaming, ThreadLists
from api.core.permissions import OF_PROJECTS, PermitsDep
from api.core.sse import EventStream, LastEventId
from api.streams.topics import TopicStream, topics_of
from domain.people.roles import Role

router = APIRouter(tags=["events"], prefix="/stream", dependencies=[OF_PROJECTS])

TopicNames = Annotated[
    str,
    Query(
        min_length=1,
        max_length=16_000,
        description="Separated by commas: inbox, threads, queue, thread:ID, flow:ID, "
        "check:AGENT/NUMBER",
    ),
]


@router.get("", response_class=EventStream, dependencies=[Streaming])
async def topics(
    journal: ThreadLists,
    topics: TopicNames,
    permits: PermitsDep,
    after: After = 0,
    last_event_id: LastEventId = None,
) -> Response:
    """Stream topics: events of threads, flow runs and checks, and notices of changed lists.

    `journal` messages have an event. `threads`, `inbox` and `queue` messages say that a list changed;
    `threads` has the changed threads. After a `reset`, read everything again: the journal was replaced
    by one that ends before the position that you asked for.
    """
    wanted = topics_of(topics)

    async def check() -> None:
        permits.read_again()
        for stream in wanted.streams:
            if stream.startswith(("thread-", "flow-")):
                await permits.require(Role.VIEWER, stream)

    await check()
    chunks = TopicStream(journal, wanted, last_event_id or after, permits.sees).chunks()
    return EventStream(chunks, check=check)
