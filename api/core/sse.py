"""Server-sent events, from the journal's rows without parsing and serializing them again."""

import asyncio
from collections.abc import AsyncIterable, AsyncIterator, Iterable
from contextlib import aclosing
from typing import Annotated

from fastapi import Header, Request
from fastapi.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from adapters.journal import RawEvent, SqlJournal, Wanted
from api.core.dependencies import MAX_POSITION
from api.core.permitted import Check, nothing_more, while_permitted

PING_SECONDS = 15.0
PING = b": ping\n\n"
RETRY = b"retry: 1000\n"
"""Part of the first event: how soon an EventSource reconnects."""

LastEventId = Annotated[int | None, Header(ge=0, le=MAX_POSITION)]
"""What a reconnecting EventSource sends; it takes precedence over `after`."""

_HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
"""Proxies must neither cache nor buffer a stream."""


class EventStream(StreamingResponse):
    """A stream of server-sent events; it reads no faster than its reader does.

    `check` is what the route checks beyond its permissions; the stream ends once that refuses.
    """

    media_type = "text/event-stream"

    def __init__(
        self,
        content: AsyncIterable[bytes],
        status_code: int = 200,
        *,
        check: Check = nothing_more,
    ) -> None:
        super().__init__(content, status_code, headers=_HEADERS)
        self._content = content
        self._check = check

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream for as long as its reader may read it."""
        self.body_iterator = while_permitted(self._content, Request(scope), self._check)
        await super().__call__(scope, receive, send)


def frames(events: Iterable[RawEvent], name: str = "") -> bytes:
    """Return events of the journal as server-sent events; their ids are their positions."""
    kind = f"event: {name}\n" if name else ""
    return "".join(f"{kind}id: {e.position}\ndata: {e.text}\n\n" for e in events).encode()


def followed(journal: SqlJournal, wanted: Wanted, after: int) -> EventStream:
    """Return a stream of events after a position and of new ones, without end."""
    return EventStream(_followed(journal, wanted, after))


async def _followed(journal: SqlJournal, wanted: Wanted, after: int) -> AsyncIterator[bytes]:
    clock = asyncio.get_running_loop().time
    sent_at = clock()
    async with aclosing(journal.growth(lambda: PING_SECONDS)) as growth:
        async for newest in growth:
            async for batch in journal.raw(wanted, after=after, upto=newest):
                yield frames(batch)
                sent_at = clock()
            after = max(after, newest)
            if clock() - sent_at >= PING_SECONDS:
                yield PING
                sent_at = clock()
