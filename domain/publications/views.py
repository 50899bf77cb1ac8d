"""A watched pull request as people see it."""

from domain.core.wire import Wire
from domain.forges.policy import PullRequestPolicy
from domain.forges.pull_requests import (
    Check,
    CheckState,
    PullRequestReview,
    PullRequestView,
    ReviewThread,
)
from domain.publications.head_receipts import HeadReceipt
from domain.publications.items import Item
from domain.publications.reworks import EndedRework, Rework
from domain.publications.state import Merging, PublicationState


class WatchedPullRequest(Wire):
    """A pull request as the newest look saw it; all of its texts are from outside.

    `status` is `open`, `waiting` (a person is asked something), `reworking`, `merging`, `merged`, `closed`, or `unwatched`.
    `head_commit` is what a merge must name. `reworks` counts those that nobody asked for; all have cost `rework_usd`.
    `receipt` is how the thread's receipt stands for it, void or not.
    """

    workflow_id: str
    number: int
    url: str = ""
    status: str
    is_watched: bool = False
    title: str = ""
    head: str = ""
    head_commit: str = ""
    base: str = ""
    merge_commit: str = ""
    is_draft: bool = False
    will_merge_itself: bool = False
    mergeability: str = ""
    checks: tuple[Check, ...] = ()
    reviews: tuple[PullRequestReview, ...] = ()
    threads: tuple[ReviewThread, ...] = ()
    items: tuple[Item, ...] = ()
    merging: Merging = Merging()
    rework: Rework | None = None
    reworks: int = 0
    ended_reworks: tuple[EndedRework, ...] = ()
    rework_usd: float = 0.0
    policy: PullRequestPolicy = PullRequestPolicy()
    receipt: HeadReceipt | None = None


def status_of(state: PublicationState) -> tuple[str, str]:
    """Return the status of a pull request in a word, and what a person is asked, if anything."""
    asked = next(iter(state.items.values()), None)
    waiting_for = asked.subject if asked else ""
    if state.is_ended:
        return ("merged" if state.is_merged else "closed"), waiting_for
    if waiting_for:
        return "waiting", waiting_for
    if not state.is_watched:
        return "unwatched", ""
    if state.rework is not None:
        return "reworking", ""
    will_merge = state.merging.is_asking or state.merging.is_waiting
    return ("merging" if will_merge else "open"), ""


def watched(workflow_id: str, state: PublicationState) -> WatchedPullRequest | None:
    """Return a pull request as people see it; None before it is watched."""
    if state.of is None:
        return None
    known = WatchedPullRequest(
        workflow_id=workflow_id,
        number=state.of.number,
        url=state.url,
        status=status_of(state)[0],
        is_watched=state.is_watched,
        items=tuple(state.items.values()),
        merging=state.merging,
        rework=state.rework,
        reworks=state.reworks.by_policy,
        ended_reworks=state.ended_reworks,
        rework_usd=state.reworks.usd,
        policy=state.policy,
        merge_commit=state.merge_commit,
        receipt=state.receipt,
    )
    return known.model_copy(update=_seen(state.view)) if state.view else known


def _seen(view: PullRequestView) -> dict[str, object]:
    names = ("title", "head", "head_commit", "base", "is_draft", "will_merge_itself")
    more = ("mergeability", "checks", "reviews", "threads")
    return {name: getattr(view, name) for name in (*names, *more)}


def checks_in_words(checks: tuple[Check, ...]) -> str:
    """Return how many checks stand how, like `3 passed, 1 pending`."""
    states = (CheckState.FAILED, CheckState.PENDING, CheckState.PASSED, CheckState.SKIPPED)
    counts = ((sum(check.state is each for check in checks), each) for each in states)
    return ", ".join(f"{count} {each}" for count, each in counts if count)
