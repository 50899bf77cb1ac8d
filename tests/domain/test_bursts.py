"""Many messages at one time become one."""

from datetime import UTC, datetime

from domain.news.burst import MOST, burst_of, told
from domain.news.channel import Channel, ChannelKind
from domain.news.delivery import DeliveryKind, DeliveryState
from domain.news.due import delivery_of

NOW = datetime(2030, 5, 18, 7, tzinfo=UTC)
HOOK = Channel(name="hook", kind=ChannelKind.WEBHOOK)


def waiting(count):
    return [delivery_of("hook", f"thread-{n}@", NOW, item_id=f"thread-{n}") for n in range(count)]


def test_a_few_stay_messages_of_their_own():
    assert burst_of(HOOK, waiting(MOST), NOW) is None


def test_many_become_one_summary_and_are_told_by_it():
    many = waiting(MOST + 1)
    burst = burst_of(HOOK, many, NOW)
    assert burst is not None
    assert burst.summary.kind is DeliveryKind.DIGEST
    assert burst.told == tuple(many)
    assert {told(each).state for each in burst.told} == {DeliveryState.WITHDRAWN}


def test_one_that_was_tried_or_is_asked_for_is_sent_as_it_is():
    tried = waiting(1)[0].model_copy(update={"attempts": 1, "key": "tried@"})
    test = delivery_of("hook", "test-1", NOW, kind=DeliveryKind.TEST)
    burst = burst_of(HOOK, [tried, test, *waiting(MOST + 1)], NOW)
    assert burst is not None
    assert tried not in burst.told
    assert test not in burst.told
    assert burst_of(HOOK, [tried, test, *waiting(MOST)], NOW) is None
