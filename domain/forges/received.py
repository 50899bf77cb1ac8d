"""Deliveries of webhooks as they are kept: who sent what when, and what came of it. Never a payload."""

from datetime import datetime
from enum import StrEnum

from domain.core.wire import Wire


class Outcome(StrEnum):
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
    outcome: Outcome
    about: str = ""
    at: datetime


class RefusedDeliveries(Wire):
    """How many deliveries were refused for one reason, and when the last one was."""

    sender: str
    reason: Refusal
    count: int
    last_at: datetime
