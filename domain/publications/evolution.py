"""How events change what is known of a watched pull request."""

from domain.publications.events import (
    PullRequestBranchDeleted,
    PullRequestEnded,
    PullRequestItemClosed,
    PullRequestItemOpened,
    PullRequestMergeAnswered,
    PullRequestMergeAsked,
    PullRequestMergeCancelled,
    PullRequestMergeWithdrawn,
    PullRequestPolicyChanged,
    PullRequestPushed,
    PullRequestReported,
    PullRequestSeen,
    PullRequestUnwatched,
    PullRequestWatched,
)
from domain.publications.items import ItemKind, ItemOutcome
from domain.publications.registry import PUBLICATION_RULES
from domain.publications.reworks import ReworkCount
from domain.publications.state import Merging, PublicationState

KEPT = 500
"""Items that were closed, comments and commits that are remembered."""


@PUBLICATION_RULES.evolves
def apply_watched(event: PullRequestWatched, state: PublicationState) -> PublicationState:
    commits = (event.commit,) if event.commit else ()
    return state.model_copy(
        update={
            "of": event.of,
            "url": event.url,
            "policy": event.policy,
            "commits": _newest((*state.commits, *commits)),
            "is_watched": True,
            "is_ended": False,
            "is_merged": False,
            "is_ours": False,
            "is_reported": False,
            "reworks": _more(event.reworks, state.reworks),
        }
    )


def _more(told: ReworkCount, known: ReworkCount) -> ReworkCount:
    """Return the higher counts: a watch that begins anew is told those of the one before."""
    more = known if known.number >= told.number else told
    return more.model_copy(update={"usd": max(known.usd, told.usd)})


@PUBLICATION_RULES.evolves
def apply_policy(event: PullRequestPolicyChanged, state: PublicationState) -> PublicationState:
    return state.model_copy(update={"policy": event.policy})


@PUBLICATION_RULES.evolves
def apply_pushed(event: PullRequestPushed, state: PublicationState) -> PublicationState:
    return state.model_copy(update={"commits": _newest((*state.commits, event.commit))})


def _newest(names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(reversed(names[-KEPT:])))[::-1]


@PUBLICATION_RULES.evolves
def apply_seen(event: PullRequestSeen, state: PublicationState) -> PublicationState:
    changes = {
        "view": event.view,
        "pending_since": event.pending_since,
        "receipt": event.receipt,
    }
    return state.model_copy(update=changes)


@PUBLICATION_RULES.evolves
def apply_item_opened(event: PullRequestItemOpened, state: PublicationState) -> PublicationState:
    name = event.item.item_id
    closed = {n: how for n, how in state.closed.items() if n != name}
    return state.model_copy(update={"items": {**state.items, name: event.item}, "closed": closed})


@PUBLICATION_RULES.evolves
def apply_item_closed(event: PullRequestItemClosed, state: PublicationState) -> PublicationState:
    item = state.items.get(event.item_id)
    if item is None:
        return state
    closed = {**state.closed, event.item_id: event.outcome}
    is_acted = item.kind is ItemKind.COMMENT and event.outcome is not ItemOutcome.SETTLED
    acted = (*state.acted, item.about) if is_acted else state.acted
    return state.model_copy(
        update={
            "items": {name: each for name, each in state.items.items() if name != event.item_id},
            "closed": dict([*closed.items()][-KEPT:]),
            "acted": _newest(acted),
        }
    )


@PUBLICATION_RULES.evolves
def apply_merge_asked(event: PullRequestMergeAsked, state: PublicationState) -> PublicationState:
    asked = Merging(
        number=event.number,
        commit=event.commit,
        method=event.method,
        timing=event.timing,
        by=event.by,
        is_asking=True,
    )
    return state.model_copy(update={"merging": asked})


@PUBLICATION_RULES.evolves
def apply_merge_answered(
    event: PullRequestMergeAnswered, state: PublicationState
) -> PublicationState:
    is_waiting = not event.failure and not event.is_merged
    changes = {"is_asking": False, "is_waiting": is_waiting, "failure": event.failure}
    return _merging(state, **changes)


@PUBLICATION_RULES.evolves
def apply_withdrawn(event: PullRequestMergeWithdrawn, state: PublicationState) -> PublicationState:
    # what no person took back the policy may ask for again
    commit = "" if event.is_by_policy else state.merging.commit
    return _merging(state, number=event.number, commit=commit, is_withdrawing=True)


@PUBLICATION_RULES.evolves
def apply_cancelled(event: PullRequestMergeCancelled, state: PublicationState) -> PublicationState:
    is_waiting = state.merging.is_waiting and bool(event.failure)
    changes = {"is_withdrawing": False, "is_waiting": is_waiting, "failure": event.failure}
    return _merging(state, **changes)


def _merging(state: PublicationState, **changes: object) -> PublicationState:
    return state.model_copy(update={"merging": state.merging.model_copy(update=changes)})


@PUBLICATION_RULES.evolves
def apply_ended(event: PullRequestEnded, state: PublicationState) -> PublicationState:
    ended = state.model_copy(
        update={
            "is_watched": False,
            "is_ended": True,
            "is_merged": event.is_merged,
            "is_ours": event.is_ours,
            "merge_commit": event.merge_commit,
            "head_commit": event.head_commit,
        }
    )
    return _merging(ended, is_asking=False, is_waiting=False, is_withdrawing=False)


@PUBLICATION_RULES.evolves
def apply_reported(event: PullRequestReported, state: PublicationState) -> PublicationState:
    del event
    return state.model_copy(update={"is_reported": True})


@PUBLICATION_RULES.evolves
def apply_branch_deleted(
    event: PullRequestBranchDeleted, state: PublicationState
) -> PublicationState:
    del event
    return state.model_copy(update={"is_branch_deleted": True})


@PUBLICATION_RULES.evolves
def apply_unwatched(event: PullRequestUnwatched, state: PublicationState) -> PublicationState:
    return state.model_copy(update={"is_watched": False, "is_closed": event.is_closed})
