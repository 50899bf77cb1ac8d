"""The page's one stream: events of what it shows, and word that its lists changed."""

import asyncio

import pytest
from httpx_sse import aconnect_sse

from tests.api.conftest import event, headline
from tests.api.serving import serving
from tests.api.test_reading import planned
from tests.api.test_streams import take, write


def names(events):
    return [e.event for e in events]


async def test_topics_bring_their_events_and_those_below_and_no_others(settings):
    async with serving(settings) as (journal, client, _):
        streams = ("thread-a/t1", "thread-b", "flow-x-1/session-1", "agents/gemini/check-2")
        await journal.append([event(n, s) for n, s in enumerate([*streams, "thread-ab"])])
        topics = "thread:thread-a,flow:flow-x-1,check:gemini/2,check:gemini/1"
        seen = await take(client, f"/v1/stream?topics={topics}&after=0", 3)

    assert [(e.event, e.id) for e in seen] == [("journal", "1"), ("journal", "3"), ("journal", "4")]
    assert [e.json()["position"] for e in seen] == [1, 3, 4]
    assert seen[0].json()["event"]["stream"] == "thread-a/t1"


async def test_a_stream_taken_up_at_its_last_id_has_no_gap_and_no_repeat(settings):
    path = "/v1/stream?topics=thread:thread-a,inbox,threads&after=0"
    async with serving(settings) as (journal, client, _):
        writing = asyncio.create_task(write(journal, 300))
        seen, last = [], "0"
        while len(seen) < 300:
            found = await take(client, path, min(40, 300 - len(seen)), **{"Last-Event-ID": last})
            seen += [e for e in found if e.event == "journal"]
            assert [int(e.id) for e in found] == sorted(int(e.id) for e in found)
            last = found[-1].id
        await writing

    assert [int(e.id) for e in seen] == list(range(1, 301))


async def test_lists_are_told_of_at_most_four_times_a_second(settings):
    async with (
        serving(settings) as (journal, client, _),
        aconnect_sse(client, "GET", "/v1/stream?topics=threads,inbox,queue") as source,
    ):
        events = source.aiter_sse()
        loop = asyncio.get_running_loop()
        began = loop.time()
        for number in range(60):
            told = event(number, "thread-a/t1", planned()[0].body)
            line = headline("thread-a", status=f"state {number}")
            await journal.append([told], [line])
        newest, found = {}, []
        async with asyncio.timeout(60):
            while newest.get("status") != "state 59":
                found.append(await anext(events))
                if found[-1].event == "threads":
                    (newest,) = found[-1].json()["lines"]
        seconds = loop.time() - began

    assert newest["thread_id"] == "thread-a"
    told = names(found)
    assert set(told) <= {"threads", "inbox"}
    assert told.count("threads") <= 4 * seconds + 2


async def test_chatter_changes_no_list_and_the_queue_is_told_of_its_own(settings):
    async with serving(settings) as (journal, client, _):
        await journal.append([event(0, "thread-a/session-1")])  # a notice of an agent
        await journal.append([event(1, "queue", planned()[0].body)])
        seen = await take(client, "/v1/stream?topics=inbox,threads,queue", 1)
    assert [(e.event, e.json()) for e in seen] == [("queue", {"position": 2})]


async def test_notices_around_the_cursor_of_a_new_connection_are_told_again(settings):
    async with serving(settings) as (journal, client, _):
        await journal.append([event(0, body=planned()[0].body)], [headline("thread-a")])
        await journal.append([event(n) for n in range(1, 20)])
        seen = await take(client, "/v1/stream?topics=inbox,threads,thread:thread-a&after=19", 3)
    assert names(seen) == ["journal", "threads", "inbox"]
    assert {e.id for e in seen} == {"20"}


async def test_a_cursor_beyond_the_journal_s_end_is_set_back(settings):
    path = "/v1/stream?topics=thread:thread-a&after=99"
    async with serving(settings) as (journal, client, _), asyncio.timeout(60):
        await journal.append([event(0)])
        async with aconnect_sse(client, "GET", path) as source:
            events = source.aiter_sse()
            first = await anext(events)
            await journal.append([event(n) for n in range(1, 4)])
            rest = [await anext(events) for _ in range(3)]

    assert (first.event, first.id, first.json()) == ("reset", "1", {"position": 1})
    assert [int(e.id) for e in rest] == [2, 3, 4]


async def test_where_nothing_happens_a_ping_comes_that_moves_no_cursor(settings):
    async with serving(settings) as (journal, client, _):
        await journal.append([event(0)])
        seen = await take(client, "/v1/stream?topics=thread:thread-a&after=0", 2)

    assert [(e.event, e.json()) for e in seen[1:]] == [("ping", {})]
    assert seen[1].id == seen[0].id  # an EventSource keeps the last one that it was given


async def test_a_ping_says_how_far_all_was_told_where_others_talk(settings):
    async with serving(settings) as (journal, client, _):
        await journal.append([event(n, "thread-b") for n in range(3)])
        (ping,) = await take(client, "/v1/stream?topics=thread:thread-a,inbox&after=0", 1)

    assert (ping.event, ping.id) == ("ping", "3")


@pytest.mark.parametrize(
    "topics",
    [
        *("", ",", "inboxes", "thread:", "thread:../x", "thread:Thread-A", "flow:x", "check:a"),
        *("check:a/0", "inbox,", "queue:1", ",".join(f"thread:thread-{n}" for n in range(65))),
    ],
)
async def test_what_is_no_topic_is_refused(down_client, topics):
    answer = await down_client.get("/v1/stream", params={"topics": topics})
    assert answer.status_code == 422
    assert answer.headers["content-type"] == "application/problem+json"


async def test_a_stream_without_topics_is_refused(down_client):
    assert (await down_client.get("/v1/stream")).status_code == 422
    assert (await down_client.get("/v1/stream?topics=inbox&after=-1")).status_code == 422


async def test_a_reader_that_takes_nothing_holds_no_more_than_a_batch(settings):
    async with serving(settings) as (journal, client, _):
        await journal.append([event(n) for n in range(6_000)])
        path = "/v1/stream?topics=thread:thread-a&after=0"
        async with aconnect_sse(client, "GET", path) as slow:
            lines = slow.response.aiter_raw()
            await anext(lines)  # and no more
            seen = await take(client, path, 6_000)
    assert [int(e.id) for e in seen] == list(range(1, 6_001))


async def test_a_line_that_follows_its_event_is_reported_too(settings):
    path = "/v1/stream?topics=threads,inbox"
    async with serving(settings) as (journal, client, _), asyncio.timeout(60):
        said = event(0, body=planned()[0].body)
        await journal.append([said], [headline("thread-a", status="running")])
        async with aconnect_sse(client, "GET", path) as source:
            events = source.aiter_sse()
            first = [await anext(events) for _ in range(2)]
            await journal.append([said], [headline("thread-a", status="waiting")])
            then = [await anext(events) for _ in range(2)]

    assert names(first) == names(then) == ["threads", "inbox"]
    assert [e.json()["lines"][0]["status"] for e in (first[0], then[0])] == ["running", "waiting"]
