"""Merges of a watched pull request: of the commit that was shown, and of no other."""

import pytest

from domain.core.errors import NotShownError, WrongStateError
from domain.forges.policy import AutoMerge
from domain.forges.pull_requests import (
    CheckState,
    MergeAnswer,
)
from domain.publications import commands
from domain.publications.effects import (
    CancelOnForge,
    MergeOnForge,
)
from domain.publications.events import (
    PullRequestMergeAsked,
)
from domain.publications.items import ItemKind
from tests.domain.publication_life import HEAD, Life, check, view


def test_a_person_merges_the_commit_that_they_were_shown() -> None:
    life = Life()
    life.look(view())
    with pytest.raises(NotShownError):
        life.take(commands.MergePullRequest(commit="d" * 40))

    life.take(commands.MergePullRequest(commit=HEAD, by="ann"))
    assert life.take(commands.MergePullRequest(commit=HEAD)) == "the forge is being asked already"
    assert life.effects.count(MergeOnForge) == 1

    life.take(commands.EndMerge(number=1, answer=MergeAnswer(is_merged=True, merge_commit="e")))
    life.take(commands.EndReport())
    assert life.state.is_over
    assert life.state.is_merged


def test_a_refused_merge_is_a_card_that_another_attempt_replaces() -> None:
    life = Life()
    life.look(view())
    life.take(commands.MergePullRequest(commit=HEAD))
    life.take(commands.EndMerge(number=1, failure="a review is missing"))
    assert life.open == [ItemKind.MERGE_REFUSED]

    life.take(commands.MergePullRequest(commit=HEAD))
    assert life.open == []


def test_the_policy_merges_once_what_was_pushed_and_only_with_no_card_open() -> None:
    life = Life(auto_merge=AutoMerge.WHEN_READY)
    for state in (CheckState.FAILED, CheckState.PENDING):
        life.look(view(checks=(check(state),)))
        assert MergeOnForge not in life.effects

    life.look(view())
    asked = [e for e in life.events if isinstance(e, PullRequestMergeAsked)]
    assert [(e.commit, e.is_by_policy) for e in asked] == [(HEAD, True)]

    life.take(commands.EndMerge(number=1, answer=MergeAnswer(is_merged=False)))
    life.look(view(checks=(check(CheckState.PASSED),)))
    assert sum(isinstance(e, PullRequestMergeAsked) for e in life.events) == 1


def waiting(**policy: object) -> Life:
    """A pull request that the forge merges by itself once it can, as ann asked."""
    life = Life(**policy)
    life.look(view())
    if not policy:
        life.take(commands.MergePullRequest(commit=HEAD, timing="when_ready", by="ann"))
    life.take(commands.EndMerge(number=1, answer=MergeAnswer(is_merged=False)))
    return life


@pytest.mark.parametrize("policy", [{}, {"auto_merge": AutoMerge.WHEN_READY}])
def test_what_somebody_pushes_to_it_is_not_merged_by_the_word_for_another_commit(policy) -> None:
    life = waiting(**policy)
    assert CancelOnForge not in life.effects

    life.look(view(head_commit="d" * 40, will_merge_itself=True))
    assert life.effects.count(CancelOnForge) == 1
    with pytest.raises(WrongStateError, match="after that"):
        life.take(commands.MergePullRequest(commit="d" * 40))

    life.take(commands.EndMergeCancel(number=2))
    life.look(view(head_commit="d" * 40))
    assert not {CancelOnForge, MergeOnForge} & {*life.effects}


def test_what_the_thread_pushes_later_the_policy_asks_for_anew() -> None:
    life = waiting(auto_merge=AutoMerge.WHEN_READY)
    life.take(commands.NotePush(commit="d" * 40))
    life.look(view(head_commit="d" * 40, will_merge_itself=True))

    (_, again) = [e for e in life.events if isinstance(e, PullRequestMergeAsked)]
    assert (again.commit, again.is_by_policy) == ("d" * 40, True)
    assert CancelOnForge not in life.effects


def test_what_the_policy_took_back_it_asks_for_again_once_nothing_is_reworked() -> None:
    life = waiting(auto_merge=AutoMerge.WHEN_READY)
    life.look(view(checks=(check(CheckState.FAILED),), will_merge_itself=True))
    life.take(commands.ReworkPullRequestItem(item_id=next(iter(life.state.items))))
    life.take(commands.EndMergeCancel(number=2))
    life.take(commands.NoteRework(number=1, reason="it changed nothing"))
    assert MergeOnForge not in life.effects

    life.look(view(checks=(check(CheckState.PASSED),)))
    assert MergeOnForge in life.effects


def test_it_is_not_merged_by_itself_while_a_person_has_it_reworked() -> None:
    life = waiting()
    life.look(view(checks=(check(CheckState.FAILED),), will_merge_itself=True))
    life.take(commands.ReworkPullRequestItem(item_id=next(iter(life.state.items))))

    assert CancelOnForge in life.effects


def test_a_merge_that_cannot_be_taken_back_is_a_card_and_tried_once() -> None:
    life = waiting()
    life.look(view(head_commit="d" * 40, will_merge_itself=True))
    life.take(commands.EndMergeCancel(number=2, failure="no right"))
    assert life.open == [ItemKind.FOREIGN_PUSH, ItemKind.MERGE_REFUSED]
    assert CancelOnForge not in life.effects

    life.take(commands.CancelPullRequestMerge(by="ann"))
    life.take(commands.EndMergeCancel(number=3))
    assert life.open == [ItemKind.FOREIGN_PUSH]


def test_a_merge_that_the_forge_forgot_is_asked_for_again() -> None:
    life = waiting()
    life.look(view(will_merge_itself=True))
    again = commands.MergePullRequest(commit=HEAD, timing="when_ready", by="ann")
    assert life.take(again) == "the forge is being asked already"

    life.look(view(will_merge_itself=False))
    assert life.take(again) == "the forge is being asked"
