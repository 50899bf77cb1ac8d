"""When the deliveries of a sender are all refused."""

from datetime import UTC, datetime, timedelta

from domain.forges.received import (
    DeliveryOutcome,
    Refusal,
    RefusedDeliveries,
    TakenDeliveries,
    refused_since,
)

NOW = datetime(2026, 11, 29, tzinfo=UTC)


def taken(
    minutes: int, sender: str = "hub", outcome: DeliveryOutcome = DeliveryOutcome.LOOKED
) -> TakenDeliveries:
    at = NOW + timedelta(minutes=minutes)
    return TakenDeliveries(sender=sender, outcome=outcome, count=1, last_at=at)


def refused(minutes: int, reason: Refusal, sender: str = "hub") -> RefusedDeliveries:
    at = NOW + timedelta(minutes=minutes)
    return RefusedDeliveries(sender=sender, reason=reason, count=1, last_at=at)


def test_a_sender_that_was_never_taken_is_named_with_its_last_reason() -> None:
    late, early = refused(2, Refusal.BAD_SIGNATURE), refused(1, Refusal.TOO_LARGE)
    assert refused_since([], [late, early]) == (late,)


def test_a_sender_that_was_taken_since_is_not() -> None:
    old = [refused(1, Refusal.BAD_SIGNATURE)]
    assert refused_since([taken(0), taken(2, outcome=DeliveryOutcome.IGNORED)], old) == ()
    assert refused_since([taken(1)], old) == (), "both were counted at once"


def test_one_sender_says_nothing_of_another_and_strangers_are_none() -> None:
    other = refused(1, Refusal.OUT_OF_TIME, "other")
    stranger = refused(3, Refusal.UNKNOWN_SENDER, "")
    assert refused_since([taken(2)], [other, stranger]) == (other,)
