"""Rules of reworks that nobody asks for: what the policy names, how often, and for how much money."""

from collections.abc import Iterator

from domain.core.event import EventBody
from domain.forges.policy import Response
from domain.forges.pull_requests import PullRequestState
from domain.publications.events import PullRequestItemClosed, PullRequestItemOpened
from domain.publications.items import Item, ItemKind, ItemOutcome, item_id
from domain.publications.registry import PUBLICATION_RULES
from domain.publications.reworking import asked
from domain.publications.state import PublicationState

POLICY = "the policy"


@PUBLICATION_RULES.reacts
def rework_by_policy(state: PublicationState) -> Iterator[EventBody]:
    """Ask for a rework of one item that the policy names, as long as no bound is reached.

    Only what the thread pushed last is reworked: a check that fails on another's commit is a person's.
    """
    if state.rework is not None:
        return
    item = _next(state)
    is_held = item is not None and _is_spent(state)
    yield from _told(state, is_held=is_held)
    if item is not None and not is_held:
        yield from asked(item, POLICY, state, is_by_policy=True)


def _next(state: PublicationState) -> Item | None:
    """Return the first item that the policy has reworked now, its bound of money aside."""
    view = state.view
    if view is None or not state.is_watched or state.is_ended:
        return None
    is_ours = bool(state.commit) and view.head_commit == state.commit
    is_open = view.state is PullRequestState.OPEN
    if not (is_ours and is_open) or state.reworks.by_policy >= state.policy.max_reworks:
        return None
    return next((item for item in state.items.values() if _is_named(item, state)), None)


def _is_named(item: Item, state: PublicationState) -> bool:
    """Tell whether the policy has an item reworked, for the first time."""
    policy = state.policy
    if item.item_id in state.reworks.items or item.is_edited:
        return False
    if item.kind is ItemKind.FAILED_CHECK:
        return policy.on_failed_check is Response.REWORK
    authors = {login.casefold() for login in policy.authors}
    is_named = bool(item.author) and item.author.casefold() in authors
    is_said = item.kind in {ItemKind.COMMENT, ItemKind.REVIEW}
    return policy.on_review_comment is Response.REWORK and is_said and is_named


def _is_spent(state: PublicationState) -> bool:
    """Tell whether the reworks have cost what the policy allows; one that runs is not cut short."""
    return 0 < state.policy.max_rework_usd <= state.reworks.usd


def _told(state: PublicationState, *, is_held: bool) -> Iterator[EventBody]:
    """Yield the card which says that money holds the policy, as long as anything waits for that."""
    most = state.policy.max_rework_usd
    name = item_id(ItemKind.REWORK_BOUND, f"{most:g}") if is_held else ""
    for item in state.items.values():
        if item.kind is ItemKind.REWORK_BOUND and item.item_id != name:
            yield PullRequestItemClosed(
                item_id=item.item_id, subject=item.subject, outcome=ItemOutcome.SETTLED
            )
    if is_held and state.is_new(name):
        item = Item(
            item_id=name,
            kind=ItemKind.REWORK_BOUND,
            subject=f"Nothing more is reworked without you: reworks have cost {state.reworks.usd:.2f} "
            f"of {most:.2f} USD",
            advice="rework an item yourself, or approve a plan with a higher git.maxReworkUsd and "
            "publish; dismiss this to leave it so",
            url=state.url,
        )
        yield PullRequestItemOpened(item=item)
