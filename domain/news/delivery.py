"""The record of one message to one channel: it is waiting, under way, or settled.

It holds neither text nor title: those are of the moment at which it is sent.
"""

from datetime import datetime, timedelta
from enum import StrEnum

from domain.core.wire import Wire

WAITS = tuple(
    timedelta(seconds=seconds) for seconds in (10, 30, 60, 300, 900, 1800, 3600, 7200, 14_400)
)
"""How long after each failure the next try is; the last one repeats."""

GIVEN_UP_AFTER = timedelta(days=1)
MAX_REASON = 300

_UNKNOWN = "it is not known whether it arrived"


class DeliveryKind(StrEnum):
    """What a message is about."""

    ITEM = "item"
    DIGEST = "digest"
    TEST = "test"


class DeliveryState(StrEnum):
    """How far a message has come."""

    WAITING = "waiting"
    SENDING = "sending"
    SENT = "sent"
    WITHDRAWN = "withdrawn"
    """Nothing waits any more."""
    GIVEN_UP = "given_up"

    @property
    def is_settled(self) -> bool:
        """Whether nothing is done about it any more."""
        return self not in {DeliveryState.WAITING, DeliveryState.SENDING}


class Delivery(Wire):
    """One message to one channel; a channel has one of each `key`.

    `doubts` counts tries that may have arrived although nobody knows it: whoever made them was killed, or the
    receiver did not answer in time.
    """

    delivery_id: str
    channel: str
    key: str
    item_id: str = ""
    kind: DeliveryKind = DeliveryKind.ITEM
    state: DeliveryState = DeliveryState.WAITING
    attempts: int = 0
    doubts: int = 0
    made_at: datetime
    due_at: datetime
    tried_at: datetime | None = None
    holder: str = ""
    reason: str = ""

    def claimed(self, holder: str, now: datetime) -> "Delivery":
        """Return it as it is noted before it is sent."""
        return self.model_copy(
            update={
                "state": DeliveryState.SENDING,
                "attempts": self.attempts + 1,
                "tried_at": now,
                "holder": holder,
            }
        )

    def settled(self, state: DeliveryState, reason: str = "") -> "Delivery":
        """Return it with its end."""
        return self.model_copy(update={"state": state, "reason": reason[:MAX_REASON]})

    def failed(self, reason: str, now: datetime, *, is_final: bool = False) -> "Delivery":
        """Return it after a try that failed: it waits longer each time, and is given up after a day.

        A test is tried once.
        """
        waits = WAITS[min(self.attempts, len(WAITS)) - 1]
        over = now + waits > self.made_at + GIVEN_UP_AFTER and self.attempts > len(WAITS) - 1
        if is_final or over or self.kind is DeliveryKind.TEST:
            return self.settled(DeliveryState.GIVEN_UP, reason)
        return self.model_copy(
            update={
                "state": DeliveryState.WAITING,
                "due_at": now + waits,
                "reason": reason[:MAX_REASON],
            }
        )

    def doubted(self, reason: str, now: datetime) -> "Delivery":
        """Return it after a try to which a receiver that knows no ids did not answer in time: one more is made at most."""
        if self.doubts:
            return self.settled(DeliveryState.SENT, _UNKNOWN)
        failed = self.failed(reason, now)
        return failed.model_copy(update={"doubts": self.doubts + 1})

    def recovered(self, now: datetime, *, is_idempotent: bool) -> "Delivery":
        """Return it after whoever sent it was killed: nobody knows whether it arrived.

        A receiver that knows messages by their ids gets it again. Another one may see it twice, so it is
        tried once more at most.
        """
        if not is_idempotent and self.doubts:
            return self.settled(DeliveryState.SENT, _UNKNOWN)
        back = {"state": DeliveryState.WAITING, "due_at": now, "doubts": self.doubts + 1}
        return self.model_copy(update=back)
