"""Pages of events; a position in the journal is the only cursor."""

from typing import Annotated

from fastapi import Query, Response
from pydantic import BaseModel

from adapters.journal import SqlJournal, Wanted
from api.core.dependencies import MAX_POSITION
from domain.core.errors import InvalidError
from domain.core.event import JournaledEvent

Before = Annotated[
    int | None,
    Query(ge=1, le=MAX_POSITION, description="The newest ones below this position instead"),
]


OneStream = Annotated[
    str | None,
    Query(max_length=300, description="Of this stream alone, as events name it"),
]


class EventPage(BaseModel):
    """Events in order; `after` is what to ask for the page behind them, `before` for that in front.

    `before` is none where nothing is in front of them.
    """

    events: list[JournaledEvent]
    after: int
    before: int | None = None


def wanted_in(top: str, stream: str | None) -> Wanted:
    """Return which events are meant: all below a thread or a run, or those of one of its streams.

    Raises:
        InvalidError: The stream is another's.
    """
    if stream is None:
        return Wanted((top,), below=True)
    if stream != top and not stream.startswith(f"{top}/"):
        raise InvalidError(f"the streams here are {top!r} and those that begin with {f'{top}/'!r}")
    return Wanted((stream,))


async def page_of(
    journal: SqlJournal, wanted: Wanted, positions: tuple[int, int | None], limit: int
) -> Response:
    """Return a page of events, behind the first position or in front of the second.

    Raises:
        InvalidError: Both are given.
    """
    after, before = positions
    if after and before is not None:
        raise InvalidError(
            "give `after` for the next events or `before` for earlier ones, not both"
        )
    found = await journal.page(wanted, after=after, before=before, limit=limit)
    if found:
        has_more = len(found) == limit if before is not None else after > 0
        after, before = found[-1].position, found[0].position if has_more else None
    else:
        before = None
    events = ",".join(event.text for event in found)
    cursors = f'"after":{after},"before":{"null" if before is None else before}'
    return Response(f'{{"events":[{events}],{cursors}}}', media_type="application/json")
