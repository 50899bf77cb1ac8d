"""Several pull requests of one thread over REST: which of them is read, told and dismissed."""

import pytest

from domain.core.event import Headline
from domain.core.ids import SHARED_QUEUE, publication_id
from domain.forges.policy import PullRequestPolicy
from domain.forges.projects import ForgeProject
from domain.forges.pull_requests import PullRequestId
from domain.forges.stacks import Layer
from domain.publications.events import (
    PullRequestItemOpened,
    PullRequestSeen,
    PullRequestWatched,
)
from domain.publications.items import Item, ItemKind
from domain.threads.publishing.events import PublishRequested
from domain.threads.publishing.publication import PushedBranch
from domain.threads.publishing.stack_events import LayerNoted, LayerPublished, StackPlanned
from tests.api.conftest import event, headline
from tests.api.stand_in import StandIn
from tests.api.test_pull_requests import VIEW
from tests.api.test_reading import planned, started

PLACE = "/v1/threads/{}/pull-request"
PROJECT = ForgeProject(host="git.example.org", owner="o", name="r")
NUMBERS = {"parse": 7, "use": 8, "document": 9}
WATCHED = (7, 8)
TOO_LARGE = 2**31


def item_of(number):
    return Item(
        item_id=f"failed-check-{number}",
        kind=ItemKind.FAILED_CHECK,
        subject="tests failed",
        advice="look",
    )


def stacked_events():
    """Return the events of a thread whose three tasks were published; the last is not watched yet."""
    layers = tuple(
        Layer(task_id=task, branch=f"treadle/g-{task}", source="c", wanted="c", commit="c")
        for task in NUMBERS
    )
    pushed = PushedBranch(
        remote="origin", address="a", branch="treadle/g", commit="c" * 40, project=PROJECT
    )
    yield PublishRequested(number=1, is_by_task=True)
    yield StackPlanned(pushed=pushed, base="main", layers=layers)
    for task, number in NUMBERS.items():
        yield LayerPublished(task_id=task, commit="c", against="main", told="t", number=number)
    for task, number in NUMBERS.items():
        if number in WATCHED:
            yield LayerNoted(task_id=task, news="c")


async def publish(journal, thread, *, is_stack=True):
    """Journal a thread whose first pull request, or whose stack, is watched and asks."""
    bodies = [each.body for each in (*planned(), *started())]
    more = stacked_events() if is_stack else ()
    events = [event(n, thread, body) for n, body in enumerate((*bodies, *more))]
    await journal.append(events, [headline(thread, status="completed")])
    policy = PullRequestPolicy(stack_base="main" if is_stack else "")
    for number in WATCHED if is_stack else WATCHED[:1]:
        stream = publication_id(thread, number)
        asking = Headline(
            stream=stream, kind="session", status="waiting", waiting_for="tests failed"
        )
        found = (
            PullRequestWatched(of=PullRequestId(project=PROJECT, number=number), policy=policy),
            PullRequestSeen(view=VIEW.model_copy(update={"number": number})),
            PullRequestItemOpened(item=item_of(number)),
        )
        await journal.append([event(n, stream, body) for n, body in enumerate(found)], [asking])


@pytest.fixture
async def journal(down_app):
    await publish(down_app.state.journal, "thread-a")
    await publish(down_app.state.journal, "thread-b", is_stack=False)
    return down_app.state.journal


@pytest.mark.parametrize(("asked", "number"), [("", 7), ("0", 7), ("7", 7), ("8", 8)])
async def test_one_of_a_stack_is_read_by_its_number(journal, down_client, asked, number):
    answer = await down_client.get(PLACE.format("thread-a"), params={"number": asked or 0})
    found = answer.json()

    assert answer.status_code == 200, answer.text
    assert (found["number"], found["workflow_id"]) == (number, f"thread-a/publication/{number}")
    assert [each["item_id"] for each in found["items"]] == [f"failed-check-{number}"]


@pytest.mark.parametrize("number", [9, 10, TOO_LARGE - 1])
async def test_a_number_that_is_not_watched_is_refused_and_those_that_are_are_told(
    journal, down_client, number
):
    place = PLACE.format("thread-a")
    read = await down_client.get(place, params={"number": number})
    told = await down_client.post(f"{place}/look", json={}, params={"number": number})

    assert (read.status_code, told.status_code) == (404, 404)
    assert f"#{number} is no pull request of 'thread-a'" in read.json()["detail"]
    assert "#7, #8" in told.json()["detail"]


async def test_a_thread_without_a_stack_has_only_the_number_of_its_own(journal, down_client):
    place = PLACE.format("thread-b")
    own = await down_client.get(place, params={"number": 7})
    other = await down_client.get(place, params={"number": 8})

    assert (own.status_code, own.json()["number"]) == (200, 7)
    assert (other.status_code, other.json()["type"]) == (404, "treadle:not_found")


@pytest.mark.parametrize("number", [-1, TOO_LARGE, "1.5", "first", "9" * 400])
async def test_what_is_no_number_is_refused(journal, down_client, number):
    place = PLACE.format("thread-a")
    read = await down_client.get(place, params={"number": number})
    told = await down_client.post(f"{place}/look", json={}, params={"number": number})

    assert (read.status_code, told.status_code) == (422, 422)
    assert "number" in read.text


async def test_each_pull_request_that_asks_has_its_card(journal, down_client):
    items = (await down_client.get("/v1/inbox")).json()["items"]
    cards = [each for each in items if each["thread_id"] == "thread-a"]

    assert [
        (each["kind"], each["workflow_id"], each["pull_request"]["item_id"]) for each in cards
    ] == [
        ("pull_request", f"thread-a/publication/{number}", f"failed-check-{number}")
        for number in WATCHED
    ]
    assert [each["subject"] for each in cards] == ["#7: tests failed", "#8: tests failed"]
    assert len({each["item_id"] for each in cards}) == len(WATCHED)
    of_stack = {each["thread_id"]: each["is_stacked"] for each in items}
    assert of_stack == {"thread-a": True, "thread-b": False}


async def test_a_command_reaches_the_pull_request_that_it_is_about(app, client, temporal):
    """Each has a workflow of its own; only that of #8 is there, so that another is not found."""
    thread = "thread-of-a-stack"
    await publish(app.state.journal, thread)
    watch = await temporal.start_workflow(
        StandIn.run, {}, id=publication_id(thread, 8), task_queue=SHARED_QUEUE
    )
    place = PLACE.format(thread)

    dismissed = await client.post(f"{place}/dismiss", json={"item_id": "failed-check-8"})
    looked = await client.post(f"{place}/look", json={}, params={"number": 8})
    lowest = await client.post(f"{place}/dismiss", json={"item_id": "failed-check-7"})
    next_one = await client.post(f"{place}/look", json={})
    await watch.terminate()

    assert dismissed.status_code == 200, dismissed.text
    assert dismissed.json()["message"] == "dismiss_pull_request_item"
    assert dismissed.json()["data"]["item_id"] == "failed-check-8"
    assert looked.json()["message"] == "look_at_pull_request"
    assert (lowest.status_code, next_one.status_code) == (404, 404)


@pytest.mark.parametrize("chosen", ["thread", "tasks", None])
async def test_what_is_one_pull_request_is_told_to_the_thread(client, temporal, chosen):
    thread = f"thread-published-as-{chosen}".lower()
    running = await temporal.start_workflow(StandIn.run, {}, id=thread, task_queue=SHARED_QUEUE)

    body = {"publish_as": chosen}
    answer = await client.post(f"/v1/threads/{thread}/publish", json=body)
    refused = await client.post(f"/v1/threads/{thread}/publish", json={"publish_as": "files"})
    await running.terminate()

    assert answer.status_code == 202, answer.text
    assert answer.json()["data"].get("publish_as") == chosen
    assert (refused.status_code, "publish_as" in refused.text) == (422, True)
