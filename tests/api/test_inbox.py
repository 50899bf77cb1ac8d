"""The inbox over REST, and threads as they were."""

import os
import time

import pytest

from adapters.journal import SqlJournal
from adapters.readings.inboxes import FEW
from domain.conversations.events import ToolCalled
from domain.core.event import Headline
from domain.core.lifecycle.events import ThreadArchived, ThreadPinned
from domain.hosts.host import HostFacts
from tests.api.conftest import client_of, event, headline
from tests.api.test_permissions import NAMES, guarded, token_for
from tests.api.test_reading import planned, started

__all__ = ["guarded"]


@pytest.fixture
def journal(down_app):
    return down_app.state.journal


async def a_waiting_thread(journal: SqlJournal, stream="thread-a"):
    events = [event(n, stream, e.body) for n, e in enumerate(planned())]
    await journal.append(events, [headline(stream, status="waiting")])


async def inbox(client):
    answer = await client.get("/v1/inbox")
    answer.raise_for_status()
    return answer.json()


async def test_what_waits_is_there_until_it_is_answered(journal, down_client):
    await a_waiting_thread(journal)
    before = await inbox(down_client)
    running = headline("thread-a", status="running")
    await journal.append(started(), [running])
    after = await inbox(down_client)

    assert [(i["kind"], i["thread_id"]) for i in before["items"]] == [("plan", "thread-a")]
    assert (before["position"], after["position"]) == (2, 5)
    assert after["items"] == []


async def test_a_new_plan_of_a_thread_whose_plan_has_ended_is_there(journal, down_client):
    events = [event(n, "thread-a", e.body) for n, e in enumerate(planned())]
    asks = headline("thread-a", status="completed", waiting_for="approval of the plan")
    await journal.append(events, [asks])
    found = (await inbox(down_client))["items"]
    assert [(i["kind"], i["thread_id"]) for i in found] == [("plan", "thread-a")]


async def test_archived_and_deleted_threads_do_not_wait(journal, down_client):
    for stream in ("thread-a", "thread-b", "thread-c"):
        await a_waiting_thread(journal, stream)
    assert len((await inbox(down_client))["items"]) == 3

    away = headline("thread-a", status="waiting", is_archived=True)
    await journal.append([event(9, body=ThreadArchived(by="ann"))], [away])
    await journal.forget("thread-b")

    assert [i["thread_id"] for i in (await inbox(down_client))["items"]] == ["thread-c"]


async def test_two_hundred_threads_that_wait_are_read_once(journal, down_client):
    for number in range(200):
        await a_waiting_thread(journal, f"thread-{number}")
    assert len((await inbox(down_client))["items"]) == 200
    busy = event(50, "thread-7/session-1", ToolCalled(tool="x"))
    await journal.append([busy])

    began = time.process_time()
    found = await inbox(down_client)
    assert len(found["items"]) == 200
    assert time.process_time() - began < 0.3  # 30 ms here; folding them all takes seconds


async def test_a_thread_is_shown_as_it_was_at_any_position(journal, down_client):
    await journal.append([*planned(), *started()])

    async def at(position, path=""):
        answer = await down_client.get(f"/v1/threads/thread-a{path}?at={position}")
        return answer.status_code, answer.json()

    assert [(await at(n))[1]["plan_status"] for n in (1, 2, 4, 5)] == ["idle"] * 2 + ["active"] * 2
    assert [len((await at(n))[1]["requests"]) for n in (2, 3)] == [1, 0]
    (_, then), (_, newest) = await at(2), await at(2**53 - 1)
    assert (then["position"], newest["position"]) == (2, 5)
    assert then["requests"][0]["signal_lines"] == {}
    assert [(await at(n, "/tasks/t1"))[0] for n in (3, 4, 5)] == [404, 200, 200]
    assert (await at(4, "/tasks/t1"))[1]["status"] == "pending"
    assert (await at(5, "/tasks/t1"))[1]["status"] == "running"
    assert newest == {**(await down_client.get("/v1/threads/thread-a")).json()} | {
        "signal_lines": newest["signal_lines"]
    }


async def test_a_position_before_the_first_event_has_no_thread(journal, down_client):
    await journal.append([event(0, "thread-z"), *planned()])
    answers = [await down_client.get(f"/v1/threads/thread-a?at={n}") for n in (1, 2)]
    assert [a.status_code for a in answers] == [404, 200]
    assert (await down_client.get("/v1/threads/thread-a?at=0")).status_code == 422
    assert (await down_client.get("/v1/threads/thread-nobody?at=2")).status_code == 404


async def test_scrubbing_gives_what_folding_everything_until_then_gives(journal, down_app):
    tools = [event(n, "thread-a/session-1", ToolCalled(tool="x")) for n in range(100, 1400)]
    await journal.append([*planned(), *tools[:900], *started(), *tools[900:]])
    histories = down_app.state.histories
    newest = await histories.view("thread-a", 2**53 - 1)
    steps = [await histories.view("thread-a", n) for n in (900, 903, 904, 1200, 401, 2)]

    assert newest.position == 1305
    assert [s.plan_status for s in steps] == ["idle", "idle", "active", "active", "idle", "idle"]
    assert [len(s.requests) for s in steps] == [1, 0, 0, 0, 1, 1]


async def test_the_timeline_of_a_thread(journal, down_client):
    await journal.append([*planned(), *started()])
    answer = (await down_client.get("/v1/threads/thread-a/timeline")).json()
    assert [m["kind"] for m in answer["moments"]][:3] == [
        "thread_opened",
        "plan_proposed",
        "plan_approved",
    ]
    spans = answer["tasks"][0]["spans"]
    assert [(s["status"], s["position"]) for s in spans] == [("pending", 4), ("running", 5)]
    assert (await down_client.get("/v1/threads/thread-b/timeline")).status_code == 404


async def test_events_are_paged_back_in_order(journal, down_client):
    streams = ("thread-a", "thread-a/t1", "thread-b")
    await journal.append([event(n, streams[n % 3]) for n in range(30)])

    async def page(**query):
        answer = await down_client.get("/v1/threads/thread-a/events", params=query)
        return answer.json() if answer.is_success else answer.status_code

    newest = await page(before=2**53 - 1, limit=15)
    oldest = await page(before=newest["before"], limit=15)
    assert [e["position"] for e in newest["events"]] == [n for n in range(8, 30) if n % 3]
    assert [e["position"] for e in oldest["events"]] == [1, 2, 4, 5, 7]
    assert (newest["after"], newest["before"], oldest["before"]) == (29, 8, None)
    one = await page(stream="thread-a/t1", limit=3)
    assert [e["event"]["stream"] for e in one["events"]] == ["thread-a/t1"] * 3
    assert await page(stream="thread-b") == 422
    assert await page(before=9, after=2) == 422
    assert await page(before=0) == 422


async def test_a_line_of_the_list_says_how_much_is_done_and_who_works(journal, down_client):
    line = headline("thread-a", status="running", done=2, total=5, insertions=40, deletions=3)
    works = Headline(stream="thread-a/session-2", kind="session", status="working")
    await journal.append([event(0), event(0, "thread-a/session-2")], [line, works])
    (found,) = (await down_client.get("/v1/threads")).json()["threads"]
    assert (found["done"], found["total"], found["insertions"], found["deletions"]) == (2, 5, 40, 3)
    assert found["is_working"]
    assert found["opened_at"].startswith("2026-01-01T00:00:00")


async def test_many_threads_that_are_read_together_have_what_each_has_alone(journal, down_client):
    streams = [f"thread-{number:03}" for number in range(FEW + 5)]
    for stream in streams:
        await a_waiting_thread(journal, stream)
    together = (await inbox(down_client))["items"]
    await journal.append([event(9, streams[7], ThreadPinned(by="ann"))])
    after = (await inbox(down_client))["items"]

    assert sorted(item["thread_id"] for item in together) == streams
    assert sorted(together, key=str) == sorted(after, key=str)
    assert len({item["title"] for item in together}) == 1


async def register(journal, settings, host, name, *, silent_seconds=0):
    await journal.hosts.register(HostFacts(host=host, name=name))
    await journal.presence.beat(host)
    beat = time.time() - silent_seconds
    (file,) = settings.data_dir.rglob(f"*.worker-{host}")
    os.utime(file, (beat, beat))


async def test_a_host_that_fell_silent_waits_until_it_answers(journal, settings, down_client):
    await register(journal, settings, "aaaa", "alpha")
    await register(journal, settings, "bbbb", "beta", silent_seconds=310)
    await journal.hosts.note("thread-x", "bbbb")
    (item,) = (await inbox(down_client))["items"]
    assert (item["kind"], item["host"]) == ("host_silent", "beta")
    assert item["subject"] == "Host beta is silent (5 min), 1 thread waits"
    await journal.presence.beat("bbbb")
    assert (await inbox(down_client))["items"] == []


async def test_of_a_silent_host_people_see_only_what_is_of_their_projects(guarded, settings):
    app, _ = guarded
    journal = app.state.journal
    await register(journal, settings, "aaaa", "alpha")
    await register(journal, settings, "bbbb", "beta", silent_seconds=310)
    other = Headline(stream="thread-other", kind="thread", title="t", project="/x", status="open")
    await journal.append([], [other])
    await journal.hosts.note("thread-other", "bbbb")
    theirs = await token_for(app, "viewer")

    async def subjects(client, **options):
        items = (await client.get("/v1/inbox", **options)).json()["items"]
        return [item["subject"] for item in items if item["kind"] == "host_silent"]

    async with client_of(app, settings) as client:
        assert await subjects(client, headers=theirs) == []
        await journal.hosts.note(NAMES["thread"], "bbbb")
        assert await subjects(client, headers=theirs) == [
            "Host beta is silent (5 min), 1 thread waits"
        ]
        assert await subjects(client) == ["Host beta is silent (5 min), 2 threads wait"]
