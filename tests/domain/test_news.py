"""What of the news is due: never twice, never lost, never in quiet hours, never of what is settled."""

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.core.approvals import ApprovalRequest, Subject
from domain.news.channel import Channel, ChannelKind, Content
from domain.news.delivery import Delivery, DeliveryKind, DeliveryState
from domain.news.due import delivery_of, due, key_of
from domain.news.message import message_of
from domain.news.quiet import checked_clock, checked_quiet, checked_zone, quiet_until
from domain.reading.inbox.item import InboxItem, InboxKind

NOON = datetime(2030, 5, 17, 12, tzinfo=UTC)
HOOK = Channel(name="hook", kind=ChannelKind.WEBHOOK)
MAIL = Channel(name="mail", kind=ChannelKind.APPRISE)
PLAIN = [InboxKind.GATE, InboxKind.QUESTION, InboxKind.ESCALATION]


def item(name, kind=InboxKind.ESCALATION, since=NOON, **more):
    more = {"project": "/code/app", "title": f"Thread {name}", **more}
    return InboxItem(
        item_id=f"thread-{name}#{kind}", kind=kind, workflow_id="w", since=since, **more
    )


class KilledError(Exception):
    """The worker was killed here."""


class World:
    """A follower as it is written in adapters/news, over a record and a receiver in memory."""

    def __init__(self, channel):
        self.channel = channel
        self.now = NOON
        self.waiting: dict[str, InboxItem] = {}
        self.snoozed: dict[str, datetime] = {}
        self.record: dict[str, Delivery] = {}
        self.received: list[tuple[str, str, datetime]] = []

    def look(self, kill_at=0):
        steps = iter(range(1, 1000))

        def step():
            if next(steps) == kill_at:
                raise KilledError

        known = dict(self.record)
        for key, each in known.items():
            if each.state is DeliveryState.SENDING:
                lost = each.recovered(self.now, is_idempotent=self.channel.is_idempotent)
                known[key] = self.record[key] = lost
        found = due(self.channel, [*self.waiting.values()], known, self.now, self.snoozed)
        step()
        for each in (*found.new, *found.withdrawn):
            self.record[each.key] = each
        for each in found.forgotten:
            del self.record[each.key]
        for each in found.sends:
            step()
            claimed = self.record[each.key] = each.claimed("w", self.now)
            step()
            self.received.append((each.delivery_id, each.item_id, self.now))
            step()
            self.record[each.key] = claimed.settled(DeliveryState.SENT)


steps = st.lists(
    st.tuples(
        st.sampled_from(["arrives", "is settled", "snoozed", "time", "look"]),
        st.integers(0, 4),
        st.integers(0, 12),
    ),
    max_size=60,
)


def played(world, moves):
    for what, which, number in moves:
        name = f"{which}"
        match what:
            case "arrives":
                found = item(name, PLAIN[which % 3], world.now)
                world.waiting.setdefault(found.item_id, found)
            case "is settled":
                gone = f"thread-{name}#{PLAIN[which % 3]}"
                world.waiting.pop(gone, None)
            case "snoozed":
                named = f"thread-{name}#{PLAIN[which % 3]}"
                world.snoozed[named] = world.now + timedelta(hours=number)
            case "time":
                world.now += timedelta(minutes=37 * (number + 1))
            case _:
                before = len(world.received)
                with suppress(KilledError):
                    world.look(kill_at=number)
                for _, about, _ in world.received[before:]:
                    assert about in world.waiting
                    assert world.snoozed.get(about, world.now) <= world.now
    return world


@given(steps)
def test_a_receiver_that_knows_ids_sees_each_once_and_all_over_any_kills(moves):
    world = played(World(HOOK), moves)
    world.now += timedelta(days=20)
    world.look()
    world.look()
    seen = {(name, about) for name, about, _ in world.received}
    for waiting in world.waiting.values():
        own = [name for name, about in seen if about == waiting.item_id]
        assert own, "lost"
        key = key_of(waiting, world.snoozed.get(waiting.item_id))
        assert world.record[key].state is DeliveryState.SENT
    assert len({name for name, _ in seen}) == len(seen)


@given(steps)
def test_a_receiver_that_knows_no_ids_sees_each_twice_at_most_and_once_without_a_kill(moves):
    world = played(World(MAIL), moves)
    times = [name for name, _, _ in world.received]
    assert all(times.count(name) <= 2 for name in times)
    calm = played(World(MAIL), [(what, which, 0) for what, which, _ in moves])
    times = [name for name, _, _ in calm.received]
    assert len(times) == len({*times})


@given(
    steps,
    st.sampled_from(["22:00-07:00", "09:00-17:30", "00:00-23:59"]),
    st.sampled_from(["", "Europe/Berlin", "America/St_Johns", "Pacific/Auckland"]),
)
def test_quiet_hours_delay_and_drop_nothing(moves, quiet, zone):
    channel = HOOK.model_copy(update={"quiet": quiet, "zone": zone})
    world = played(World(channel), moves)
    for _, _, at in world.received:
        assert quiet_until(quiet, zone, at) is None
    world.now += timedelta(days=20)
    world.now = quiet_until(quiet, zone, world.now) or world.now
    world.look()
    assert {*world.waiting} <= {about for _, about, _ in world.received}


@given(steps)
def test_a_digest_is_sent_once_a_day_and_lists_what_still_waits(moves):
    channel = HOOK.model_copy(update={"digest": "08:30", "zone": "Europe/Berlin"})
    world = played(World(channel), [m for m in moves if m[0] != "snoozed" and m[2] != 2])
    assert all(about == "" for _, about, _ in world.received)
    days = [key for key, each in world.record.items() if each.kind is DeliveryKind.DIGEST]
    assert len({name for name, _, _ in world.received}) <= len(days)


def test_a_digest_is_of_its_hour_and_not_of_when_something_comes_later():
    channel = HOOK.model_copy(update={"digest": "08:30"})
    world = World(channel)
    world.look()
    world.now = datetime(2030, 5, 18, 9, tzinfo=UTC)
    world.look()
    world.waiting["a"] = item("a")
    world.now = datetime(2030, 5, 18, 15, tzinfo=UTC)
    world.look()
    assert world.received == []
    world.now = datetime(2030, 5, 19, 8, 31, tzinfo=UTC)
    world.look()
    world.look()
    assert len(world.received) == 1


def test_another_plan_under_the_same_id_is_news_and_a_worry_that_comes_back_as_well():
    def plan(digest):
        request = ApprovalRequest(
            request_id=digest, subject=Subject.PLAN, title="t", content_hash=digest
        )
        return item("a", InboxKind.PLAN, request=request, requests=(request,))

    world = World(HOOK)
    for shown in (plan("1"), plan("1"), plan("2")):
        world.waiting = {"a": shown}
        world.look()
    assert len(world.received) == 2
    worry = item("b", InboxKind.CONCERN)
    for waiting in ({"b": worry}, {"b": worry}, {}, {"b": worry}):
        world.waiting = waiting
        world.now += timedelta(minutes=1)
        world.look()
    assert len(world.received) == 4


def test_a_rule_takes_kinds_and_projects():
    channel = Channel(
        name="c", kind=ChannelKind.APPRISE, kinds=(InboxKind.GATE,), projects=("app", "/code/lib")
    )
    gates = [item("a", InboxKind.GATE, project=name) for name in ("/x/app", "/code/lib/", "/x/lib")]
    assert [channel.takes(each) for each in gates] == [True, True, False]
    assert not channel.takes(item("a", InboxKind.PLAN))


def test_waits_grow_and_end_after_a_day():
    tried, at, waits = delivery_of("c", "k", NOON), NOON, []
    while not tried.state.is_settled:
        tried = tried.claimed("w", at).failed("down", at)
        waits.append(tried.due_at - at)
        at = tried.due_at
    assert tried.state is DeliveryState.GIVEN_UP
    assert waits[:-1] == sorted(waits[:-1])
    assert timedelta(hours=20) < at - NOON <= timedelta(days=1)
    test = delivery_of("c", "t", NOON, kind=DeliveryKind.TEST).claimed("w", NOON)
    assert test.failed("no", NOON).state is DeliveryState.GIVEN_UP


def test_what_may_have_arrived_is_tried_once_more_at_most_where_nobody_knows_ids():
    first = delivery_of("c", "k", NOON).claimed("w", NOON).doubted("no answer", NOON)
    assert first.state is DeliveryState.WAITING
    assert first.due_at > NOON
    second = first.claimed("w", first.due_at).doubted("no answer", first.due_at)
    assert second.state is DeliveryState.SENT
    assert "not known" in second.reason
    killed = first.claimed("w", first.due_at).recovered(first.due_at, is_idempotent=False)
    assert killed.state is DeliveryState.SENT


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (Content.KIND, ""),
        (Content.TITLE, "Thread a"),
        (Content.FULL, "Thread a\nwhat is asked\n/code/app"),
    ],
)
def test_a_message_says_no_more_than_it_may(content, text):
    channel = HOOK.model_copy(update={"content": content})
    about = item("a", subject="what is asked")
    sent = delivery_of("hook", "k", NOON, item_id=about.item_id)
    message = message_of(channel, sent, [about], "https://treadle.example/", NOON)
    assert message is not None
    assert message.text == text
    name = about.handle if content is Content.KIND else "thread-a%23escalation"
    assert message.link == f"https://treadle.example/?item={name}"
    digest = delivery_of("hook", "d", NOON, kind=DeliveryKind.DIGEST)
    listed = message_of(channel, digest, [about], "https://treadle.example", NOON)
    assert listed is not None
    assert ("Thread a" in listed.text) == (content is not Content.KIND)
    assert message_of(channel, digest, [], "x", NOON) is None
    assert message_of(channel, sent, [], "x", NOON) is None


def test_every_kind_of_the_inbox_has_words():
    for kind in InboxKind:
        about = item("a", kind)
        sent = delivery_of("hook", "k", NOON, item_id=about.item_id)
        message = message_of(HOOK, sent, [about], "http://x", NOON)
        assert message is not None
        assert message.headline


@given(st.integers(0, 366 * 24 * 60), st.booleans())
def test_the_end_of_quiet_hours_is_later_than_now_and_outside_of_them(minutes, over_midnight):
    now, zone = NOON + timedelta(minutes=minutes), "Europe/Berlin"
    quiet = "22:00-07:00" if over_midnight else "12:00-13:30"
    until = quiet_until(quiet, zone, now)
    if until is not None:
        assert now < until <= now + timedelta(hours=11)
        assert quiet_until(quiet, zone, until) is None
        assert until.astimezone(ZoneInfo(zone)).strftime("%H:%M") == quiet[-5:]


@pytest.mark.parametrize(
    ("check", "text"),
    [
        (checked_quiet, "22-7"),
        (checked_quiet, "07:00-07:00"),
        (checked_quiet, "22:00"),
        (checked_clock, "24:00"),
        (checked_clock, "8:30"),
        (checked_zone, "Mars/Olympus"),
        (checked_zone, "../etc/passwd"),
    ],
)
def test_what_is_no_time_is_refused_with_an_example(check, text):
    assert check("") == ""
    with pytest.raises(ValueError, match=r"write one like|write them like"):
        check(text)
