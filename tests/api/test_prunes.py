"""Prunes over REST: what would go is shown, and only what was shown goes."""

from datetime import UTC, datetime, timedelta

import pytest

from domain.core.event import Event
from domain.core.lifecycle.events import ThreadPinned, ThreadRenamed, ThreadUnpinned
from domain.retention.calls import RETENTION
from domain.retention.events import PruneEnded, PruneSkipped, PruneStarted, ThreadPruned
from domain.retention.policy import PrunePolicy
from domain.threads.children.events import ChildOpened
from tests.api.conftest import headline

LONG_AGO = datetime.now(UTC) - timedelta(days=100)
POLICY = PrunePolicy(older="90d")


def event(number, stream, body, at=LONG_AGO):
    return Event(id=f"e-{number}", stream=stream, at=at, body=body)


@pytest.fixture
async def old(app):
    """Three threads that ended long ago, one of them pinned, and one that goes on."""
    topic = ThreadRenamed(topic="x")
    names = ("thread-one", "thread-two", "thread-three", "thread-busy")
    for number, name in enumerate(names):
        status = "running" if name == "thread-busy" else "completed"
        line = headline(name, status=status, title=name, project="/srv/app")
        await app.state.journal.append([event(number, name, topic)], [line])
    pins = [event(10, "thread-two", ThreadPinned()), event(11, "thread-one", ThreadPinned())]
    await app.state.journal.append([*pins, event(12, "thread-one", ThreadUnpinned())])


async def test_a_preview_shows_what_goes_and_what_stays(client, old):
    answer = await client.post("/v1/prunes/preview", json={"older": "90d", "keep_last": 1})
    found = answer.json()
    assert [thread["thread_id"] for thread in found["chosen"]] == ["thread-one"]
    kept = {thread["thread_id"]: thread["because"] for thread in found["kept"]}
    assert kept == {"thread-two": "pinned", "thread-three": "newest"}


async def test_a_child_stays_with_its_parent(client, app, old):
    opened = ChildOpened(task_id="build", run=1, thread_id="thread-one")
    await app.state.journal.append([event(20, "thread-busy", opened)])
    preview = (
        await client.post("/v1/prunes/preview", json={"older": "90d", "keep_last": 1})
    ).json()
    kept = {thread["thread_id"]: thread["because"] for thread in preview["kept"]}
    assert (preview["chosen"], kept["thread-one"]) == ([], "family")


async def test_only_what_was_shown_is_pruned(client, old):
    answer = await client.post("/v1/prunes", json={"older": "90d", "content_hash": "0" * 16})
    assert (answer.status_code, answer.json()["type"]) == (409, "treadle:stale")


async def test_a_prune_starts_once(client, old):
    shown = (await client.post("/v1/prunes/preview", json={"older": "90d"})).json()
    body = {"older": "90d", "content_hash": shown["content_hash"], "command_id": "prune-1"}
    first, again = [await client.post("/v1/prunes", json=body) for _ in range(2)]
    assert (first.status_code, first.json()["threads"]) == (202, 2)
    assert again.json() == first.json()


@pytest.mark.parametrize("older", ["", "90", "forever", "0d"])
async def test_an_age_that_is_none_is_refused(client, older):
    answer = await client.post("/v1/prunes/preview", json={"older": older})
    assert (answer.status_code, answer.json()["field"]) == (422, "older")


async def test_receipts_are_listed_and_found(client, app):
    named = {"prune_id": "prune-1"}
    bodies = (
        PruneStarted(**named, policy=POLICY, threads=2, by="ada"),
        ThreadPruned(**named, thread_id="thread-one", events=7, outcome="deleted", by="ada"),
        PruneSkipped(**named, thread_id="thread-two", reason="it is pinned"),
        PruneEnded(**named, pruned=1, skipped=1),
    )
    events = [event(number, RETENTION, body) for number, body in enumerate(bodies)]
    await app.state.journal.append(events)
    (listed,) = (await client.get("/v1/prunes")).json()["prunes"]
    assert (await client.get("/v1/prunes/prune-1")).json() == listed
    assert (listed["by"], listed["pruned"][0]["events"]) == ("ada", 7)
    assert listed["skipped"][0]["reason"] == "it is pinned"
    assert listed["ended_at"]
    assert (await client.get("/v1/prunes/prune-2")).status_code == 404
