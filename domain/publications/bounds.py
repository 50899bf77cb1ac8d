"""How much of a pull request one look brings: it must fit into a payload of Temporal's (2 MiB), and so must all that is kept."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

from domain.core.wire import Wire
from domain.forges.markers import without_marks
from domain.forges.pull_requests import (
    Check,
    CheckState,
    PullRequestReview,
    PullRequestView,
    ReviewComment,
    ReviewState,
    ReviewThread,
)
from domain.publications.items import MAX_TEXT

MOST = 200
"""Checks, reviews and review threads of one look, each."""

ROOM_BYTES = 300_000
"""What all checks, all reviews and all review threads of one look may each come to."""

MAX_COMMENTS = 20
"""The newest comments of a thread that a look brings."""

_URGENT = {CheckState.FAILED: 0, CheckState.PENDING: 1}

P = TypeVar("P", bound=Wire)


def within_bounds(view: PullRequestView) -> PullRequestView:
    """Return a view with what matters most of it: checks that fail or run, words that wait, and the newest of those.

    Whoever may comment could else have the watch fail, by many long comments.
    """
    return view.model_copy(
        update={
            "checks": _fitting(map(_short, view.checks), lambda each: _URGENT.get(each.state, 2)),
            "reviews": _fitting(map(_short_review, reversed(view.reviews)), _rank_of)[::-1],
            "threads": _fitting(map(_short_thread, view.threads), _age_of),
        }
    )


def _fitting(found: Iterable[P], rank: Callable[[P], Any]) -> tuple[P, ...]:
    """Return as many as there is room for, the lowest ranks first, in the order that they had."""
    parts: Sequence[P] = tuple(found)
    kept, room = set[int](), ROOM_BYTES
    for place in sorted(range(len(parts)), key=lambda place: rank(parts[place]))[:MOST]:
        room -= len(parts[place].model_dump_json().encode())
        if room < 0:
            break
        kept.add(place)
    return tuple(part for place, part in enumerate(parts) if place in kept)


def _short(check: Check) -> Check:
    return check.model_copy(update={"summary": check.summary[:MAX_TEXT]})


def _short_review(review: PullRequestReview) -> PullRequestReview:
    return review.model_copy(update={"body": review.body[:MAX_TEXT]})


def _rank_of(review: PullRequestReview) -> bool:
    return review.state is ReviewState.COMMENTED


def _short_thread(thread: ReviewThread) -> ReviewThread:
    comments = tuple(map(_short_comment, thread.comments[-MAX_COMMENTS:]))
    return thread.model_copy(update={"comments": comments})


def _short_comment(comment: ReviewComment) -> ReviewComment:
    """Return a comment cut, unless it is one of ours, whose mark is at its end."""
    body = comment.body
    is_marked = without_marks(body) != body
    return comment if is_marked else comment.model_copy(update={"body": body[:MAX_TEXT]})


def _age_of(thread: ReviewThread) -> tuple[bool, float]:
    newest = max((each.created_at.timestamp() for each in thread.comments), default=0.0)
    return thread.is_resolved, -newest
