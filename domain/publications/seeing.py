"""What a look at a pull request says that a person must do."""

from collections.abc import Iterator

from domain.core.text import counted
from domain.forges.markers import without_marks
from domain.forges.pull_requests import (
    Check,
    CheckState,
    PullRequestState,
    PullRequestView,
    ReviewComment,
    ReviewState,
    ReviewThread,
)
from domain.publications.calls import RECEIPT_CONTEXT
from domain.publications.items import MAX_SUBJECT, MAX_TEXT, Item, ItemKind, item_id
from domain.publications.state import PublicationState

MAX_CHECKS = 100
MAX_THREADS = 100
MAX_REVIEWS = 50
MAX_COMMENTS = 5
_SUMMARY = 300
_URGENT = {CheckState.FAILED: 0, CheckState.PENDING: 1}

SEEN = frozenset(
    {
        *(ItemKind.FAILED_CHECK, ItemKind.COMMENT, ItemKind.REVIEW, ItemKind.CONFLICTS),
        ItemKind.BEHIND,
        *(ItemKind.SLOW_CHECKS, ItemKind.FOREIGN_PUSH),
    }
)
"""Kinds that are there as long as a look finds them."""


def trimmed(view: PullRequestView) -> PullRequestView:
    """Return a view with as much as is kept of it: histories and the journal hold each change."""
    ended = view.state is not PullRequestState.OPEN
    threads = () if ended else tuple(map(_trimmed, view.threads[:MAX_THREADS]))
    checks = sorted(view.checks, key=lambda check: _URGENT.get(check.state, 2))
    return view.model_copy(
        update={
            "title": view.title[:MAX_SUBJECT],
            "checks": tuple(_short(check) for check in checks[:MAX_CHECKS]),
            "reviews": tuple(
                review.model_copy(update={"body": review.body[:_SUMMARY]})
                for review in view.reviews[-MAX_REVIEWS:]
            ),
            "threads": threads,
        }
    )


def _short(check: Check) -> Check:
    return check.model_copy(update={"summary": check.summary[:_SUMMARY]})


def _trimmed(thread: ReviewThread) -> ReviewThread:
    kept = tuple(
        comment.model_copy(update={"body": without_marks(comment.body)[:MAX_TEXT]})
        for comment in thread.comments[-MAX_COMMENTS:]
    )
    return thread.model_copy(update={"comments": kept})


def is_own(comment: ReviewComment, view: PullRequestView) -> bool:
    """Tell whether a comment is Treadle's: of the account that opened the pull request, with our mark.

    People who lend Treadle their token comment by the same account, without a mark.
    """
    is_ours = view.author is not None and comment.author.id == view.author.id
    return is_ours and without_marks(comment.body) != comment.body


def is_pending(view: PullRequestView | None) -> bool:
    """Tell whether checks are under way."""
    return view is not None and bool(_pending(view))


def _pending(view: PullRequestView) -> list[str]:
    """Return the checks that are under way; our own status is not one, though a forge may show it as pending."""
    pending = (check.name for check in view.checks if check.state is CheckState.PENDING)
    return [name for name in pending if name != RECEIPT_CONTEXT]


def found_in(view: PullRequestView, state: PublicationState) -> Iterator[Item]:
    """Yield what a view of an open pull request says that somebody must do, each with its id."""
    if view.state is not PullRequestState.OPEN:
        return
    failed = (check for check in view.checks if check.state is CheckState.FAILED)
    # that our receipt is void is told by the push that made it so
    yield from (_failed(check, view) for check in failed if check.name != RECEIPT_CONTEXT)
    for thread in view.threads:
        yield from _comment(thread, view, state)
    yield from _reviews(view)
    if state.commits and view.head_commit not in state.commits:
        yield Item(
            item_id=item_id(ItemKind.FOREIGN_PUSH, view.head_commit),
            kind=ItemKind.FOREIGN_PUSH,
            about=view.head_commit,
            subject=f"Somebody else pushed {view.head_commit[:12]} to {view.head}",
            advice="what was verified is not what is there: look at the commit; fetch it into the "
            "thread's branch, or dismiss this and merge on the forge",
            url=view.url,
        )


def _failed(check: Check, view: PullRequestView) -> Item:
    return Item(
        item_id=item_id(ItemKind.FAILED_CHECK, check.id, check.name, view.head_commit),
        kind=ItemKind.FAILED_CHECK,
        about=check.id,
        subject=f"The check {check.name[:100]!r} failed on {view.head_commit[:12]}",
        advice="look at its log; run it again on the forge, or fix it and publish again",
        text=check.summary[:MAX_TEXT],
        url=check.url,
    )


def _comment(
    thread: ReviewThread, view: PullRequestView, state: PublicationState
) -> Iterator[Item]:
    """Yield the comment that a review thread waits with.

    Where the last word is ours that is one which was edited after somebody had acted on it, resolved or not: what was
    done and said was about another text.
    """
    last = thread.comments[-1] if thread.comments else None
    if last is None:
        return
    if is_own(last, view):
        others = (comment for comment in reversed(thread.comments) if not is_own(comment, view))
        answered = next(others, None)
        if answered is not None and _is_edited(thread, answered, state):
            yield _said(thread, answered, view, state)
        return
    is_report = last.author.is_bot and not thread.is_resolvable
    if thread.is_resolved or (is_report and last.author.login not in state.policy.authors):
        return  # reports are those of builds and the like, of which each push brings more
    yield _said(thread, last, view, state)


def _is_edited(thread: ReviewThread, comment: ReviewComment, state: PublicationState) -> bool:
    """Tell whether a comment was edited after somebody had acted on it."""
    return comment.edited_at is not None and acted_on(thread.id, comment.id) in state.acted


def _said(
    thread: ReviewThread, comment: ReviewComment, view: PullRequestView, state: PublicationState
) -> Item:
    edited = comment.edited_at.isoformat() if comment.edited_at else ""
    place = f"{thread.path}:{thread.line}" if thread.path else "the pull request"
    is_edited = _is_edited(thread, comment, state)
    again = ", edited after somebody acted on it" if is_edited else ""
    return Item(
        item_id=item_id(ItemKind.COMMENT, thread.id, comment.id, edited),
        kind=ItemKind.COMMENT,
        about=acted_on(thread.id, comment.id),
        subject=f"{comment.author.login} commented on {place}{again}"[:MAX_SUBJECT],
        advice="look at what it says now; answer it or change the work, or dismiss this"
        if is_edited
        else "answer or resolve it on the forge, or change the work and publish again",
        text=without_marks(comment.body)[:MAX_TEXT],
        author=comment.author.login,
        url=comment.url or view.url,
        is_edited=is_edited,
        thread=thread.id,
    )


def acted_on(thread: str, comment: str) -> str:
    """Return what a comment is called among those that somebody acted on."""
    return f"{thread}/{comment}"


def _reviews(view: PullRequestView) -> Iterator[Item]:
    """Yield the newest review of each reviewer that asks for changes."""
    newest = {
        review.author.id: review
        for review in view.reviews
        if review.state is not ReviewState.COMMENTED
    }
    for review in newest.values():
        if review.state is ReviewState.CHANGES_REQUESTED:
            yield Item(
                item_id=item_id(ItemKind.REVIEW, review.id),
                kind=ItemKind.REVIEW,
                about=review.id,
                subject=f"{review.author.login} requests changes",
                advice="change the work and publish again, then ask for another review on the forge",
                text=review.body[:MAX_TEXT],
                author=review.author.login,
                url=view.url,
            )


def slow_checks(view: PullRequestView, hours: float) -> Item:
    """Return that checks do not end."""
    names = _pending(view)
    return Item(
        item_id=item_id(ItemKind.SLOW_CHECKS, view.head_commit),
        kind=ItemKind.SLOW_CHECKS,
        subject=f"{counted(len(names), 'check')} pending for more than {hours:g} h on "
        f"{view.head_commit[:12]}",
        advice="look on the forge whether a runner is missing; cancel or run them again",
        text=", ".join(names)[:MAX_TEXT],
        url=view.url,
    )
