"""Rules of reworks: by a person's command, or by the policy for the authors that it names; one at a time."""

from collections.abc import Iterator

from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import NotFoundError, WrongStateError
from domain.core.event import EventBody
from domain.forges.policy import Response
from domain.forges.pull_requests import PullRequestState
from domain.publications.commands import (
    EndAnswer,
    EndReworkAsk,
    NoteRework,
    ReworkPullRequestItem,
)
from domain.publications.effects import AnswerComment, AskForRework, PublicationEffect
from domain.publications.events import (
    PullRequestCommentAnswered,
    PullRequestItemClosed,
    PullRequestItemOpened,
    PullRequestReworkAsked,
    PullRequestReworkEnded,
    PullRequestReworkPushed,
    PullRequestReworkSent,
)
from domain.publications.items import Item, ItemKind, Outcome, item_id
from domain.publications.registry import PUBLICATION_RULES
from domain.publications.reworks import REWORKABLE, Rework, ReworkCount, ReworkStage
from domain.publications.state import PublicationState

POLICY = "the policy"
_SHORT = 12
_KEPT = 500
_MAX_REASON = 500
_UNCHANGED = "it changed nothing"


@PUBLICATION_RULES.handles
def rework_item(command: ReworkPullRequestItem, state: PublicationState) -> Decided:
    item, running = state.items.get(command.item_id), state.rework
    if running is not None and running.item.item_id == command.item_id:
        return Decided(answer=Answer(message="being reworked"))
    if item is None:
        known = ", ".join(state.items) or "none"
        raise NotFoundError(f"no open item {command.item_id[:80]!r}; open here: {known}")
    if item.kind not in REWORKABLE:
        raise WrongStateError(f"{item.item_id} is nothing that a change of the work resolves")
    if running is not None:
        raise WrongStateError(f"{running.item.item_id} is being reworked: wait until it is pushed")
    if not state.is_watched or state.is_ended:
        raise WrongStateError("it is not watched: watch it first")
    return Decided(tuple(_asked(item, command.by, state)), Answer(message="being reworked"))


def _asked(
    item: Item, by: str, state: PublicationState, *, is_by_policy: bool = False
) -> Iterator[EventBody]:
    yield PullRequestItemClosed(
        item_id=item.item_id, subject=item.subject, outcome=Outcome.REWORKED, by=by
    )
    yield PullRequestReworkAsked(
        number=state.reworks.number + 1, item=item, by=by, is_by_policy=is_by_policy
    )


@PUBLICATION_RULES.reacts
def rework_by_policy(state: PublicationState) -> Iterator[EventBody]:
    """Ask for a rework of one item that the policy names, as long as the bound is not reached.

    Only what the thread pushed last is reworked: a check that fails on another's commit is a person's.
    """
    view, policy, count = state.view, state.policy, state.reworks
    if view is None or state.rework is not None or not state.is_watched:
        return
    is_ours = bool(state.commit) and view.head_commit == state.commit
    is_open = view.state is PullRequestState.OPEN and not state.is_ended
    if not (is_ours and is_open) or count.by_policy >= policy.max_reworks:
        return
    found = (item for item in state.items.values() if _is_named(item, state))
    if (item := next(found, None)) is not None:
        yield from _asked(item, POLICY, state, is_by_policy=True)


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


@PUBLICATION_RULES.handles
def end_rework_ask(command: EndReworkAsk, state: PublicationState) -> Decided:
    running = _current(command.number, state)
    if running is None or running.stage is not ReworkStage.ASKING:
        return Decided()
    if command.failure:
        return Decided(tuple(_failed(running, command.failure)))
    return Decided((PullRequestReworkSent(number=command.number),))


@PUBLICATION_RULES.handles
def note_rework(command: NoteRework, state: PublicationState) -> Decided:
    running = _current(command.number, state)
    if running is None or running.stage not in {ReworkStage.ASKING, ReworkStage.RUNNING}:
        return Decided()
    if not command.is_done:
        return Decided(tuple(_failed(running, command.reason)))
    ended = PullRequestReworkEnded(number=command.number, is_done=True)
    if command.is_published:
        return Decided((ended,))
    item = Item(
        item_id=item_id(ItemKind.UNPUBLISHED, str(command.number)),
        kind=ItemKind.UNPUBLISHED,
        subject=f"A rework is done and not pushed: {running.item.subject}"[:200],
        advice="look at what changed on the thread's branch and publish again",
        url=state.url,
    )
    return Decided((ended, PullRequestItemOpened(item=item)))


def _failed(running: Rework, reason: str) -> Iterator[EventBody]:
    yield PullRequestReworkEnded(number=running.number, reason=reason[:_MAX_REASON])
    yield PullRequestItemOpened(item=running.item)


def pushed(number: int, commit: str, state: PublicationState) -> Iterator[EventBody]:
    """Yield what follows when the thread has pushed after a rework of this number."""
    running = _current(number, state)
    if running is None or running.stage is ReworkStage.ANSWERING:
        return
    for item in state.items.values():
        if item.kind is ItemKind.UNPUBLISHED:
            yield PullRequestItemClosed(
                item_id=item.item_id, subject=item.subject, outcome=Outcome.SETTLED
            )
    if commit == running.commit:
        yield from _failed(running, _UNCHANGED)
    else:
        yield PullRequestReworkPushed(number=number, commit=commit)


def _current(number: int, state: PublicationState) -> Rework | None:
    running = state.rework
    return running if running is not None and running.number == number else None


@PUBLICATION_RULES.handles
def end_answer(command: EndAnswer, state: PublicationState) -> Decided:
    running = _current(command.number, state)
    if running is None or running.stage is not ReworkStage.ANSWERING:
        return Decided()
    answered = PullRequestCommentAnswered(number=command.number, failure=command.failure[:500])
    if not command.failure:
        return Decided((answered,))
    return Decided((answered, PullRequestItemOpened(item=running.item)))


@PUBLICATION_RULES.requires
def ask_and_answer(state: PublicationState) -> Iterator[PublicationEffect]:
    running = state.rework
    if running is None or state.is_closed:
        return
    if running.stage is ReworkStage.ASKING:
        yield AskForRework(number=running.number)
    if running.stage is ReworkStage.ANSWERING:
        yield AnswerComment(
            number=running.number,
            thread=running.item.thread,
            text=f"The work was changed because of this comment and verified: {running.commit}",
        )


# --- what the events change


def _with(state: PublicationState, **changes: object) -> PublicationState:
    running = state.rework
    if running is None:
        return state
    return state.model_copy(update={"rework": running.model_copy(update=changes)})


@PUBLICATION_RULES.evolves
def apply_rework_asked(event: PullRequestReworkAsked, state: PublicationState) -> PublicationState:
    count = ReworkCount(
        number=event.number,
        by_policy=state.reworks.by_policy + event.is_by_policy,
        items=(*state.reworks.items, event.item.item_id)[-_KEPT:],
    )
    running = Rework(
        number=event.number,
        item=event.item,
        by=event.by,
        is_by_policy=event.is_by_policy,
        commit=state.commit,
    )
    return state.model_copy(update={"rework": running, "reworks": count})


@PUBLICATION_RULES.evolves
def apply_rework_sent(event: PullRequestReworkSent, state: PublicationState) -> PublicationState:
    del event
    return _with(state, stage=ReworkStage.RUNNING)


@PUBLICATION_RULES.evolves
def apply_rework_ended(event: PullRequestReworkEnded, state: PublicationState) -> PublicationState:
    if event.is_done:
        return _with(state, stage=ReworkStage.DONE)
    return state.model_copy(update={"rework": None})


@PUBLICATION_RULES.evolves
def apply_rework_pushed(
    event: PullRequestReworkPushed, state: PublicationState
) -> PublicationState:
    running = state.rework
    if running is None or not running.item.thread:
        return state.model_copy(update={"rework": None})
    return _with(state, stage=ReworkStage.ANSWERING, commit=event.commit)


@PUBLICATION_RULES.evolves
def apply_answered(event: PullRequestCommentAnswered, state: PublicationState) -> PublicationState:
    del event
    return state.model_copy(update={"rework": None})
