"""Deliveries of webhooks as they are kept: who sent what when, and what came of it. Never a payload."""

from collections.abc import Iterable
from datetime import UTC, datetime
from enum import StrEnum

from domain.core.wire import Wire


class DeliveryOutcome(StrEnum):
    """What came of a delivery that was signed."""

    LOOKED = "looked"
    STARTED = "started"
    IGNORED = "ignored"
    DUPLICATE = "duplicate"


class Refusal(StrEnum):
    """Why a delivery was refused."""

    UNKNOWN_SENDER = "unknown_sender"
    BAD_SIGNATURE = "bad_signature"
    OUT_OF_TIME = "out_of_time"
    NO_DELIVERY_ID = "no_delivery_id"
    BAD_BODY = "bad_body"
    TOO_LARGE = "too_large"
    TOO_SLOW = "too_slow"
    TOO_MANY = "too_many"
    NOT_STARTED = "not_started"


class Delivery(Wire):
    """One delivery of a sender; `about` is what it makes us look at, or what it started."""

    sender: str
    delivery_id: str
    event: str = ""
    outcome: DeliveryOutcome
    about: str = ""
    at: datetime


class TakenDeliveries(Wire):
    """How many deliveries of one sender had one outcome, and when the last one came."""

    sender: str
    outcome: DeliveryOutcome
    count: int
    last_at: datetime


class RefusedDeliveries(Wire):
    """How many deliveries were refused for one reason, and when the last one was."""

    sender: str
    reason: Refusal
    count: int
    last_at: datetime


def refused_since(
    taken: Iterable[TakenDeliveries], refused: Iterable[RefusedDeliveries]
) -> tuple[RefusedDeliveries, ...]:
    """Return of each sender why its last delivery was refused, if none was taken after it.

    Its secret may be wrong then, or somebody else tries to be this sender.
    """
    last_taken: dict[str, datetime] = {}
    for each in taken:
        last_taken[each.sender] = max(each.last_at, last_taken.get(each.sender, each.last_at))
    newest: dict[str, RefusedDeliveries] = {}
    for one in sorted(refused, key=lambda each: each.last_at):
        if one.sender and one.last_at > last_taken.get(
            one.sender, datetime.min.replace(tzinfo=UTC)
        ):
            newest[one.sender] = one
    return tuple(newest.values())
