"""A watched pull request by its rules: each thing is asked once."""

from datetime import timedelta

import pytest

from domain.core.errors import NotFoundError
from domain.forges.markers import marked
from domain.forges.projects import Account
from domain.forges.pull_requests import (
    CheckState,
    ReviewThread,
)
from domain.publications import commands
from domain.publications.calls import RECEIPT_CONTEXT
from domain.publications.effects import (
    DeleteOnForge,
    KeepLooking,
)
from domain.publications.events import (
    PullRequestSeen,
)
from domain.publications.head_receipts import HeadReceipt
from domain.publications.items import ItemKind
from domain.publications.seeing import is_pending
from tests.domain.publication_life import ANN, BOT, HEAD, NOW, Life, check, comment, thread, view


def test_a_failed_check_is_one_card_however_often_it_is_seen() -> None:
    life = Life()
    for _ in range(3):
        life.look(view(checks=(check(CheckState.FAILED),)))

    assert life.open == [ItemKind.FAILED_CHECK]
    assert len(life.opened(ItemKind.FAILED_CHECK)) == 1
    assert sum(isinstance(e, PullRequestSeen) for e in life.events) == 1


def test_what_was_dismissed_is_not_asked_again_but_another_run_is() -> None:
    life = Life()
    life.look(view(checks=(check(CheckState.FAILED),)))
    life.take(commands.DismissPullRequestItem(item_id=next(iter(life.state.items))))
    life.look(view(checks=(check(CheckState.FAILED),)))
    assert life.open == []

    life.look(view(checks=(check(CheckState.FAILED, 2),)))
    assert life.open == [ItemKind.FAILED_CHECK]


def test_a_card_goes_away_when_the_check_passes_or_the_thread_is_resolved() -> None:
    life = Life()
    life.look(view(checks=(check(CheckState.FAILED),), threads=(thread(comment()),)))
    assert life.open == [ItemKind.FAILED_CHECK, ItemKind.COMMENT]

    resolved = thread(comment(), is_resolved=True)
    life.look(view(checks=(check(CheckState.PASSED),), threads=(resolved,)))
    assert life.open == []


def test_our_answer_ends_a_card_and_the_next_comment_opens_another() -> None:
    ours = comment("b", BOT, body=marked("Fixed.", "key"))
    life = Life()
    life.look(view(threads=(thread(comment()),)))
    life.look(view(threads=(thread(comment(), ours),)))
    assert life.open == []

    life.look(view(threads=(thread(comment(), ours, comment("c")),)))
    assert len(life.opened(ItemKind.COMMENT)) == 2


@pytest.mark.parametrize("author", [BOT, ANN])
def test_a_comment_without_our_mark_or_of_another_account_is_not_ours(author: Account) -> None:
    body = "please" if author is BOT else marked("please", "key")
    life = Life()
    life.look(view(threads=(thread(comment("a", author, body=body)),)))

    assert life.open == [ItemKind.COMMENT]


def test_a_comment_edited_after_it_was_acted_upon_is_a_new_card_that_says_so() -> None:
    life = Life()
    life.look(view(threads=(thread(comment()),)))
    life.take(commands.DismissPullRequestItem(item_id=next(iter(life.state.items))))
    life.look(view(threads=(thread(comment(body="No: how?", edited_at=NOW)),)))

    (_, again) = life.opened(ItemKind.COMMENT)
    assert again.is_edited
    assert "edited after" in again.subject


def test_reports_of_bots_on_the_whole_pull_request_are_no_cards() -> None:
    robot = Account(id="3", login="coverage", is_bot=True)
    report = ReviewThread(id="t", is_resolvable=False, comments=(comment("a", robot),))
    life = Life()
    life.look(view(threads=(report,)))

    assert life.open == []


def test_a_foreign_push_is_a_card_unless_it_turns_out_to_be_ours() -> None:
    life = Life()
    life.look(view(head_commit="d" * 40))
    assert life.open == [ItemKind.FOREIGN_PUSH]

    life.take(commands.NotePush(commit="d" * 40))
    life.look(view(head_commit="d" * 40))
    assert life.open == []


def test_checks_that_never_end_are_one_card() -> None:
    life = Life(check_patience_seconds=3600)
    life.look(view(checks=(check(CheckState.PENDING),)))
    life.now += timedelta(minutes=59)
    life.look(None)
    assert life.open == []

    life.now += timedelta(minutes=2)
    for _ in range(3):
        life.look(None)
    assert life.open == [ItemKind.SLOW_CHECKS]
    assert len(life.opened(ItemKind.SLOW_CHECKS)) == 1

    life.look(view(checks=(check(CheckState.PASSED),)))
    assert life.open == []


def test_how_the_receipt_stands_is_kept_until_there_is_another_head() -> None:
    void = HeadReceipt(commit="d" * 40, is_void=True, words="Void")
    life = Life()
    life.look(view(), HeadReceipt(commit=HEAD, is_verified=True, words="Verified"))
    life.look(view(title="new"))
    assert life.receipt == (HEAD, False)

    life.look(view(head_commit="d" * 40), void)
    life.look(view(head_commit="d" * 40))
    assert life.receipt == ("d" * 40, True)
    assert sum(isinstance(e, PullRequestSeen) for e in life.events) == 3

    life.look(view(head_commit="e" * 40))
    assert life.receipt is None


def test_our_own_status_is_no_check_that_is_waited_for() -> None:
    ours = check(CheckState.PENDING).model_copy(update={"name": RECEIPT_CONTEXT})
    life = Life(check_patience_seconds=3600)
    life.look(view(checks=(ours,)))
    life.now += timedelta(hours=2)
    life.look(None)

    assert life.open == []
    assert not is_pending(view(checks=(ours,)))
    assert is_pending(view(checks=(ours, check(CheckState.PENDING))))


@pytest.mark.parametrize("kind", [ItemKind.UNREACHABLE, ItemKind.ACCESS, ItemKind.GONE])
def test_trouble_with_the_forge_is_one_card_that_goes_away_by_itself(kind: ItemKind) -> None:
    life = Life()
    for _ in range(4):
        life.take(commands.NoteTrouble(kind=kind, words="503"))
    assert life.open == [kind]
    assert KeepLooking in life.effects

    life.look(None)
    assert life.open == []


def test_closed_by_hand_ends_the_watch_with_a_card() -> None:
    life = Life()
    life.look(view(checks=(check(CheckState.FAILED),)))
    life.look(view(state="closed"))
    life.take(commands.EndReport())

    assert life.open == [ItemKind.CLOSED]
    assert KeepLooking not in life.effects
    assert not life.state.is_over
    life.take(commands.DismissPullRequestItem(item_id=next(iter(life.state.items))))
    assert life.state.is_over


def test_merged_on_the_forge_ends_it_with_a_card_and_the_commits() -> None:
    life = Life(deletes_branch=True)
    life.look(view(state="merged", merge_commit="e" * 40))

    assert life.open == [ItemKind.MERGED_ELSEWHERE]
    assert (life.state.merge_commit, life.state.head_commit) == ("e" * 40, HEAD)
    assert DeleteOnForge in life.effects


def test_an_item_that_is_not_there_cannot_be_dismissed() -> None:
    with pytest.raises(NotFoundError, match="open here: none"):
        Life().take(commands.DismissPullRequestItem(item_id="comment-1"))
