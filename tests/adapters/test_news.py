"""News over a real journal to a real HTTP server: signed, once each, over kills, and by one worker."""

import asyncio
import json
from datetime import UTC, datetime, timedelta

import pytest
from standardwebhooks import Webhook

from adapters.journal import open_journal
from adapters.news.apprise import AppriseCarrier
from adapters.news.follower import LEAD_SECONDS
from adapters.news.unable import Unable
from adapters.news.webhook import WebhookCarrier
from domain.news.channel import Channel, ChannelKind
from domain.news.delivery import DeliveryState
from domain.news.message import Message
from domain.news.ports import DeliveryError
from tests.adapters.news_lab import FixedInbox, follower, item, sink

KEY = "whsec_" + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
HOOK = Channel(name="hook", kind=ChannelKind.WEBHOOK)
MAIL = Channel(name="mail", kind=ChannelKind.APPRISE)


@pytest.fixture
async def journal(tmp_path):
    async with open_journal(f"sqlite:///{tmp_path}/journal.db") as journal:
        yield journal


@pytest.fixture
async def receiver():
    async with sink() as found:
        yield found


@pytest.fixture
def carrier(receiver):
    return WebhookCarrier(receiver.url, KEY)


class Fake:
    """A carrier in memory."""

    def __init__(self) -> None:
        self.sent: list[Message] = []
        self.refuses = False

    async def send(self, message: Message) -> None:
        if self.refuses:
            raise DeliveryError("no")
        self.sent.append(message)


@pytest.fixture(params=["webhook", "apprise", "fake"])
async def any_carrier(request, receiver):
    """Each carrier, with how many messages its receiver has got."""
    fake = Fake()
    carriers = {
        "webhook": WebhookCarrier(receiver.url, KEY),
        "apprise": AppriseCarrier(f"json://127.0.0.1:{receiver.port}/secret-path"),
        "fake": fake,
    }
    return carriers[request.param], lambda: len(receiver.requests) + len(fake.sent), fake


TEST = Message(message_id="m", kind="test", headline="h", link="https://x/", at=datetime.now(UTC))


class TestCarriers:
    async def test_a_message_is_sent_once(self, any_carrier):
        carrier, count, _ = any_carrier
        await carrier.send(TEST)
        assert count() == 1

    async def test_one_that_is_not_taken_is_told_without_the_address(self, any_carrier, receiver):
        carrier, _, fake = any_carrier
        receiver.answers, fake.refuses = ["500 Oh"] * 3, True
        with pytest.raises(DeliveryError) as error:
            await carrier.send(TEST)
        assert "secret-path" not in error.value.reason
        assert str(receiver.port) not in error.value.reason


async def test_an_address_of_no_service_is_told_without_it(caplog):
    with pytest.raises(DeliveryError, match="no service") as error:
        await AppriseCarrier("nonsense://tok3n@x").send(TEST)
    assert "tok3n" not in error.value.reason + caplog.text


async def states(journal, channel="hook"):
    return [each.state for each in (await journal.news.of(channel)).values()]


async def test_a_card_arrives_once_signed_and_with_its_link(journal, receiver, carrier):
    one = follower(journal, FixedInbox(item("a")), HOOK, carrier)
    for _ in range(3):
        await one.look()
    [(line, headers, body)] = receiver.requests
    assert line.startswith("POST /hook/secret-path")
    got = Webhook(KEY).verify(body, headers)
    assert got["type"] == "inbox.gate"
    assert got["data"]["link"] == "https://treadle.example/?item=thread-a%23gate"
    assert got["data"]["text"] == "Thread a"
    assert await states(journal) == [DeliveryState.SENT]


async def test_what_is_settled_before_it_could_be_sent_is_not_sent(journal, receiver, carrier):
    receiver.answers = ["503 Busy"]
    inbox = FixedInbox(item("a"))
    one = follower(journal, inbox, HOOK, carrier)
    await one.look()
    inbox.items = ()
    await one.look(datetime.now(UTC) + timedelta(hours=1))
    assert len(receiver.requests) == 1
    assert await states(journal) == [DeliveryState.WITHDRAWN]


async def test_a_receiver_that_is_down_gets_it_later_under_the_same_id(journal, receiver, carrier):
    receiver.answers = ["503 Busy", "silence"]
    one = follower(journal, FixedInbox(item("a")), HOOK, carrier)
    now = datetime.now(UTC)
    await one.look(now)
    await one.look(now + timedelta(seconds=5))
    assert len(receiver.requests) == 1
    await one.look(now + timedelta(seconds=15))
    await one.look(now + timedelta(seconds=60))
    assert len({headers["webhook-id"] for _, headers, _ in receiver.requests}) == 1
    assert len(receiver.requests) == 3
    assert await states(journal) == [DeliveryState.SENT]


@pytest.mark.parametrize(
    ("answer", "words", "is_final"),
    [
        ("302 Found\r\nLocation: http://127.0.0.1:1/", "redirect", False),
        ("404 Not Found", "404", True),
        ("429 Too Many", "429", False),
        ("500 Oh", "500", False),
        ("silence", "cannot be reached", False),
    ],
)
async def test_a_refusal_is_told_without_the_address(receiver, carrier, answer, words, is_final):
    receiver.answers = [answer]
    message = Message(
        message_id="m", kind="test", headline="h", link="https://x/", at=datetime.now(UTC)
    )
    with pytest.raises(DeliveryError, match=words) as error:
        await carrier.send(message)
    assert error.value.is_final is is_final
    assert "secret-path" not in error.value.reason
    assert len(receiver.requests) == 1


async def test_a_key_that_is_none_is_told(receiver):
    message = Message(message_id="m", kind="test", headline="h", link="x", at=datetime.now(UTC))
    with pytest.raises(DeliveryError, match="signing key"):
        await WebhookCarrier(receiver.url, "whsec_").send(message)
    assert receiver.requests == []


async def test_killed_after_sending_a_receiver_sees_the_same_id_again(journal):
    carrier = Fake()

    async def waits(message):
        carrier.sent.append(message)
        asyncio.current_task().cancel()
        await asyncio.sleep(0)

    class Dying:
        send = staticmethod(waits)

    one = follower(journal, FixedInbox(item("a")), HOOK, Dying())
    with pytest.raises(asyncio.CancelledError):
        await asyncio.create_task(one.look())
    assert await states(journal) == [DeliveryState.SENDING]
    again = follower(journal, FixedInbox(item("a")), HOOK, carrier)
    await again.look()
    await again.look()
    assert len(carrier.sent) == 2
    assert len({message.message_id for message in carrier.sent}) == 1


async def test_killed_twice_without_ids_it_is_not_tried_a_third_time(journal):
    sent = []

    class Dying:
        async def send(self, message):
            sent.append(message)
            asyncio.current_task().cancel()
            await asyncio.sleep(0)

    for _ in range(4):
        one = follower(journal, FixedInbox(item("a")), MAIL, Dying())
        looking = asyncio.create_task(one.look())
        await asyncio.wait([looking])
    assert len(sent) == 2
    [record] = (await journal.news.of("mail")).values()
    assert record.state is DeliveryState.SENT
    assert "not known" in record.reason


async def test_one_of_several_workers_sends_and_another_takes_over(journal):
    first, second = Fake(), Fake()
    inbox = FixedInbox(item("a"))
    one = follower(journal, inbox, HOOK, first, "host-1")
    two = follower(journal, inbox, HOOK, second, "host-2")
    await asyncio.gather(one.look(), two.look())
    assert len(first.sent) + len(second.sent) == 1
    inbox.items = (item("a"), item("b"))
    await two.look(datetime.now(UTC) + timedelta(hours=1))
    await one.look(datetime.now(UTC) + timedelta(hours=1))
    assert len(first.sent) + len(second.sent) == 2


async def test_a_channel_without_its_secret_says_so(journal):
    one = follower(journal, FixedInbox(item("a")), HOOK, Unable("the variable X holds nothing"))
    await one.look()
    [record] = (await journal.news.of("hook")).values()
    assert record.state is DeliveryState.WAITING
    assert record.reason == "the variable X holds nothing"


async def test_nothing_of_a_card_is_kept_with_its_record(journal, receiver, carrier):
    await follower(journal, FixedInbox(item("a", subject="s3")), HOOK, carrier).look()
    kept = json.dumps(
        [each.model_dump(mode="json") for each in (await journal.news.of("hook")).values()]
    )
    assert "Thread a" not in kept
    assert receiver.url not in kept


async def test_many_after_quiet_hours_are_one_message_and_later_ones_are_told_as_ever(
    journal, receiver, carrier
):
    quiet = HOOK.model_copy(update={"quiet": "22:00-07:00"})
    inbox = FixedInbox(*(item(f"n{number}") for number in range(9)))
    one = follower(journal, inbox, quiet, carrier)
    night, morning = (datetime(2030, 5, 18, hour, tzinfo=UTC) for hour in (3, 8))
    await one.look(night)
    assert receiver.requests == []
    for _ in range(3):
        await one.look(morning)
    inbox.items = (*inbox.items, item("new"))
    await follower(journal, inbox, quiet, carrier).look(morning + timedelta(minutes=1))
    bodies = [json.loads(body) for _, _, body in receiver.requests]
    assert [each["data"]["headline"] for each in bodies] == [
        "9 items wait for you",
        "A task waits at its gate",
    ]


async def test_what_a_carrier_did_not_foresee_fails_its_message_and_is_tried_later(journal):
    carrier = WebhookCarrier("https://receiver.example/\x01", KEY)
    one, now = follower(journal, FixedInbox(item("a")), HOOK, carrier), datetime.now(UTC)
    for _ in range(3):
        await one.look(now)

    (found,) = (await journal.news.of("hook")).values()
    assert (found.state, found.attempts) == (DeliveryState.WAITING, 1)
    assert found.reason == "it could not be sent (InvalidURL)"


async def test_nothing_is_begun_that_another_worker_could_take_for_lost(journal, receiver, carrier):
    one, now = follower(journal, FixedInbox(item("a")), HOOK, carrier), datetime.now(UTC)
    await one.look(now - timedelta(seconds=LEAD_SECONDS - 10))
    assert receiver.requests == []

    await one.look(now)
    assert len(receiver.requests) == 1
