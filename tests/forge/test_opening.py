"""Opening pull requests, the same on every forge."""

import pytest

from domain.forges.errors import ForgeBusyError, ForgeError
from domain.forges.projects import ForgeKind
from tests.forge.adapters import draft_of, forges_of
from tests.forge.double import Double
from tests.forge.moods import Mood, Moods


async def test_a_pull_request_is_opened_once_and_found_again(double: Double):
    forges = forges_of(double)
    first = await forges.open_pull_request(draft_of(double))
    second = await forges.open_pull_request(draft_of(double))

    assert (first.is_new, second.is_new) == (True, False)
    assert (first.number, first.url) == (second.number, second.url)
    assert double.opened == {(double.path, "treadle/greet"): 1}
    pull = double.pulls[double.path, first.number]
    assert (pull.title, pull.body, pull.base) == ("Greet", "It greets.", "main")


@pytest.mark.parametrize("mood", [Mood.ANSWER_LOST, Mood.DROPPED_AFTER])
async def test_one_whose_answer_was_lost_is_found_when_asked_again(double: Double, mood: Mood):
    forges, draft = forges_of(double), draft_of(double)
    double.moods = Moods(rate=0, planned=[Mood.FINE, mood])
    with pytest.raises(ForgeBusyError):
        await forges.open_pull_request(draft)
    found = await forges.open_pull_request(draft)

    assert not found.is_new
    assert double.opened == {(double.path, "treadle/greet"): 1}


async def test_a_closed_one_is_not_taken_for_an_open_one(double: Double):
    forges, draft = forges_of(double), draft_of(double)
    first = await forges.open_pull_request(draft)
    double.close_by_hand(double.pulls[double.path, first.number])

    assert (await forges.open_pull_request(draft)).number != first.number


async def test_one_of_a_fork_is_opened_in_the_project_that_was_forked(double: Double):
    fork = "me/work"
    double.add_project(fork, fork_of=double.path)
    double.push_as(fork, "treadle/greet")
    double.push_as(double.path, "treadle/greet")
    draft = draft_of(double).model_copy(update={"head_project": double.named(fork)})
    forges = forges_of(double)
    first = await forges.open_pull_request(draft)
    second = await forges.open_pull_request(draft)
    own = await forges.open_pull_request(draft_of(double))

    assert double.pulls[double.path, first.number].head_project.path == fork
    assert (second.number, second.is_new) == (first.number, False)
    assert own.is_new
    assert own.number != first.number


@pytest.mark.parametrize("seed", range(5))
async def test_moods_open_none_twice(double: Double, seed: int):
    double.moods = Moods(seed=seed, rate=0.5, slow_seconds=0)
    forges, draft = forges_of(double), draft_of(double)
    for _ in range(100):
        try:
            await forges.open_pull_request(draft)
            break
        except ForgeBusyError:
            continue

    assert double.opened == {(double.path, "treadle/greet"): 1}


async def test_a_project_without_the_branch_is_refused_in_words(double: Double):
    draft = draft_of(double).model_copy(update={"head": "not-there"})
    with pytest.raises(ForgeError, match="head or base is invalid") as told:
        await forges_of(double).open_pull_request(draft)

    assert not told.value.is_retryable
    assert double.opened == {}


def test_nested_groups_are_one_owner(double: Double):
    if double.kind is ForgeKind.GITLAB:
        assert double.project_id.owner == "octo/team"
    assert forges_of(double).obstacle(double.project_id) == ""
