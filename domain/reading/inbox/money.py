"""What of money waits for a person: limits that are reached."""

from domain.agents.limits.money import Limited, SpentLimit
from domain.core.amounts import dollars
from domain.core.ids import ThreadId, thread_of
from domain.money.inputs import MONEY
from domain.reading.inbox import times
from domain.reading.inbox.item import InboxItem, InboxKind, line
from domain.reading.money import AskedLimit, MoneyFold

_MONTHLY = frozenset({Limited.PROJECT, Limited.MONTH})


def money_items(fold: MoneyFold, month: str) -> tuple[InboxItem, ...]:
    """Return one item for each question at a limit, and for each of this month that is near."""
    near = (
        each
        for key, each in fold.state.near.items()
        if key not in fold.state.asked and each.scope.kind in _MONTHLY
    )
    return (
        *map(_item, fold.asked()),
        *(_near(each, fold) for each in near if month in {each.scope.month, each.scope.name}),
    )


def _near(near: SpentLimit, fold: MoneyFold) -> InboxItem:
    scope = near.scope
    return InboxItem(
        item_id=f"{MONEY}#{InboxKind.LIMIT_NEAR}:{scope.key}",
        kind=InboxKind.LIMIT_NEAR,
        workflow_id=MONEY,
        project=scope.name if scope.kind is Limited.PROJECT else "",
        title=line(scope.words),
        subject=line(f"{dollars(near.spent)} of {dollars(near.limit)} are spent for {scope.words}"),
        since=times.first(fold.since.get(scope.key), times.BEGINNING),
        reason="At the limit, the next turn waits and you are asked.",
    )


def _item(asked: AskedLimit) -> InboxItem:
    request = asked.request
    scope = request.scope
    is_of_thread = scope.kind in {Limited.TASK, Limited.THREAD}
    return InboxItem(
        item_id=f"{MONEY}#{InboxKind.LIMIT}:{request.request_id}",
        kind=InboxKind.LIMIT,
        thread_id=ThreadId(thread_of(scope.name)) if is_of_thread else None,
        workflow_id=MONEY,
        project=scope.name if scope.kind is Limited.PROJECT else "",
        title=line(scope.words),
        subject=line(asked.words),
        since=times.first(asked.since, times.BEGINNING),
        limit=asked,
        reason="Turns wait. Raise the limit, or stop them.",
    )
