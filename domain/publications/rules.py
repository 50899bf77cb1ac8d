"""Rules of a watched pull request: what looks find, and what people say."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import NotFoundError, WrongStateError
from domain.core.event import EventBody
from domain.forges.hints import ForgeHint
from domain.forges.pull_requests import PullRequestState, PullRequestView
from domain.publications import bases, evolution, merging, rework_policy, reworking, stacks
from domain.publications.commands import (
    CloseWatch,
    DismissPullRequestItem,
    EndBranchDelete,
    EndReport,
    LookAtPullRequest,
    NoteLook,
    NotePush,
    NoteTrouble,
    UnwatchPullRequest,
    WatchPullRequest,
)
from domain.publications.effects import (
    DeleteOnForge,
    KeepLooking,
    PublicationEffect,
    ReportEnd,
)
from domain.publications.events import (
    PullRequestBranchDeleted,
    PullRequestEnded,
    PullRequestItemClosed,
    PullRequestItemOpened,
    PullRequestPolicyChanged,
    PullRequestPushed,
    PullRequestReported,
    PullRequestSeen,
    PullRequestUnwatched,
    PullRequestWatched,
)
from domain.publications.head_receipts import HeadReceipt
from domain.publications.items import Item, ItemKind, ItemOutcome, item_id
from domain.publications.registry import PUBLICATION_RULES
from domain.publications.seeing import SEEN, found_in, is_pending, slow_checks, trimmed
from domain.publications.state import PublicationState

RULES = (bases, evolution, merging, reworking, rework_policy, stacks)
"""The others that register rules."""

_OF_OPEN = frozenset({ItemKind.UNPUBLISHED, ItemKind.STACKED})
TROUBLES = frozenset({ItemKind.UNREACHABLE, ItemKind.ACCESS, ItemKind.GONE})
_ADVICE = {
    ItemKind.UNREACHABLE: "it is asked again, less and less often; this goes away once it answers",
    ItemKind.ACCESS: "renew the token, or give it the scope that is missing, and restart the worker",
    ItemKind.GONE: "if it was moved, change the remote and publish again; else stop watching",
}
_WORDS = {
    ItemKind.UNREACHABLE: "The forge does not answer",
    ItemKind.ACCESS: "The forge refuses the token",
    ItemKind.GONE: "The pull request or its project cannot be found",
}


@PUBLICATION_RULES.handles
def note_look(command: NoteLook, state: PublicationState, now: datetime) -> Decided:
    if not state.is_watched:
        return Decided()
    events = [_closed(item) for item in state.items.values() if item.kind in TROUBLES]
    if command.look.view is not None:
        events += _changes(command.look.view, command.receipt, state, now)
    elif state.view is not None:
        events += _slow(state.view, state.pending_since, state, now)
        left = bases.behind(state.view, state, now)
        events += [PullRequestItemOpened(item=i) for i in left if state.is_new(i.item_id)]
    seen = command.look.view or state.view
    if seen is not None and seen.state is PullRequestState.OPEN:
        events += reworking.overdue(state, now)
    return Decided(tuple(events))


def _changes(
    whole: PullRequestView, found_out: HeadReceipt | None, state: PublicationState, now: datetime
) -> Iterator[EventBody]:
    view = trimmed(whole)
    same = state.view is not None and state.view.head_commit == view.head_commit
    receipt = found_out or (state.receipt if same else None)
    since = (state.pending_since if same else None) or now
    since = since if is_pending(view) else None
    if (view, since, receipt) != (state.view, state.pending_since, state.receipt):
        yield PullRequestSeen(view=view, pending_since=since, receipt=receipt)
    seen = (*found_in(whole, state), *bases.behind(whole, state, now))
    found = {item.item_id: item for item in seen}
    for item in state.items.values():
        if (
            item.kind in SEEN
            and item.kind is not ItemKind.SLOW_CHECKS
            and item.item_id not in found
        ):
            yield _closed(item)
    for name, item in found.items():
        if state.is_new(name):
            yield PullRequestItemOpened(item=item)
    yield from _slow(view, since, state, now)
    if view.state is not PullRequestState.OPEN:
        yield from _ended(view, state)


def _slow(
    view: PullRequestView, since: datetime | None, state: PublicationState, now: datetime
) -> Iterator[EventBody]:
    patience = timedelta(seconds=state.policy.check_patience_seconds)
    is_slow = since is not None and now - since >= patience
    slow = slow_checks(view, patience / timedelta(hours=1)) if is_slow else None
    for item in state.items.values():
        if item.kind is ItemKind.SLOW_CHECKS and (slow is None or slow.item_id != item.item_id):
            yield _closed(item)
    if slow is not None and state.is_new(slow.item_id):
        yield PullRequestItemOpened(item=slow)


def _ended(view: PullRequestView, state: PublicationState) -> Iterator[EventBody]:
    is_merged = view.state is PullRequestState.MERGED
    is_ours = is_merged and state.merging.commit == view.head_commit
    for waiting in state.items.values():
        if waiting.kind in _OF_OPEN:  # there is nothing left to push
            yield _closed(waiting)
    yield PullRequestEnded(
        is_merged=is_merged,
        merge_commit=view.merge_commit,
        head_commit=view.head_commit,
        is_ours=is_ours,
    )
    if is_ours:
        return
    kind = ItemKind.MERGED_ELSEWHERE if is_merged else ItemKind.CLOSED
    name = item_id(kind, view.head_commit)
    if not state.is_new(name):
        return
    subject = "It was merged on the forge" if is_merged else "It was closed without being merged"
    if is_merged and view.head_commit != state.commit:
        subject += f", as {view.head_commit[:12]}, which the thread did not push last"
    advice = (
        "there is nothing left to do: dismiss it"
        if is_merged
        else "publish again to open another one, or dismiss it"
    )
    item = Item(item_id=name, kind=kind, subject=subject, advice=advice, url=view.url)
    yield PullRequestItemOpened(item=item)


def _closed(item: Item, outcome: ItemOutcome = ItemOutcome.SETTLED, by: str = "") -> EventBody:
    return PullRequestItemClosed(item_id=item.item_id, subject=item.subject, outcome=outcome, by=by)


@PUBLICATION_RULES.handles
def note_trouble(command: NoteTrouble, state: PublicationState, now: datetime) -> Decided:
    kind = command.kind
    name = item_id(kind, now.date().isoformat())
    is_open = any(item.kind is kind for item in state.items.values())
    if not state.is_watched or is_open or not state.is_new(name):
        return Decided()
    item = Item(
        item_id=name,
        kind=kind,
        subject=_WORDS.get(kind, "The forge refuses"),
        advice=_ADVICE.get(kind, "look at the reason; it is asked again"),
        text=command.words[:500],
        url=state.url,
    )
    others = (_closed(each) for each in state.items.values() if each.kind in TROUBLES)
    return Decided((*others, PullRequestItemOpened(item=item)))


@PUBLICATION_RULES.handles
def look_now(command: LookAtPullRequest, state: PublicationState) -> Decided:
    del command
    if not state.is_watched:
        raise WrongStateError("it is not watched: watch it first")
    return Decided(answer=Answer(message="being looked at"))


@PUBLICATION_RULES.handles
def take_hint(command: ForgeHint) -> Decided:
    del command  # it says that something may have changed; only a look says what
    return Decided()


@PUBLICATION_RULES.handles
def watch_again(command: WatchPullRequest, state: PublicationState) -> Decided:
    if state.of is None or state.is_watched:
        return Decided(answer=Answer(message="being watched"))
    closed = (_closed(item) for item in state.items.values())
    watched = PullRequestWatched(of=state.of, url=state.url, policy=state.policy, by=command.by)
    unpushed = reworking.unpushed(state)
    return Decided((*closed, watched, *unpushed), Answer(message="being watched"))


@PUBLICATION_RULES.handles
def unwatch(command: UnwatchPullRequest, state: PublicationState) -> Decided:
    if not state.is_watched:
        return Decided(answer=Answer(message="not being watched"))
    closed = (_closed(item) for item in state.items.values())
    answer = Answer(message="not being watched any more; the pull request stays as it is")
    return Decided((*closed, PullRequestUnwatched(by=command.by)), answer)


@PUBLICATION_RULES.handles
def close_watch(command: CloseWatch) -> Decided:
    del command
    return Decided((PullRequestUnwatched(is_closed=True),))


@PUBLICATION_RULES.handles
def dismiss_item(command: DismissPullRequestItem, state: PublicationState) -> Decided:
    item = state.items.get(command.item_id)
    answer = Answer(message="dismissed")
    if item is not None:
        dismissed = _closed(item, ItemOutcome.DISMISSED, command.by)
        return Decided((dismissed, *reworking.left(item, command.by, state)), answer)
    if state.closed.get(command.item_id) is ItemOutcome.DISMISSED:
        return Decided(answer=answer)
    known = ", ".join(state.items) or "none"
    raise NotFoundError(f"no open item {command.item_id[:80]!r}; open here: {known}")


@PUBLICATION_RULES.handles
def note_push(command: NotePush, state: PublicationState) -> Decided:
    events: list[EventBody] = []
    if state.of is not None and not state.is_watched:
        events.append(
            PullRequestWatched(of=state.of, url=state.url, policy=state.policy, by=command.by)
        )
    if command.commit and command.commit != state.commit:
        events.append(PullRequestPushed(commit=command.commit))
    foreign = (i for i in state.items.values() if i.kind is ItemKind.FOREIGN_PUSH)
    events += [_closed(item) for item in foreign if item.about == command.commit]
    if command.policy is not None and command.policy != state.policy:
        events.append(PullRequestPolicyChanged(policy=command.policy))
    events += reworking.pushed(command, state)
    return Decided(tuple(events))


@PUBLICATION_RULES.handles
def end_branch_delete(command: EndBranchDelete, state: PublicationState) -> Decided:
    if not state.deletes_branch:
        return Decided()
    return Decided((PullRequestBranchDeleted(branch=command.branch, failure=command.failure),))


@PUBLICATION_RULES.handles
def end_report(command: EndReport, state: PublicationState) -> Decided:
    del command
    return Decided((PullRequestReported(),) if state.is_ended and not state.is_reported else ())


@PUBLICATION_RULES.requires
def look_and_report(state: PublicationState) -> Iterator[PublicationEffect]:
    if state.of is None or state.is_closed:
        return
    if state.is_watched:
        yield KeepLooking(of=state.of)
    if state.is_ended and not state.is_reported:
        yield ReportEnd()
    if state.deletes_branch and state.view is not None:
        yield DeleteOnForge(of=state.of, branch=state.view.head, commit=state.head_commit)
