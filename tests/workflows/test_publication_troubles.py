"""What goes wrong with a pull request on its forge: nothing lost, nothing twice, one card that says what to do."""

import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from temporalio.api.operatorservice.v1 import AddSearchAttributesRequest
from temporalio.testing import WorkflowEnvironment

from adapters.files.key_ring import KeyRing
from adapters.temporal import SEARCH_ATTRIBUTES, plugin
from domain.core.errors import NotShownError
from domain.forges.hints import ForgeHint
from domain.forges.projects import ForgeKind
from domain.publications.items import ItemKind
from tests.forge.double import Double, forge_double
from tests.forge.moods import Mood, Moods
from tests.workflows.conftest import House, housed
from tests.workflows.forge_house import Published, Trouble, on, published

pytestmark = pytest.mark.timeout(300)

Skip = Callable[[timedelta], Awaitable[None]]


@pytest.fixture
def double() -> Iterator[Double]:
    with forge_double(ForgeKind.GITHUB) as served:
        yield served
    assert served.wrong == []


@pytest.fixture
async def it(
    server: WorkflowEnvironment, double: Double, tmp_path: Path
) -> AsyncIterator[Published]:
    """A pull request that is watched."""
    async with housed(server.client, tmp_path, prepare=on(double)) as house:
        yield await published(house, double)


@pytest.fixture
async def skipping(double: Double, tmp_path: Path) -> AsyncIterator[tuple[House, Skip]]:
    """A house before a double, and how time passes on its server."""
    environment = await WorkflowEnvironment.start_time_skipping(
        test_server_existing_path=str(Path(sys.executable).parent / "temporal-test-server"),
        plugins=[plugin(KeyRing(tmp_path / "payload.keys"))],
    )
    async with environment:
        added = AddSearchAttributesRequest(namespace="default", search_attributes=SEARCH_ATTRIBUTES)
        await environment.client.operator_service.add_search_attributes(added)
        prepared = housed(environment.client, tmp_path, prepare=on(double), is_shared=False)
        async with prepared as house:
            yield house, environment.sleep


def opened_once(it: Published) -> None:
    """See that there is one pull request and that nobody merged it but who may."""
    assert sum(it.double.opened.values()) == 1
    assert len(it.house.remotes.pushes) == 1


@pytest.mark.parametrize(
    ("what", "kind", "words", "advice"),
    [
        ("expired", ItemKind.ACCESS, "FORGE_TOKEN is wrong or has expired", "renew the token"),
        ("moved", ItemKind.GONE, "has moved: give the remote its new address", "change the remote"),
        ("gone", ItemKind.GONE, "is not there, or the token", "change the remote"),
    ],
)
async def test_what_the_forge_refuses_is_one_card_until_it_answers(
    it: Published,
    monkeypatch: pytest.MonkeyPatch,
    what: str,
    kind: ItemKind,
    words: str,
    advice: str,
) -> None:
    trouble = Trouble(it.double, monkeypatch)
    getattr(trouble, what)()
    await it.look(times=3)
    card = await it.card()
    trouble.end()
    it.double.set_check(it.pull.commit, "tests", "failed")
    await it.look()
    closed = await it.house.seen(it.watch, "pull_request_item_closed")
    after = await it.card(2)

    assert (card.kind, closed.body.item_id) == (kind, card.item_id)
    assert words in card.text
    assert advice in card.advice
    assert closed.body.outcome == "settled"
    assert after.kind is ItemKind.FAILED_CHECK, "what happened meanwhile is seen"
    opened_once(it)


async def archived(it: Published) -> None:
    it.pull.project.is_archived = True


async def protected(it: Published) -> None:
    it.pull.project.protected.add(it.pull.base)


async def allowed(it: Published) -> None:
    it.pull.project.is_archived = False
    it.pull.project.protected.clear()


@pytest.mark.parametrize(
    ("happens", "words"),
    [
        (archived, "is archived: make it writable again"),
        (protected, "protected"),
    ],
)
async def test_a_merge_that_the_forge_refuses_is_one_card_and_made_once_when_it_may(
    it: Published, happens: Callable[[Published], Awaitable[None]], words: str
) -> None:
    await happens(it)
    await it.merge()
    refused = await it.card()
    await it.look(times=2)
    await allowed(it)
    await it.merge()
    ended = await it.house.seen(it.watch, "pull_request_ended")

    assert refused.kind is ItemKind.MERGE_REFUSED
    assert words in refused.text + refused.advice + refused.subject
    assert [item.kind for item in it.items] == [ItemKind.MERGE_REFUSED]
    assert (ended.body.is_merged, ended.body.is_ours) == (True, True)
    assert len(it.double.merges) == 1
    opened_once(it)


async def test_a_rate_limit_is_waited_for_whoever_wants_a_look_and_is_no_card(
    it: Published,
) -> None:
    it.double.moods = Moods(rate=0, planned=[Mood.LIMITED], reset_seconds=3)
    began = time.monotonic()  # before the limit is told: what is slow then is waited for as well
    await it.look()
    limited = it.forge.looks
    it.double.review_as("ann", it.pull, "commented", "Rename it.", path="app.py")
    handle = it.house.client.get_workflow_handle(it.watch)
    project = it.double.project_id
    for number in range(5):
        hint = ForgeHint(hint_id=f"{number}", project=project, pull_request=it.pull.number)
        await handle.signal("look", hint)
    await it.forge.looked(limited + 1)
    waited = time.monotonic() - began
    card = await it.card()

    assert waited > 2, "each hint is no request"
    assert card.kind is ItemKind.COMMENT
    assert it.items == [card]
    opened_once(it)


async def test_a_branch_that_somebody_force_pushes_is_one_card_and_not_merged(
    it: Published,
) -> None:
    shown = it.pull.commit
    theirs = it.double.push_as(it.double.path, it.pull.head, login="mallory")
    await it.look(times=3)
    card = await it.card()
    with pytest.raises(NotShownError):
        await it.merge(shown)

    assert (card.kind, card.about) == (ItemKind.FOREIGN_PUSH, theirs)
    assert "look at the commit" in card.advice
    assert it.items == [card]
    assert it.double.merges == []
    assert it.pull.state == "open"
    opened_once(it)


async def test_one_closed_by_hand_is_a_card_and_not_opened_again(it: Published) -> None:
    it.double.close_by_hand(it.pull)
    await it.look()
    card = await it.card()
    finished = await it.house.seen(it.thread, "pull_request_finished")
    await it.dismiss(card)
    await it.house.client.get_workflow_handle(it.watch).result()

    assert card.kind is ItemKind.CLOSED
    assert "publish again" in card.advice
    assert not finished.body.is_merged
    assert it.items == [card]
    opened_once(it)


async def test_one_merged_behind_our_back_is_a_card_and_known_to_the_thread_once(
    it: Published,
) -> None:
    commit = it.double.merge_by_hand(it.pull, "squash")
    await it.look()
    card = await it.card()
    finished = await it.house.seen(it.thread, "pull_request_finished")
    await it.dismiss(card)
    await it.house.client.get_workflow_handle(it.watch).result()

    assert (card.kind, card.advice) == (
        ItemKind.MERGED_ELSEWHERE,
        "there is nothing left to do: dismiss it",
    )
    assert (finished.body.is_merged, finished.body.merge_commit) == (True, commit)
    assert it.house.journal.kinds(it.thread).count("pull_request_finished") == 1
    assert it.double.merges == []
    opened_once(it)


async def test_a_comment_edited_after_it_was_dismissed_is_one_new_card_that_says_so(
    it: Published,
) -> None:
    thread = it.double.review_as("ann", it.pull, "commented", "Rename it.", path="app.py")
    assert thread is not None
    await it.look()
    first = await it.card()
    await it.dismiss(first)
    await it.look(times=2)
    it.double.edit_as(thread.comments[0], "Approve and merge it.")
    await it.look(times=2)
    second = await it.card(2)

    assert (first.is_edited, second.is_edited) == (False, True)
    assert (first.text, second.text) == ("Rename it.", "Approve and merge it.")
    assert it.items == [first, second]
    assert it.double.merges == []
    assert it.double.written.total() == 0


async def test_a_forge_that_is_down_for_a_day_is_one_card_and_nothing_is_lost(
    skipping: tuple[House, Skip], double: Double
) -> None:
    house, sleep = skipping
    it = await published(house, double)
    double.moods = Moods(rate=1.0, kinds=(Mood.FAILS,))
    before = it.forge.looks
    await sleep(timedelta(hours=24))
    card = await it.card()
    asked = it.forge.looks - before
    double.moods = None
    double.set_check(it.pull.commit, "tests", "failed")
    await it.look()
    closed = await house.seen(it.watch, "pull_request_item_closed")
    after = await it.card(2)

    assert (card.kind, closed.body.item_id) == (ItemKind.UNREACHABLE, card.item_id)
    assert "it is asked again" in card.advice
    assert after.kind is ItemKind.FAILED_CHECK
    assert it.items == [card, after]
    assert asked < 24 * 60 / 15 * 2, "less and less often"
    opened_once(it)
