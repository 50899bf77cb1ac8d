"""A stream over a connection that breaks anywhere: every event once, in order."""

import json
from collections.abc import Iterator

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.client.stand_in import async_client_of, client_of, problem
from tests.hypothesis_profiles import effort
from treadle_client import errors, models

EVENTS = 12


def frame(position: int) -> bytes:
    body = {"kind": "thread_archived", "by": f"ann {position}"}
    event = {"id": f"e{position}", "stream": "thread-a", "at": "2026-11-01T00:00:00Z", "body": body}
    return (
        f"id: {position}\ndata: {json.dumps({'position': position, 'event': event})}\n\n".encode()
    )


class Broken(httpx.SyncByteStream, httpx.AsyncByteStream):
    """The bytes of a stream up to where its connection breaks."""

    def __init__(self, content: bytes) -> None:
        self._content = content

    def __iter__(self) -> Iterator[bytes]:
        yield self._content
        raise httpx.ReadError("cut")

    async def __aiter__(self):
        yield self._content
        raise httpx.ReadError("cut")


class Cutting:
    """An API whose streams break after so many bytes each, and whose last one is whole."""

    def __init__(self, cuts: list[int], overlap: int = 0) -> None:
        self._cuts = iter(cuts)
        self._overlap = overlap
        self.asked: list[int] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        after = int(request.headers["Last-Event-ID"])
        self.asked.append(after)
        begins = max(0, after - self._overlap)
        content = b": ping\n\n" + b"".join(map(frame, range(begins + 1, EVENTS + 1)))
        cut = next(self._cuts, len(content))
        return httpx.Response(
            200, headers={"Content-Type": "text/event-stream"}, stream=Broken(content[:cut])
        )


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch):
    monkeypatch.setattr("treadle_client.patience.RETRY_SECONDS", 0.0)


@given(cuts=st.lists(st.integers(0, 700), max_size=6), overlap=st.integers(0, 3))
@effort(60)
def test_every_event_comes_once_and_in_order_wherever_connections_break(cuts, overlap):
    stream = client_of(Cutting(cuts, overlap)).events.follow("thread-a")
    got = [next(stream) for _ in range(EVENTS)]
    assert [event.position for event in got] == list(range(1, EVENTS + 1))
    assert all(isinstance(event.event.body, models.ThreadArchived) for event in got)


async def test_the_same_for_callers_that_await():
    api = Cutting([300, 0, 700, 20])
    got = []
    async for event in async_client_of(api).events.follow("thread-a", after=2):
        got.append(event.position)
        if event.position == EVENTS:
            break
    assert got == list(range(3, EVENTS + 1))
    assert api.asked[0] == 2


def test_a_reader_begins_where_it_says():
    assert next(client_of(Cutting([])).events.follow("thread-a", after=7)).position == 8


def test_a_stream_of_what_there_is_not_fails():
    with pytest.raises(errors.NotFoundError):
        next(client_of(lambda _: problem(404, "not_found")).events.follow("thread-a"))


def test_a_stream_that_never_comes_back_fails_in_the_end():
    def refuse(_request: httpx.Request) -> httpx.Response:
        raise httpx.ReadError("cut")

    with pytest.raises(errors.UnreachableError):
        next(client_of(refuse, patience=0.05).events.follow("thread-a"))


def test_nothing_is_read_that_nobody_asked_for():
    taken = []

    class Counting(Broken):
        def __iter__(self) -> Iterator[bytes]:
            for position in range(1, EVENTS + 1):
                taken.append(position)
                yield frame(position)

    def answer(_request: httpx.Request) -> httpx.Response:
        return httpx.Response(
            200, headers={"Content-Type": "text/event-stream"}, stream=Counting(b"")
        )

    stream = client_of(answer).events.follow("thread-a")
    assert [next(stream).position for _ in range(3)] == [1, 2, 3]
    assert len(taken) <= 4


def test_topics_have_events_notices_and_their_places():
    content = (
        b"retry: 1000\n\nevent: journal\n"
        + frame(1)
        + b"event: journal\n"
        + frame(1)
        + b'event: inbox\nid: 4\ndata: {"position": 4}\n\nevent: ping\nid: 5\ndata: {}\n\n'
    )

    def answer(_request: httpx.Request) -> httpx.Response:
        return httpx.Response(
            200, headers={"Content-Type": "text/event-stream"}, stream=Broken(content)
        )

    stream = client_of(answer).events.topics(topics="inbox,thread:thread-a")
    first, second, third = (next(stream) for _ in range(3))
    assert first.event is not None
    assert first.event.position == 1
    assert [(each.name, each.position) for each in (second, third)] == [("inbox", 4), ("ping", 5)]
    assert second.event is None
