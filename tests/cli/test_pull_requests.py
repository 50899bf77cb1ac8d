"""`treadle publish ACTION`: how its words are read, and how a pull request is drawn."""

from datetime import UTC, datetime

import pytest
import typer
from rich.text import Text

from cli.threads.merge_drawing import merges, publication
from cli.threads.pull_request_drawing import pull_request
from cli.threads.pull_requests import read_words
from domain.core.ids import ThreadId
from domain.forges.policy import PullRequestPolicy
from domain.forges.pull_requests import Check, CheckState
from domain.plans.status import PlanStatus
from domain.publications.head_receipts import HeadReceipt
from domain.publications.items import Item, ItemKind
from domain.publications.reworks import EndedRework
from domain.publications.views import WatchedPullRequest
from domain.reading.views import ThreadView
from domain.threads.progress import Progress
from domain.threads.publishing.publication import Publication, PushedBranch


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


def test_a_word_that_is_no_action_is_named() -> None:
    with pytest.raises(typer.BadParameter, match="'frob' is no action; there are: cancel-merge"):
        read_words(["frob", "checkout"])


@pytest.mark.parametrize("words", [["dismiss"], ["checkout", "status"], ["look", "a", "b"]])
def test_other_words_are_refused(words) -> None:
    with pytest.raises(typer.BadParameter):
        read_words(words)


@pytest.mark.parametrize("is_void", [True, False])
def test_how_the_receipt_stands_is_drawn(is_void: bool) -> None:
    words = "Void: another tree" if is_void else "Verified: 2 steps ran"
    known = HeadReceipt(commit="c" * 40, is_void=is_void, is_verified=not is_void, words=words)
    found = WatchedPullRequest(workflow_id="w", number=7, status="open", receipt=known)
    thread = ThreadView(
        thread_id=ThreadId("thread-a"),
        goal="add a flag",
        status="waiting",
        repository="/code/app",
        branch="treadle/add-a-flag",
        agent="codex",
        template="default",
        plan_status=PlanStatus.IDLE,
        progress=Progress(done=0, total=1),
        opened_at=datetime(2026, 11, 21, tzinfo=UTC),
        changed_at=datetime(2026, 11, 21, tzinfo=UTC),
        pull_request=found,
    )
    shown = [line for line in merges(thread).renderables if isinstance(line, Text)]

    for lines in (pull_request(found, "thread-a"), shown):
        (line,) = (line for line in lines if "receipt" in line.plain)
        assert line.plain == f"  receipt for {'c' * 12}: {words}"
        assert ("red" in str(line.style)) is is_void


def test_why_a_receipt_is_not_on_the_remote_is_drawn() -> None:
    pushed = PushedBranch(remote="origin", address="/r.git", branch="b", commit="c" * 40)
    failed = pushed.model_copy(update={"note_failure": "origin refuses refs/notes/treadle"})

    assert [len(list(publication(Publication(pushed=each)))) for each in (pushed, failed)] == [1, 2]
    assert "refuses refs/notes/treadle" in list(publication(Publication(pushed=failed)))[1].plain


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

    stacked = found.model_copy(update={"policy": PullRequestPolicy(stack_base="main")})
    of_stack = "\n".join(line.plain for line in pull_request(stacked, "thread-a"))
    assert "treadle publish dismiss comment-1 thread-a" in of_stack
    assert "rework" not in of_stack


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
