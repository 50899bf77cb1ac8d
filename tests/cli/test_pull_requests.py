"""`treadle publish ACTION`: how its words are read, and how a pull request is drawn."""

import pytest
import typer

from cli.threads.pull_request_drawing import pull_request
from cli.threads.pull_requests import read_words
from domain.forges.pull_requests import Check, CheckState
from domain.publications.items import Item, ItemKind
from domain.publications.reworks import EndedRework
from domain.publications.views import WatchedPullRequest


@pytest.mark.parametrize(
    ("words", "read"),
    [
        ([], ("", "", None)),
        (["checkout"], ("", "", "checkout")),
        (["status"], ("status", "", None)),
        (["merge", "checkout"], ("merge", "", "checkout")),
        (["dismiss", "comment-1"], ("dismiss", "comment-1", None)),
        (["rework", "comment-1"], ("rework", "comment-1", None)),
        (["dismiss", "comment-1", "checkout"], ("dismiss", "comment-1", "checkout")),
    ],
)
def test_words_are_an_action_an_item_and_a_thread(words, read) -> None:
    assert read_words(words) == read


@pytest.mark.parametrize("words", [["dismiss"], ["checkout", "status"], ["look", "a", "b"]])
def test_other_words_are_refused(words) -> None:
    with pytest.raises(typer.BadParameter):
        read_words(words)


def test_an_item_is_drawn_with_its_text_quoted_and_its_command() -> None:
    item = Item(
        item_id="comment-1",
        kind=ItemKind.COMMENT,
        subject="ann commented on app.py:3",
        advice="answer it",
        text="why?\x1b[31m",
    )
    found = WatchedPullRequest(
        workflow_id="thread-a/publication/7",
        number=7,
        status="waiting",
        checks=(Check(id="1", name="tests", state=CheckState.FAILED),),
        items=(item,),
    )
    drawn = "\n".join(line.plain for line in pull_request(found, "thread-a"))

    assert "checks: 1 failed" in drawn
    assert "> why?" in drawn
    assert "\x1b" not in drawn
    assert "treadle publish dismiss comment-1 thread-a" in drawn
    assert "treadle publish rework comment-1 thread-a" in drawn


def test_reworks_are_drawn_with_what_became_of_them_and_what_they_have_cost() -> None:
    found = WatchedPullRequest(
        workflow_id="thread-a/publication/7",
        number=7,
        status="open",
        ended_reworks=(
            EndedRework(number=1, kind=ItemKind.COMMENT, commit="c" * 40, usd=1.5),
            EndedRework(number=2, kind=ItemKind.COMMENT, reason="it changed nothing"),
        ),
    )
    drawn = [line.plain for line in pull_request(found, "thread-a")]

    assert "  rework 1 pushed as cccccccccccc, 1.50 USD" in drawn
    assert "  rework 2 not pushed: it changed nothing" in drawn
