"""What the page's one stream tells of: its topics, and what goes out for each."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import NamedTuple

from adapters.journal import SqlJournal, Wanted
from api.dependencies import thread_id
from api.flow_runs import flow_run_id
from api.problems import RefusedError, echo
from api.sse import PING, PING_SECONDS, RETRY, frames
from api.thread_lines import lines_of
from domain.agent_checks import check_stream
from domain.errors import NotFoundError
from domain.inbox.idle import IDLE
from domain.queue.inputs import QUEUE

MAX_TOPICS = 64
NOTICE_SECONDS = 0.25
OVERLAP = 2_000
"""Positions before a cursor in which notices may have been held back when a connection broke."""

_CHECK = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]{0,62})/([1-9]\d{0,6})", re.ASCII)
_LISTS = frozenset({"inbox", "threads", "queue"})
_KNOWN = "inbox, threads, queue, thread:ID, flow:ID and check:AGENT/NUMBER"


class Topics(NamedTuple):
    """The streams whose events go out, and the lists that are told of when they change."""

    streams: tuple[str, ...]
    lists: frozenset[str]


def topics_of(text: str) -> Topics:
    """Read topics, with commas between them.

    Raises:
        RefusedError: One is not known, or there are none, or too many (422).
    """
    names = tuple(dict.fromkeys(text.split(",")))
    if len(names) > MAX_TOPICS:
        raise RefusedError(422, "too_many_topics", f"at most {MAX_TOPICS} topics in one stream")
    streams = tuple(_stream_of(name) for name in names if name not in _LISTS)
    return Topics(streams, _LISTS.intersection(names))


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
    raise RefusedError(422, "unknown_topic", f"{echo(topic)} is no topic; there are {_KNOWN}")


class TopicStream:
    """One reader's stream: events after a position, and notices that lists have changed.

    Every id is a position up to which everything was told. Notices are held back to four a second,
    so those around the cursor of a new connection are told again: they change nothing twice.
    """

    def __init__(self, journal: SqlJournal, topics: Topics, after: int) -> None:
        self._journal = journal
        self._topics = topics
        self._wanted = Wanted(topics.streams, below=True)
        self._after = after
        self._told = max(0, after - OVERLAP)
        self._now = asyncio.get_running_loop().time
        self._told_at, self._sent_at = 0.0, self._now()

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield what goes out, without end."""
        yield RETRY
        async with aclosing(self._journal.growth(self._patience)) as growth:
            async for newest in growth:
                if self._after > newest:
                    yield self._message("reset", newest, {})
                    self._after = self._told = newest
                async for chunk in self._news(newest):
                    self._sent_at = self._now()
                    yield chunk
                if self._now() - self._sent_at >= PING_SECONDS:
                    self._sent_at = self._now()
                    yield PING

    def _patience(self) -> float:
        """Return how long to wait for the journal: no longer than notices are held back."""
        return NOTICE_SECONDS if self._is_held_back else PING_SECONDS

    @property
    def _is_held_back(self) -> bool:
        return bool(self._topics.lists) and self._told < self._after

    async def _news(self, newest: int) -> AsyncIterator[bytes]:
        if self._topics.streams:
            batches = self._journal.raw(self._wanted, after=self._after, upto=newest)
            async for batch in batches:
                yield frames(batch, "journal")
        self._after = newest
        if self._is_held_back and self._now() - self._told_at >= NOTICE_SECONDS:
            async for notice in self._notices(newest):
                yield notice
            self._told, self._told_at = newest, self._now()

    async def _notices(self, newest: int) -> AsyncIterator[bytes]:
        changed = await self._journal.changed_tops(self._told, newest, IDLE)
        threads = {top for top in changed if top.startswith("thread-")}
        lists = self._topics.lists
        if "threads" in lists and threads:
            lines = lines_of(await self._journal.lines_of(threads))
            shown = [line.model_dump(mode="json") for line in lines]
            yield self._message("threads", newest, {"lines": shown})
        if "queue" in lists and QUEUE in changed:
            yield self._message("queue", newest, {})
        if "inbox" in lists and (threads or any(top.startswith("flow-") for top in changed)):
            yield self._message("inbox", newest, {})

    def _message(self, name: str, position: int, said: dict[str, object]) -> bytes:
        text = json.dumps({"position": position, **said}, ensure_ascii=False)
        return f"event: {name}\nid: {position}\ndata: {text}\n\n".encode()
