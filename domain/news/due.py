"""What of the news is due for one channel: a function of what waits, of what was recorded, and of the time."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from domain.news.channel import Channel
from domain.news.delivery import Delivery, DeliveryKind, DeliveryState
from domain.news.quiet import day_of_digest, quiet_until
from domain.reading.inbox.item import InboxItem
from domain.reading.inbox.snoozes import version_of

KEPT = timedelta(days=30)
"""How long the record of what waits no more is kept."""

_DIGEST = "digest-"


@dataclass(frozen=True)
class Due:
    """What has to be noted, and then what has to be sent."""

    new: tuple[Delivery, ...] = ()
    withdrawn: tuple[Delivery, ...] = ()
    forgotten: tuple[Delivery, ...] = ()
    """Records that are not needed any more."""
    sends: tuple[Delivery, ...] = ()


def key_of(item: InboxItem, woken_at: datetime | None = None) -> str:
    """Return what news of an item are recorded under; after a snooze they are news again."""
    again = f"~{woken_at.isoformat()}" if woken_at else ""
    return f"{item.item_id}{again}@{version_of(item)}"


def due(
    channel: Channel,
    items: Sequence[InboxItem],
    known: Mapping[str, Delivery],
    now: datetime,
    snoozed: Mapping[str, datetime] | None = None,
) -> Due:
    """Return what is due; `items` wait for the people of the channel, `known` is its record by key.

    `snoozed` has until when items are, or were, snoozed. Whoever notes `new` before it sends anything may be
    killed at any time: the next call goes on from the record, so that nothing is sent twice and nothing is lost.
    """
    taken = [item for item in items if channel.takes(item)]
    hidden = {name for name, until in (snoozed or {}).items() if until > now}
    woken = {name: until for name, until in (snoozed or {}).items() if until <= now}
    current = {key_of(item, woken.get(item.item_id)): item for item in taken}
    shown = [item for item in taken if item.item_id not in hidden]
    new = tuple(_new(channel, shown, current, known, now))
    gone = [each for each in known.values() if _is_gone(each, current)]
    waiting = DeliveryState.WAITING
    withdrawn = [each for each in gone if each.state is waiting]
    newest = max((key for key in known if key.startswith(_DIGEST)), default="")
    return Due(
        new=new,
        withdrawn=tuple(each.settled(DeliveryState.WITHDRAWN) for each in withdrawn),
        forgotten=tuple(each for each in gone if _is_over(each, now) and each.key != newest),
        sends=tuple(
            each
            for each in (*known.values(), *new)
            if each.state is waiting and each not in withdrawn
            if _is_time(channel, each, hidden, now)
        ),
    )


def _new(
    channel: Channel,
    shown: Sequence[InboxItem],
    current: Mapping[str, InboxItem],
    known: Mapping[str, Delivery],
    now: datetime,
) -> Iterator[Delivery]:
    if channel.digest:
        key = f"{_DIGEST}{day_of_digest(channel.digest, channel.zone, now)}"
        if key not in known:
            made = delivery_of(channel.name, key, now, kind=DeliveryKind.DIGEST)
            is_first = not any(name.startswith(_DIGEST) for name in known)
            nothing = made.settled(DeliveryState.WITHDRAWN)
            yield nothing if is_first or not shown else made
        return
    for key, item in current.items():
        if key not in known:
            yield delivery_of(channel.name, key, now, item_id=item.item_id)


def delivery_of(
    channel: str,
    key: str,
    now: datetime,
    *,
    item_id: str = "",
    kind: DeliveryKind = DeliveryKind.ITEM,
) -> Delivery:
    """Return the record of a new message; its id follows from the channel, the key and the time."""
    digest = sha256(f"{channel}\n{key}\n{now.isoformat()}".encode()).hexdigest()
    return Delivery(
        delivery_id=f"msg_{digest[:32]}",
        channel=channel,
        key=key,
        item_id=item_id,
        kind=kind,
        made_at=now,
        due_at=now,
    )


def _is_gone(delivery: Delivery, current: Mapping[str, InboxItem]) -> bool:
    if delivery.kind is not DeliveryKind.ITEM:
        return delivery.state.is_settled
    return delivery.key not in current


def _is_over(delivery: Delivery, now: datetime) -> bool:
    if not delivery.state.is_settled:
        return False
    is_recurring = delivery.kind is DeliveryKind.ITEM and delivery.key.endswith("@")
    return is_recurring or delivery.made_at < now - KEPT


def _is_time(channel: Channel, delivery: Delivery, hidden: set[str], now: datetime) -> bool:
    if delivery.due_at > now or delivery.item_id in hidden:
        return False
    is_asked_for = delivery.kind is DeliveryKind.TEST
    return is_asked_for or quiet_until(channel.quiet, channel.zone, now) is None
