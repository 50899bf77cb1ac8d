"""The tables of webhooks' deliveries, on SQLite and PostgreSQL alike: each once, bounded, and counted."""

from datetime import UTC, datetime, timedelta

import pytest

from adapters.journal import open_journal, webhook_deliveries
from domain.forges.received import Delivery, DeliveryOutcome, Refusal

NOW = datetime(2030, 5, 17, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


@pytest.fixture
async def kept(url):
    async with open_journal(url) as journal:
        yield journal.webhook_deliveries


def delivery(number: int, sender: str = "hub", minutes: int = 0) -> Delivery:
    at = NOW + timedelta(minutes=minutes)
    return Delivery(sender=sender, delivery_id=f"d{number}", outcome=DeliveryOutcome.LOOKED, at=at)


async def test_a_delivery_is_known_by_its_id_and_by_its_body_to_its_sender_alone(kept):
    await kept.add(delivery(1), "body", HOUR)
    await kept.add(delivery(1), "body", HOUR)

    assert await kept.newest() == (delivery(1),)
    assert await kept.is_known("hub", "d1", "another")
    assert await kept.is_known("hub", "d2", "body")
    assert not await kept.is_known("hub", "d2", "")
    assert not await kept.is_known("lab", "d1", "body")


async def test_deliveries_are_forgotten_after_their_time(kept):
    await kept.add(delivery(1), "", HOUR)
    await kept.add(delivery(2, "lab"), "", HOUR)
    await kept.add(delivery(3, minutes=61), "", HOUR)

    assert {each.delivery_id for each in await kept.newest()} == {"d2", "d3"}


async def test_no_sender_fills_the_journal(kept, monkeypatch):
    monkeypatch.setattr(webhook_deliveries, "MOST", 3)
    for number in range(6):
        await kept.add(delivery(number, minutes=number), "", HOUR)

    assert [each.delivery_id for each in await kept.newest()] == ["d5", "d4", "d3"]


async def test_what_was_taken_and_refused_is_counted_apart(kept):
    later = NOW + HOUR
    await kept.count({("hub", DeliveryOutcome.LOOKED): 2, ("", Refusal.UNKNOWN_SENDER): 5}, NOW)
    await kept.count({("hub", DeliveryOutcome.LOOKED): 1, ("hub", Refusal.BAD_BODY): 1}, later)

    [taken] = await kept.taken()
    assert (taken.outcome, taken.count, taken.last_at) == (DeliveryOutcome.LOOKED, 3, later)
    refused = [(one.sender, one.reason, one.count) for one in await kept.refused()]
    assert refused == [("", Refusal.UNKNOWN_SENDER, 5), ("hub", Refusal.BAD_BODY, 1)]
