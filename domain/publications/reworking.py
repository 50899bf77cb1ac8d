"""Rules of reworks: one at a time, asked for by a person's command or by the policy (rework_policy.py)."""

from collections.abc import Iterator
from datetime import datetime

from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import NotFoundError, WrongStateError
from domain.core.event import EventBody
from domain.publications.commands import (
    EndAnswer,
    EndReworkAsk,
    NotePush,
    NoteRework,
    ReworkPullRequestItem,
)
from domain.publications.effects import AnswerComment, AskForRework, PublicationEffect
from domain.publications.events import (
    PullRequestCommentAnswered,
    PullRequestEnded,
    PullRequestItemClosed,
    PullRequestItemOpened,
    PullRequestReworkAsked,
    PullRequestReworkEnded,
    PullRequestReworkPushed,
    PullRequestReworkSent,
)
from domain.publications.items import Item, ItemKind, ItemOutcome, item_id
from domain.publications.registry import PUBLICATION_RULES
from domain.publications.reworks import (
    PUSH_PATIENCE,
    REWORKABLE,
    UNCHANGED,
    EndedRework,
    Rework,
    ReworkStage,
)
from domain.publications.state import PublicationState

_KEPT = 500
_SHOWN = 20
_MAX_REASON = 500


@PUBLICATION_RULES.handles
def rework_item(command: ReworkPullRequestItem, state: PublicationState) -> Decided:
    item, running = state.items.get(command.item_id), state.rework
    if running is not None and running.item.item_id == command.item_id:
        return Decided(answer=Answer(message="being reworked"))
    if item is None:
        known = ", ".join(state.items) or "none"
        raise NotFoundError(f"no open item {command.item_id[:80]!r}; open here: {known}")
    if state.policy.stack_base:
        raise WrongStateError(
            "changes of a stack go on top of it: tell the thread what to change and publish again, or push to "
            "its branch yourself"
        )
    if item.kind not in REWORKABLE:
        raise WrongStateError(f"{item.item_id} is nothing that a change of the work resolves")
    if running is not None:
        raise WrongStateError(f"{running.item.item_id} is being reworked: wait until it is pushed")
    if not state.is_watched or state.is_ended:
        raise WrongStateError("it is not watched: watch it first")
    return Decided(tuple(asked(item, command.by, state)), Answer(message="being reworked"))


def asked(
    item: Item, by: str, state: PublicationState, *, is_by_policy: bool = False
) -> Iterator[EventBody]:
    """Yield that an item is to be reworked; it waits for nobody meanwhile."""
    yield PullRequestItemClosed(
        item_id=item.item_id, subject=item.subject, outcome=ItemOutcome.REWORKED, by=by
    )
    yield PullRequestReworkAsked(
        number=state.reworks.number + 1, item=item, by=by, is_by_policy=is_by_policy
    )


@PUBLICATION_RULES.handles
def end_rework_ask(command: EndReworkAsk, state: PublicationState) -> Decided:
    running = _current(command.number, state)
    if running is None or running.stage is not ReworkStage.ASKING:
        return Decided()
    if command.failure:
        return Decided(tuple(_failed(running, command.failure)))
    return Decided((PullRequestReworkSent(number=command.number),))


@PUBLICATION_RULES.handles
def note_rework(command: NoteRework, state: PublicationState, now: datetime) -> Decided:
    running = _current(command.number, state)
    if running is None or running.stage not in {ReworkStage.ASKING, ReworkStage.RUNNING}:
        return Decided()
    if not command.is_done:
        return Decided(tuple(_failed(running, command.reason, command.usd)))
    ended = PullRequestReworkEnded(number=command.number, is_done=True, usd=command.usd)
    if command.is_published:
        return Decided((ended.model_copy(update={"at": now}),))
    return Decided((ended, PullRequestItemOpened(item=_unpushed(running, state))))


def _unpushed(running: Rework, state: PublicationState) -> Item:
    return Item(
        item_id=item_id(ItemKind.UNPUBLISHED, str(running.number)),
        kind=ItemKind.UNPUBLISHED,
        subject=f"A rework is done and not pushed: {running.item.subject}"[:200],
        advice="look at what changed on the thread's branch and publish again",
        url=state.url,
    )


def _failed(running: Rework, reason: str, usd: float = 0.0) -> Iterator[EventBody]:
    yield PullRequestReworkEnded(number=running.number, reason=reason[:_MAX_REASON], usd=usd)
    yield PullRequestItemOpened(item=running.item)


def left(item: Item, by: str, state: PublicationState) -> Iterator[EventBody]:
    """Yield what follows when a person dismisses that a rework is to be pushed: its item is a card again.

    Without that the rework would wait for a push for ever, and neither the policy nor a merge would go on.
    """
    running = state.rework
    if item.kind is ItemKind.UNPUBLISHED and running and running.stage is ReworkStage.DONE:
        yield from _failed(running, f"it was not pushed: dismissed{f' by {by}' if by else ''}")


def overdue(state: PublicationState, now: datetime) -> Iterator[EventBody]:
    """Yield the card of a rework that was to be pushed without a person, and is not: its push may have failed."""
    running = state.rework
    if running is None or running.stage is not ReworkStage.DONE or running.done_at is None:
        return
    item = _unpushed(running, state)
    if now - running.done_at >= PUSH_PATIENCE and state.is_new(item.item_id):
        yield PullRequestItemOpened(item=item)


def unpushed(state: PublicationState) -> Iterator[EventBody]:
    """Yield the card of a rework that is done and not pushed, for a watch that goes on."""
    if state.rework is not None and state.rework.stage is ReworkStage.DONE:
        yield PullRequestItemOpened(item=_unpushed(state.rework, state))


def pushed(command: NotePush, state: PublicationState) -> Iterator[EventBody]:
    """Yield what follows when the thread has pushed after a rework, which the command names."""
    number, commit = command.rework, command.commit
    running = _current(number, state)
    if running is None or running.stage is ReworkStage.ANSWERING:
        return
    for item in state.items.values():
        if item.kind is ItemKind.UNPUBLISHED:
            yield PullRequestItemClosed(
                item_id=item.item_id, subject=item.subject, outcome=ItemOutcome.SETTLED
            )
    if commit == running.commit:
        yield from _failed(running, UNCHANGED, command.usd)
    else:
        yield PullRequestReworkPushed(number=number, commit=commit, usd=command.usd)


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
            text=f"The work was changed because of this comment{_as_it_was(running, state)}: "
            f"{running.commit}",
        )


def _as_it_was(running: Rework, state: PublicationState) -> str:
    """Say that the comment was edited while it was reworked, if it was."""
    edited = (item for item in state.items.values() if item.about == running.item.about)
    return ", as it was before it was edited" if any(item.is_edited for item in edited) else ""


# --- what the events change


def _with(state: PublicationState, **changes: object) -> PublicationState:
    running = state.rework
    if running is None:
        return state
    return state.model_copy(update={"rework": running.model_copy(update=changes)})


def _over(state: PublicationState, reason: str = "") -> PublicationState:
    """Return the state without the rework that was under way, which is remembered."""
    running = state.rework
    if running is None:
        return state
    ended = EndedRework(
        **running.model_dump(include={"number", "by", "is_by_policy", "usd"}),
        kind=running.item.kind,
        subject=running.item.subject,
        url=running.item.url,
        commit=running.commit if running.stage is ReworkStage.ANSWERING else "",
        reason=reason,
    )
    kept = (*state.ended_reworks, ended)[-_SHOWN:]
    return state.model_copy(update={"rework": None, "ended_reworks": kept})


def _paid(state: PublicationState, usd: float) -> PublicationState:
    """Return the state after the thread has told what all reworks have cost; it may tell it twice."""
    more = usd - state.reworks.usd
    if more <= 0 or state.rework is None:
        return state
    count = state.reworks.model_copy(update={"usd": usd})
    own = round(state.rework.usd + more, 6)
    return _with(state.model_copy(update={"reworks": count}), usd=own)


@PUBLICATION_RULES.evolves
def apply_rework_asked(event: PullRequestReworkAsked, state: PublicationState) -> PublicationState:
    known = state.reworks
    count = known.model_copy(
        update={
            "number": event.number,
            "by_policy": known.by_policy + event.is_by_policy,
            "items": (*known.items, event.item.item_id)[-_KEPT:],
        }
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
    paid = _paid(state, event.usd)
    if not event.is_done:
        return _over(paid, event.reason)
    return _with(paid, stage=ReworkStage.DONE, done_at=event.at)


@PUBLICATION_RULES.evolves
def apply_rework_pushed(
    event: PullRequestReworkPushed, state: PublicationState
) -> PublicationState:
    pushed_as = _with(_paid(state, event.usd), stage=ReworkStage.ANSWERING, commit=event.commit)
    running = pushed_as.rework
    return pushed_as if running is not None and running.item.thread else _over(pushed_as)


@PUBLICATION_RULES.evolves
def apply_answered(event: PullRequestCommentAnswered, state: PublicationState) -> PublicationState:
    return _over(state, f"the comment was not answered: {event.failure}" if event.failure else "")


@PUBLICATION_RULES.evolves
def apply_end(event: PullRequestEnded, state: PublicationState) -> PublicationState:
    return _over(state, "it was merged before" if event.is_merged else "it was closed before")
