"""What leaves the machine, by each kind of channel: no more than the channel may say, and nothing that decides."""

import json
from datetime import UTC, datetime

import pytest

from adapters.news.apprise import AppriseCarrier
from adapters.news.push import PushCarrier
from adapters.news.webhook import WebhookCarrier
from domain.core.approvals import ApprovalRequest, Subject
from domain.news.channel import Channel, ChannelKind, Content
from domain.news.delivery import DeliveryKind
from domain.news.due import delivery_of
from domain.news.message import message_of
from domain.news.ports import DeliveryError
from domain.news.push import PushSubscription
from domain.news.push_key import push_key_of
from domain.reading.inbox.item import InboxKind
from tests.adapters.news_lab import item, sink
from tests.adapters.push_lab import BrowserKeys

NOW = datetime(2030, 5, 17, 12, tzinfo=UTC)
KEY = "whsec_" + "MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
REQUEST = ApprovalRequest(
    request_id="request-77", subject=Subject.PLAN, title="The plan", content_hash="hash-of-the-plan"
)
CARD = item(
    "checkout",
    InboxKind.PLAN,
    subject="a plan of three",
    project="/code/shop",
    request=REQUEST,
    requests=(REQUEST,),
)
WORDS = {
    Content.KIND: set(),
    Content.TITLE: {"Thread checkout"},
    Content.FULL: {"Thread checkout", "a plan of three", "/code/shop"},
}


@pytest.fixture
async def receiver():
    async with sink() as found:
        yield found


def carrier_to(kind, receiver, keys):
    match kind:
        case ChannelKind.WEBHOOK:
            return WebhookCarrier(receiver.url, KEY)
        case ChannelKind.APPRISE:
            return AppriseCarrier(f"json://127.0.0.1:{receiver.port}/secret-path")
        case ChannelKind.PUSH:
            subscription = PushSubscription(
                subscription_id="s",
                person="ada",
                browser="Firefox",
                endpoint=receiver.url,
                p256dh=keys.p256dh,
                auth=keys.auth,
                made_at=NOW,
            )
            return PushCarrier(subscription, push_key_of(b"key"), "https://x.example", pytest.fail)


@pytest.fixture(params=ChannelKind)
async def said(request, receiver):
    """Return a function that sends what a delivery says, and returns all that a receiver can read of it."""
    keys = BrowserKeys()

    async def send(content, kind=DeliveryKind.ITEM):
        channel = Channel(name="c", kind=request.param, content=content)
        delivery = delivery_of("c", "k", NOW, item_id=CARD.item_id, kind=kind)
        message = message_of(channel, delivery, [CARD], "https://treadle.example", NOW)
        await carrier_to(request.param, receiver, keys).send(message)
        line, headers, body = receiver.requests[-1]
        told = keys.opened(body) if request.param is ChannelKind.PUSH else json.loads(body)
        return f"{line} {headers} {json.dumps(told, ensure_ascii=False)}"

    return send


class TestChannels:
    @pytest.mark.parametrize("kind", [DeliveryKind.ITEM, DeliveryKind.DIGEST])
    @pytest.mark.parametrize("content", Content)
    async def test_it_says_no_more_than_it_may(self, said, content, kind):
        text = await said(content, kind)
        for word in WORDS[Content.FULL]:
            assert (word in text) == (word in WORDS[content])
        assert ("checkout" in text) == (content is not Content.KIND)

    @pytest.mark.parametrize("content", Content)
    async def test_its_link_opens_the_card_and_holds_nothing_else(self, said, content):
        name = CARD.handle if content is Content.KIND else "thread-checkout%23plan"
        assert f'/?item={name}"' in await said(content)

    @pytest.mark.parametrize("content", Content)
    async def test_nothing_in_it_decides(self, said, content):
        text = await said(content)
        assert "request-77" not in text
        assert "hash-of-the-plan" not in text
        assert "token" not in text


async def test_a_service_that_takes_it_and_says_nothing_is_doubtful(receiver):
    receiver.hold()
    slow = AppriseCarrier(f"json://127.0.0.1:{receiver.port}/secret-path", read_seconds=0.2)
    delivery = delivery_of("c", "k", NOW, item_id=CARD.item_id)
    channel = Channel(name="c", kind=ChannelKind.APPRISE)
    message = message_of(channel, delivery, [CARD], "https://treadle.example", NOW)
    with pytest.raises(DeliveryError, match="did not answer") as error:
        await slow.send(message)
    assert error.value.is_doubtful
    await receiver.got.wait()
    receiver.release()
    receiver.answers = ["500 Oh"]
    with pytest.raises(DeliveryError) as error:
        await AppriseCarrier(f"json://127.0.0.1:{receiver.port}/x").send(message)
    assert not error.value.is_doubtful
