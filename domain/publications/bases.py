"""Rules of a pull request that is behind its base, or conflicts with it: the thread takes it in, or a person is asked."""

from collections.abc import Iterator
from datetime import datetime, timedelta

from domain.core.decisions import Decided
from domain.forges.pull_requests import Mergeability, PullRequestState, PullRequestView
from domain.publications.commands import EndBaseAsk
from domain.publications.effects import AskForBase, PublicationEffect
from domain.publications.events import PullRequestBaseAsked
from domain.publications.items import Item, ItemKind, item_id
from domain.publications.registry import PUBLICATION_RULES
from domain.publications.state import AskedBase, PublicationState

PATIENCE = timedelta(minutes=15)
"""How long the thread may take to bring the base in until a person is told."""

_KINDS = {Mergeability.BEHIND: ItemKind.BEHIND, Mergeability.CONFLICTS: ItemKind.CONFLICTS}


def behind(view: PullRequestView, state: PublicationState, now: datetime) -> Iterator[Item]:
    """Yield that somebody must take the base in: where the thread may not, or has not in its time."""
    kind = _KINDS.get(view.mergeability)
    is_open = view.state is PullRequestState.OPEN
    if kind is None or not is_open or _is_thread_at_it(view, state, now):
        return
    what = "Conflicts with" if kind is ItemKind.CONFLICTS else "The forge wants it up to date with"
    yield Item(
        item_id=item_id(kind, view.head_commit, view.base),
        kind=kind,
        subject=f"{what} {view.base}",
        advice=_advice(view, state),
        url=view.url,
    )


def _advice(view: PullRequestView, state: PublicationState) -> str:
    if state.policy.stack_base:
        return f"bring {view.base} into {view.head} on the forge or with git; what is above it goes on from there"
    if _may_ask(view, state) and not state.policy.pushes_base:
        return (
            "the thread takes it in and verifies, but somebody confirmed another commit than that gives: look at "
            "its changes, and publish again"
        )
    if _is_asked(view, state):
        return (
            "the thread was asked to take it in and has not: `treadle show` tells why; resolve that, and publish "
            "again"
        )
    return "take it in with `treadle update-branch`, resolve what conflicts, and publish again"


def _may_ask(view: PullRequestView, state: PublicationState) -> bool:
    """Tell whether the thread may take the base in: a head that somebody else pushed is a person's."""
    return state.policy.updates_base and view.head_commit in state.commits


def _is_asked(view: PullRequestView, state: PublicationState) -> bool:
    asked = state.asked_base
    return asked is not None and asked.commit == view.head_commit


def _is_thread_at_it(view: PullRequestView, state: PublicationState, now: datetime) -> bool:
    asked = state.asked_base
    if not _may_ask(view, state) or not state.policy.pushes_base:
        return False
    if asked is None or asked.commit != view.head_commit:
        return True
    return asked.is_reached and now - asked.at < PATIENCE


@PUBLICATION_RULES.requires
def ask_for_base(state: PublicationState) -> Iterator[PublicationEffect]:
    view, asked = state.view, state.asked_base
    if view is None or not state.is_watched or view.state is not PullRequestState.OPEN:
        return
    if view.mergeability not in _KINDS or not _may_ask(view, state):
        return
    what = (view.head_commit, view.base_commit)
    if asked is None or (asked.commit, asked.base_commit) != what:
        yield AskForBase(commit=view.head_commit, base_commit=view.base_commit)


@PUBLICATION_RULES.handles
def end_base_ask(command: EndBaseAsk, state: PublicationState, now: datetime) -> Decided:
    asked = state.asked_base
    if asked and (asked.commit, asked.base_commit) == (command.commit, command.base_commit):
        return Decided()
    again = asked is not None and asked.commit == command.commit
    at = asked.at if asked is not None and again else now  # patience is with the head
    return Decided((PullRequestBaseAsked(**command.model_dump(), at=at),))


@PUBLICATION_RULES.evolves
def apply_base_asked(event: PullRequestBaseAsked, state: PublicationState) -> PublicationState:
    asked = AskedBase(**event.model_dump(exclude={"kind"}))
    return state.model_copy(update={"asked_base": asked})
