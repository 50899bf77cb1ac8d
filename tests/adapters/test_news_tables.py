"""The tables of news, snoozes and browsers, on SQLite and PostgreSQL alike."""

from datetime import UTC, datetime, timedelta

import pytest

from adapters.journal import open_journal
from domain.news.burst import burst_of, told
from domain.news.channel import Channel, ChannelKind
from domain.news.delivery import DeliveryState
from domain.news.due import delivery_of
from domain.news.push import PushRules, PushSubscription
from domain.reading.inbox.snoozes import Snooze

NOW = datetime(2030, 5, 17, 12, tzinfo=UTC)


@pytest.fixture
async def journal(url):
    async with open_journal(url) as journal:
        yield journal


async def test_one_worker_leads_until_it_leaves_or_falls_silent(journal):
    log = journal.news
    assert await log.lead("one", NOW, 90)
    assert not await log.lead("two", NOW + timedelta(seconds=89), 90)
    assert await log.lead("two", NOW + timedelta(seconds=91), 90)
    await log.leave("two")
    assert await log.lead("one", NOW + timedelta(seconds=92), 90)


async def test_a_message_is_noted_claimed_and_settled_once(journal):
    log = journal.news
    made = delivery_of("hook", "thread-a@", NOW, item_id="thread-a")
    await log.add([made, made])
    await log.add([delivery_of("hook", "thread-a@", NOW + timedelta(seconds=1))])
    assert await log.of("hook") == {"thread-a@": made}

    claimed = made.claimed("one", NOW)
    assert not await log.claim(made, claimed, NOW), "who does not lead sends nothing"
    await log.lead("one", NOW, 90)
    assert await log.claim(made, claimed, NOW)
    assert not await log.claim(made, claimed, NOW)
    assert await log.note(claimed, claimed.settled(DeliveryState.SENT))
    assert not await log.note(claimed, claimed.settled(DeliveryState.GIVEN_UP))
    assert (await log.one(made.delivery_id)).state is DeliveryState.SENT
    await log.forget_channel("hook")
    assert await log.of("hook") == {}


async def test_a_summary_takes_the_place_of_many_at_once(journal):
    many = [delivery_of("hook", f"thread-{n}@", NOW, item_id=f"thread-{n}") for n in range(8)]
    await journal.news.add(many)
    burst = burst_of(Channel(name="hook", kind=ChannelKind.WEBHOOK), many, NOW)
    await journal.news.gather(burst.summary, burst.told, [told(each) for each in burst.told])
    states = [each.state for each in (await journal.news.of("hook")).values()]
    assert sorted(states) == [DeliveryState.WAITING, *[DeliveryState.WITHDRAWN] * 8]


async def test_a_snooze_is_put_in_place_of_the_earlier_one_and_ended(journal):
    snoozes = journal.people.snoozes
    later = datetime.now(UTC) + timedelta(days=2)
    for version in ("v1", "v2"):
        await snoozes.put(Snooze(person="ada", item_id="i", version=version, until=later))
    await snoozes.put(Snooze(person="ben", item_id="i", version="v1", until=later))
    assert [each.version for each in await snoozes.of("ada")] == ["v2"]
    assert len(await snoozes.of()) == 2
    assert await snoozes.end("ada", "i")
    assert not await snoozes.end("ada", "i")


async def test_a_browser_is_kept_with_its_rules(journal):
    made = PushSubscription(
        subscription_id="b1",
        person="ada",
        browser="Firefox on Linux",
        endpoint="https://fcm.googleapis.com/x",
        p256dh="B" * 87,
        auth="a" * 22,
        made_at=NOW,
        rules=PushRules(quiet="22:00-07:00", kinds=("gate",)),
    )
    await journal.people.pushes.put(made)
    await journal.people.pushes.put(made)
    assert await journal.people.pushes.every() == [made]
    assert await journal.people.pushes.end("b1")
