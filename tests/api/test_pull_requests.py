"""A watched pull request over REST: what is read of it, and that its items wait in the inbox."""

import pytest

from domain.core.event import Headline
from domain.forges.projects import ForgeProject
from domain.forges.pull_requests import PullRequestId, PullRequestView
from domain.publications.events import (
    PullRequestItemOpened,
    PullRequestSeen,
    PullRequestWatched,
)
from domain.publications.items import Item, ItemKind
from tests.api.conftest import event, headline
from tests.api.test_reading import planned, started

STREAM = "thread-a/publication/7"
PLACE = "/v1/threads/thread-a/pull-request"
OF = PullRequestId(project=ForgeProject(host="git.example.org", owner="o", name="r"), number=7)
VIEW = PullRequestView(
    number=7, url="u", state="open", head="treadle/x", head_commit="c" * 40, base="main"
)
ITEM = Item(
    item_id="failed-check-1", kind=ItemKind.FAILED_CHECK, subject="tests failed", advice="look"
)


@pytest.fixture
async def journal(down_app):
    journal = down_app.state.journal
    done = headline("thread-a", status="completed")
    await journal.append([*planned(), *started()], [done])
    return journal


async def test_what_a_look_saw_is_read_and_its_item_waits_in_the_inbox(journal, down_client):
    asking = Headline(stream=STREAM, kind="session", status="waiting", waiting_for="tests failed")
    bodies = (
        PullRequestWatched(of=OF, commit="c" * 40),
        PullRequestSeen(view=VIEW),
        PullRequestItemOpened(item=ITEM),
    )
    await journal.append([event(20 + n, STREAM, body) for n, body in enumerate(bodies)], [asking])

    found = (await down_client.get(PLACE)).json()
    items = (await down_client.get("/v1/inbox")).json()["items"]

    assert (found["status"], found["head_commit"]) == ("waiting", "c" * 40)
    waiting = [item for item in items if item["kind"] == "pull_request"]
    assert [item["pull_request"]["item_id"] for item in waiting] == ["failed-check-1"]
    assert waiting[0]["workflow_id"] == STREAM


async def test_a_thread_without_one_says_how_to_open_one(journal, down_client):
    answer = await down_client.get(PLACE)
    command = await down_client.post(f"{PLACE}/look", json={})

    assert (answer.status_code, command.status_code) == (404, 404)
    assert "treadle publish" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("merge", {}),
        ("merge", {"commit": "HEAD"}),
        ("dismiss", {}),
        ("rework", {}),
        ("rework", {"item_id": "none"}),
        ("look", {"now": True}),
    ],
)
async def test_what_a_command_does_not_take_is_refused(journal, down_client, path, body):
    answer = await down_client.post(f"{PLACE}/{path}", json=body)

    assert answer.status_code in {404, 422}
    assert answer.json()["type"]
