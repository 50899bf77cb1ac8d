"""Many messages at one time, as after quiet hours or for a new browser, become one with all that waits."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from domain.news.channel import Channel
from domain.news.delivery import Delivery, DeliveryKind, DeliveryState
from domain.news.due import delivery_of

MOST = 5
"""Messages about single items that a channel sends at one time."""

TOLD = "told in one message with others"


class Burst(NamedTuple):
    """A summary, and the messages whose place it takes; both are noted at once, so that nothing is told twice."""

    summary: Delivery
    told: tuple[Delivery, ...]


def burst_of(channel: Channel, sends: Sequence[Delivery], now: datetime) -> Burst | None:
    """Return the summary of what is due; None where it is little. What was tried before stays a message of its own."""
    new = [each for each in sends if each.kind is DeliveryKind.ITEM and each.attempts == 0]
    if len(new) <= MOST:
        return None
    summary = delivery_of(channel.name, f"burst-{now.isoformat()}", now, kind=DeliveryKind.DIGEST)
    return Burst(summary, tuple(new))


def told(delivery: Delivery) -> Delivery:
    """Return a message as it is once a summary has taken its place."""
    return delivery.settled(DeliveryState.WITHDRAWN, TOLD)
