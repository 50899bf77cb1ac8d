"""Rules of merging: by a person's command for the commit that was shown, or by the policy; never else."""

from collections.abc import Iterator

from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import NotShownError, WrongStateError
from domain.core.event import EventBody
from domain.forges.policy import AutoMerge
from domain.forges.pull_requests import MergeRequest, MergeTiming, PullRequestState
from domain.publications.commands import (
    CancelPullRequestMerge,
    EndMerge,
    EndMergeCancel,
    MergePullRequest,
)
from domain.publications.effects import CancelOnForge, MergeOnForge, PublicationEffect
from domain.publications.events import (
    PullRequestEnded,
    PullRequestItemClosed,
    PullRequestItemOpened,
    PullRequestMergeAnswered,
    PullRequestMergeAsked,
    PullRequestMergeCancelled,
    PullRequestMergeWithdrawn,
)
from domain.publications.items import Item, ItemKind, ItemOutcome, item_id
from domain.publications.registry import PUBLICATION_RULES
from domain.publications.seeing import is_pending
from domain.publications.state import PublicationState

_SHORT = 12
_CANCEL = "cancel"
"""What a card is about which says that a merge could not be taken back."""


def is_lowest(state: PublicationState) -> bool:
    """Tell whether nothing of its stack has to be merged before it."""
    base = state.policy.stack_base
    return not base or (state.view is not None and state.view.base == base)


@PUBLICATION_RULES.handles
def merge(command: MergePullRequest, state: PublicationState) -> Decided:
    view, asked = state.view, state.merging
    if state.is_merged:
        return Decided(answer=Answer(message="it is merged"))
    if view is None or state.is_ended or not state.is_watched:
        raise WrongStateError("it is not watched, or no look has found it yet: watch it first")
    if view.head_commit != command.commit:
        raise NotShownError(
            f"its head is {view.head_commit[:_SHORT]}, the command names {command.commit[:_SHORT]}: "
            "look at it again and decide then"
        )
    if not is_lowest(state):
        raise WrongStateError(
            f"it stands on {view.base}, not on {state.policy.stack_base}: merge the pull request below it first"
        )
    if view.is_draft:
        raise WrongStateError("it is a draft: mark it as ready on the forge first")
    if asked.is_withdrawing:
        raise WrongStateError("the forge is being told not to merge it: merge it after that")
    is_asked = asked.is_waiting and view.will_merge_itself and asked.commit == command.commit
    if asked.is_asking or (is_asked and command.timing is MergeTiming.WHEN_READY):
        return Decided(answer=Answer(message="the forge is being asked already"))
    event = PullRequestMergeAsked(
        number=asked.number + 1,
        commit=command.commit,
        method=command.method or state.policy.merge_method,
        timing=command.timing,
        by=command.by,
    )
    return Decided((*_without_refusals(state), event), Answer(message="the forge is being asked"))


def _without_refusals(state: PublicationState) -> Iterator[EventBody]:
    for item in state.items.values():
        if item.kind is ItemKind.MERGE_REFUSED:
            yield PullRequestItemClosed(
                item_id=item.item_id, subject=item.subject, outcome=ItemOutcome.SETTLED
            )


@PUBLICATION_RULES.reacts
def merge_by_policy(state: PublicationState) -> Iterator[EventBody]:
    """Ask the forge to merge what the thread pushed last, once, where nothing is left to do.

    Checks that are under way are waited for: a forge that requires none would not, or refuses to be asked before.
    """
    view, asked = state.view, state.merging
    if state.policy.auto_merge is AutoMerge.OFF or view is None or not state.is_watched:
        return
    is_ready = view.state is PullRequestState.OPEN and not view.is_draft and not state.items
    is_ours = bool(state.commit) and view.head_commit == state.commit
    is_ready = is_ready and not is_pending(view) and state.rework is None and is_lowest(state)
    is_being_asked = asked.is_asking or asked.is_withdrawing
    if is_ready and is_ours and asked.commit != state.commit and not is_being_asked:
        yield PullRequestMergeAsked(
            number=asked.number + 1,
            commit=state.commit,
            method=state.policy.merge_method,
            timing=MergeTiming.WHEN_READY,
            by="the policy",
            is_by_policy=True,
        )


@PUBLICATION_RULES.reacts
def withdraw_what_changed(state: PublicationState) -> Iterator[EventBody]:
    """Have the forge not merge by itself any more where its head has moved since, or it is reworked.

    A forge that was asked for one commit also merges what is pushed on top of it. Where it refuses, a person is asked.
    """
    view, asked = state.view, state.merging
    if view is None or not state.is_watched or view.state is not PullRequestState.OPEN:
        return
    is_standing = asked.is_waiting and not asked.is_withdrawing and not asked.failure
    if is_standing and (view.head_commit != asked.commit or state.rework is not None):
        yield PullRequestMergeWithdrawn(number=asked.number + 1, is_by_policy=True)


@PUBLICATION_RULES.handles
def cancel_merge(command: CancelPullRequestMerge, state: PublicationState) -> Decided:
    asked, view = state.merging, state.view
    will_merge = asked.is_waiting or (view is not None and view.will_merge_itself)
    if not will_merge or asked.is_withdrawing or state.is_ended:
        return Decided(answer=Answer(message="the forge does not merge it by itself"))
    event = PullRequestMergeWithdrawn(number=asked.number + 1, by=command.by)
    return Decided((event,), Answer(message="the forge is being told not to merge it"))


@PUBLICATION_RULES.handles
def end_merge(command: EndMerge, state: PublicationState) -> Decided:
    asked, answer = state.merging, command.answer
    if not asked.is_asking or asked.number != command.number:
        return Decided()
    if answer is None:
        return Decided(tuple(_refused(command, state)))
    answered = PullRequestMergeAnswered(
        number=command.number, is_merged=answer.is_merged, merge_commit=answer.merge_commit
    )
    if not answer.is_merged:
        return Decided((answered,))
    closed = (
        PullRequestItemClosed(item_id=name, subject=item.subject, outcome=ItemOutcome.SETTLED)
        for name, item in state.items.items()
    )
    ended = PullRequestEnded(
        is_merged=True, merge_commit=answer.merge_commit, head_commit=asked.commit, is_ours=True
    )
    return Decided((answered, *closed, ended))


def _refused(command: EndMerge, state: PublicationState) -> Iterator[EventBody]:
    yield PullRequestMergeAnswered(number=command.number, failure=command.failure[:500])
    item = Item(
        item_id=item_id(ItemKind.MERGE_REFUSED, str(command.number)),
        kind=ItemKind.MERGE_REFUSED,
        subject=f"The forge did not merge {state.merging.commit[:_SHORT]}",
        advice="look at the reason, then merge again or dismiss it",
        text=command.failure[:500],
        url=state.url,
    )
    yield PullRequestItemOpened(item=item)


@PUBLICATION_RULES.handles
def end_merge_cancel(command: EndMergeCancel, state: PublicationState) -> Decided:
    if not state.merging.is_withdrawing or state.merging.number != command.number:
        return Decided()
    cancelled = PullRequestMergeCancelled(number=command.number, failure=command.failure[:500])
    settled = (
        PullRequestItemClosed(item_id=name, subject=item.subject, outcome=ItemOutcome.SETTLED)
        for name, item in state.items.items()
        if item.kind is ItemKind.MERGE_REFUSED and item.about == _CANCEL
    )
    if not command.failure:
        return Decided((cancelled, *settled))
    item = Item(
        item_id=item_id(ItemKind.MERGE_REFUSED, str(command.number), _CANCEL),
        kind=ItemKind.MERGE_REFUSED,
        about=_CANCEL,
        subject="The forge could not be told not to merge by itself",
        advice="look at the reason and cancel it on the forge, or again here; else dismiss this",
        text=command.failure[:500],
        url=state.url,
    )
    return Decided((cancelled, *settled, PullRequestItemOpened(item=item)))


@PUBLICATION_RULES.requires
def ask_the_forge(state: PublicationState) -> Iterator[PublicationEffect]:
    asked = state.merging
    if state.of is None or state.is_closed:
        return
    if asked.is_asking:
        request = MergeRequest(
            of=state.of, commit=asked.commit, method=asked.method, timing=asked.timing
        )
        yield MergeOnForge(number=asked.number, request=request)
    if asked.is_withdrawing:
        yield CancelOnForge(number=asked.number, of=state.of)
