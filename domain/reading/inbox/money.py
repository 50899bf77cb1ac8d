"""What of money waits for a person: limits that are reached."""

from collections.abc import Mapping, Sequence

from domain.agents.limits.money import Limited, SpentLimit
from domain.core.amounts import dollars
from domain.core.ids import ThreadId, thread_of
from domain.core.text import counted
from domain.money.inputs import MONEY
from domain.reading.inbox import times
from domain.reading.inbox.item import InboxItem, InboxKind, line
from domain.reading.money import AskedLimit, MoneyFold

NAMED = 5
"""Threads that an item names."""


def money_items(
    fold: MoneyFold,
    month: str,
    held: Mapping[str, Sequence[str]],
    projects: Mapping[str, str],
) -> tuple[InboxItem, ...]:
    """Return one item for each question at a limit, and for each of this month that is near.

    `held` are the threads whose turns wait, by the keys of limits; `projects` are the repositories of threads.
    """
    near = (each for each in fold.near(month) if each.scope.is_monthly)
    return (
        *(_item(each, held.get(each.request.scope.key, ()), projects) for each in fold.asked()),
        *(_near(each, fold) for each in near),
    )


def _near(near: SpentLimit, fold: MoneyFold) -> InboxItem:
    scope = near.scope
    return InboxItem(
        item_id=f"{MONEY}#{InboxKind.LIMIT_NEAR}:{scope.key}",
        kind=InboxKind.LIMIT_NEAR,
        workflow_id=MONEY,
        project=scope.name if scope.kind is Limited.PROJECT else "",
        title=line(scope.words),
        subject=line(f"{dollars(near.spent)} of {dollars(near.limit)} spent for {scope.words}"),
        since=times.first(fold.since.get(scope.key), times.BEGINNING),
        reason="At the limit, new turns wait until you decide.",
    )


def threads_asked(fold: MoneyFold) -> tuple[ThreadId, ...]:
    """Return the threads of which limits are asked."""
    return tuple(dict.fromkeys(filter(None, map(_thread_of, fold.asked()))))


def _thread_of(asked: AskedLimit) -> ThreadId | None:
    scope = asked.request.scope
    return None if scope.is_monthly else ThreadId(thread_of(scope.name))


def _item(asked: AskedLimit, held: Sequence[str], projects: Mapping[str, str]) -> InboxItem:
    request = asked.request
    scope = request.scope
    thread = _thread_of(asked)
    whole = scope.name if scope.kind is Limited.PROJECT else ""
    return InboxItem(
        item_id=f"{MONEY}#{InboxKind.LIMIT}:{request.request_id}",
        kind=InboxKind.LIMIT,
        thread_id=thread,
        workflow_id=MONEY,
        project=projects.get(thread, "") if thread else whole,
        title=line(scope.words),
        subject=line(asked.words),
        since=times.first(asked.since, times.BEGINNING),
        limit=asked,
        held_threads=tuple(map(ThreadId, held)) if thread is None else (),
        reason=line(f"{_who_waits(held, thread)}. Raise the limit or stop them."),
    )


def _who_waits(held: Sequence[str], thread: ThreadId | None) -> str:
    if thread is not None or not held:
        return "Turns wait"
    more = f" and {len(held) - NAMED} more" if len(held) > NAMED else ""
    return f"Turns of {counted(len(held), 'thread')} wait: {', '.join(held[:NAMED])}{more}"
