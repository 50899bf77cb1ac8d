"""The topics of the page's stream, and the messages of each."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import aclosing
from typing import NamedTuple

from adapters.journal import SqlJournal, Wanted
from api.core.dependencies import thread_id
from api.core.problems import RefusedError, echo
from api.core.sse import RETRY, frames
from api.flows.lookup import flow_run_id
from api.streams.notices import LISTS, Notices, message
from domain.agents.checks import check_stream
from domain.core.errors import NotFoundError

MAX_TOPICS = 64
PING_SECONDS = 5.0
PING = "event: ping\nid: {position}\ndata: {{}}\n\n"
"""An event instead of a comment, which a page would not see: it notices missing pings.

With its position, a reader who reconnects skips the events of other topics.
"""

_CHECK = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]{0,62})/([1-9]\d{0,6})", re.ASCII)
_KNOWN = "inbox, threads, queue, board, thread:ID, flow:ID and check:AGENT/NUMBER"


class Topics(NamedTuple):
    """The streams whose events are sent, and the lists whose changes are."""

    streams: tuple[str, ...]
    lists: frozenset[str]


def topics_of(text: str) -> Topics:
    """Read topics, separated by commas.

    Raises:
        RefusedError: One is unknown, there are none, or too many (422).
    """
    names = tuple(dict.fromkeys(text.split(",")))
    if len(names) > MAX_TOPICS:
        raise RefusedError(422, "too_many_topics", f"a stream can have at most {MAX_TOPICS} topics")
    streams = tuple(_stream_of(name) for name in names if name not in LISTS)
    return Topics(streams, LISTS.intersection(names))


def _stream_of(topic: str) -> str:
    kind, _, name = topic.partition(":")
    try:
        if kind == "thread":
            return thread_id(name)
        if kind == "flow":
            return flow_run_id(name)
    except NotFoundError as error:
        raise RefusedError(422, "unknown_topic", f"{echo(topic)}: {error.message}") from error
    if kind == "check" and (check := _CHECK.fullmatch(name)):
        return check_stream(check[1], int(check[2]))
    raise RefusedError(422, "unknown_topic", f"unknown topic {echo(topic)}; topics: {_KNOWN}")


class TopicStream:
    """One reader's stream: events after a position, and notices of changed lists.

    Every id is a position up to which everything was sent.
    """

    def __init__(
        self,
        journal: SqlJournal,
        topics: Topics,
        after: int,
        sees: Callable[[str], bool] = lambda _project: True,
    ) -> None:
        self._journal = journal
        self._wanted = Wanted(topics.streams, below=True) if topics.streams else None
        self._notices = Notices(journal, topics.lists, after, sees)
        self._after = after
        self._now = asyncio.get_running_loop().time
        self._sent_at = self._now()

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield messages, without end."""
        yield RETRY
        async with aclosing(self._journal.growth(self._patience)) as growth:
            async for newest in growth:
                async for chunk in self._news(newest):
                    self._sent_at = self._now()
                    yield chunk
                if self._now() - self._sent_at >= PING_SECONDS:
                    self._sent_at = self._now()
                    yield PING.format(position=self._after).encode()

    def _patience(self) -> float:
        """Return how long to wait for the journal: at most until the next notice is due."""
        return self._notices.patience(self._after) or PING_SECONDS

    async def _news(self, newest: int) -> AsyncIterator[bytes]:
        if self._after > newest:
            self._notices.begin_at(newest)
            yield message("reset", newest, {})
        elif self._wanted is not None:
            batches = self._journal.raw(self._wanted, after=self._after, upto=newest)
            async for batch in batches:
                yield frames(batch, "journal")
        self._after = newest
        async for notice in self._notices.due(newest):
            yield notice
