"""Snoozes: a person wants to see no more of an item until a time, or until it asks something else."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from hashlib import sha256

from domain.core.wire import Wire
from domain.reading.inbox.item import InboxItem, InboxKind

LONGEST = timedelta(days=366)

_RECURRING = frozenset({InboxKind.CONCERN, InboxKind.HOST_SILENT, InboxKind.LIMIT_NEAR})
"""Kinds that go and come back by themselves, under the same id."""

_NAMED = frozenset({InboxKind.QUESTION, InboxKind.FLOW_QUESTION})
"""Kinds whose ids are never used again."""


class Snooze(Wire):
    """Until when one person sees no more of an item, as long as that asks the same."""

    person: str
    item_id: str
    version: str
    until: datetime


def version_of(item: InboxItem) -> str:
    """Return what changes when an item asks something else under the same id; empty for what comes and goes."""
    if item.kind in _RECURRING:
        return ""
    if item.requests:
        asked = sorted(f"{each.request_id} {each.content_hash}" for each in item.requests)
        return sha256("\n".join(asked).encode()).hexdigest()[:16]
    return "1" if item.kind in _NAMED else item.since.isoformat()


def with_snoozes(
    items: Iterable[InboxItem], snoozes: Sequence[Snooze], now: datetime
) -> tuple[InboxItem, ...]:
    """Return items as they are for a person with these snoozes: what is snoozed is not theirs for now."""
    asleep = {(each.item_id, each.version): each.until for each in snoozes if each.until > now}
    return tuple(_with_snooze(item, asleep.get((item.item_id, version_of(item)))) for item in items)


def _with_snooze(item: InboxItem, until: datetime | None) -> InboxItem:
    if until is None:
        return item
    return item.model_copy(update={"snoozed_until": until, "is_mine": False})
