"""News to browsers: encrypted, signed, and forgotten with the subscription, at a push service on loopback."""

import base64
import json
from datetime import UTC, datetime
from functools import partial

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from adapters.journal import open_journal
from adapters.news.push import PushCarrier
from composition.news import forget_browser
from domain.news.message import Message
from domain.news.ports import DeliveryError
from domain.news.push import MOST, PushError, PushRules, PushSubscription, subscription_id_of
from domain.news.push_key import public_half, push_key_of
from tests.adapters.news_lab import FixedInbox, follower, item, sink
from tests.adapters.push_lab import BrowserKeys

NOW = datetime(2030, 5, 17, 12, tzinfo=UTC)
KEY = push_key_of(b"the decision key of a test")


@pytest.fixture
async def service():
    async with sink() as found:
        yield found


@pytest.fixture
async def journal(tmp_path):
    async with open_journal(f"sqlite:///{tmp_path}/journal.db") as journal:
        yield journal


def subscribed(keys, endpoint, person="ada", **rules) -> PushSubscription:
    return PushSubscription(
        subscription_id=subscription_id_of(endpoint),
        person=person,
        browser="Firefox on Linux",
        endpoint=endpoint,
        p256dh=keys.p256dh,
        auth=keys.auth,
        made_at=NOW,
        rules=PushRules(**rules),
    )


async def nothing() -> None:
    raise AssertionError("nothing is to be forgotten")


def message(text="Build the checkout") -> Message:
    link = "https://treadle.example/?item=thread-a%23gate"
    return Message(
        message_id="m1", kind="gate", headline="A gate", text=text, link=link, tag="a", at=NOW
    )


async def test_only_the_browser_can_read_it_and_the_service_knows_whose_it_is(service):
    keys = BrowserKeys()
    carrier = PushCarrier(subscribed(keys, service.url), KEY, "https://treadle.example", nothing)

    await carrier.send(message())

    [(line, headers, body)] = service.requests
    assert line.startswith("POST /hook/secret-path")
    assert b"checkout" not in body
    assert keys.opened(body) == {
        "title": "A gate",
        "text": "Build the checkout",
        "tag": "treadle-a",
        "href": "/?item=thread-a%23gate",
    }
    assert (headers["content-encoding"], headers["ttl"]) == ("aes128gcm", "86400")
    assert len(headers["topic"]) == 32
    claims = claims_of(headers["authorization"])
    assert claims["aud"] == f"http://127.0.0.1:{service.port}"
    assert claims["sub"] == "https://treadle.example"


def claims_of(authorization: str) -> dict[str, str]:
    """Check the signature as a push service does, and return what was signed."""
    scheme, _, rest = authorization.partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert scheme == "vapid"
    assert parts["k"].rstrip("=") == public_half(KEY)

    def raw(text: str) -> bytes:
        return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))

    head, claims, signature = parts["t"].split(".")
    halves = [int.from_bytes(half) for half in (raw(signature)[:32], raw(signature)[32:])]
    signed = encode_dss_signature(*halves)
    KEY.public_key().verify(signed, f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
    return json.loads(raw(claims))


async def test_a_long_text_is_within_what_a_service_takes(service):
    keys = BrowserKeys()
    carrier = PushCarrier(subscribed(keys, service.url), KEY, "https://x.example", nothing)

    await carrier.send(message("ü" * 9000))

    [(_, _, body)] = service.requests
    assert len(body) <= 4096


@pytest.mark.parametrize(("answer", "is_final"), [("400 No", True), ("429 No", False)])
async def test_a_refusal_says_no_address(service, answer, is_final):
    service.answers = [answer]
    carrier = PushCarrier(subscribed(BrowserKeys(), service.url), KEY, "https://x.example", nothing)
    with pytest.raises(DeliveryError) as error:
        await carrier.send(message())
    assert error.value.is_final is is_final
    assert "secret-path" not in error.value.reason


async def test_keys_that_are_none_are_told(service):
    keys = BrowserKeys()
    bad = subscribed(keys, service.url).model_copy(update={"p256dh": "A" * 87})
    with pytest.raises(DeliveryError, match="subscribe it again"):
        await PushCarrier(bad, KEY, "https://x.example", nothing).send(message())
    assert service.requests == []


async def test_a_browser_that_ended_its_subscription_is_forgotten_with_its_record(journal, service):
    pushes = journal.people.pushes
    mine = subscribed(BrowserKeys(), service.url)
    await pushes.put(mine)
    service.answers = ["410 Gone"]
    forget = partial(forget_browser, journal, mine)
    carrier = PushCarrier(mine, KEY, "https://x.example", forget)

    await follower(journal, FixedInbox(item("a")), mine.channel, carrier).look(NOW)

    assert await pushes.every() == []
    assert await journal.news.of(mine.channel.name) == {}


async def test_a_card_is_pushed_once_by_its_rules(journal, service):
    keys = BrowserKeys()
    mine = subscribed(keys, service.url, quiet="22:00-07:00", content="kind")
    carrier = PushCarrier(mine, KEY, "https://x.example", nothing)
    follows = follower(journal, FixedInbox(item("a")), mine.channel, carrier)

    await follows.look(NOW.replace(hour=23))
    assert service.requests == []
    for _ in range(3):
        await follows.look(NOW.replace(day=18, hour=8))

    [(_, _, body)] = service.requests
    assert keys.opened(body)["text"] == ""


async def test_a_browser_has_one_subscription_of_whom_subscribed_last(journal):
    pushes, keys = journal.people.pushes, BrowserKeys()
    await pushes.put(subscribed(keys, "https://fcm.googleapis.com/1"))
    await pushes.put(subscribed(keys, "https://fcm.googleapis.com/1", person="ben"))

    assert await pushes.of("ada") == []
    [found] = await pushes.of("ben")
    assert await pushes.end(found.subscription_id, "ada") is False
    assert await pushes.end(found.subscription_id, "ben") is True


async def test_a_browser_with_a_new_address_is_not_told_again(journal, service):
    pushes, keys = journal.people.pushes, BrowserKeys()
    old, new = (subscribed(keys, f"{service.url}/{number}") for number in (1, 2))
    other = subscribed(keys, f"{service.url}/3", person="ben")
    for each in (old, other):
        await pushes.put(each)
    inbox = FixedInbox(item("a"))

    async def look(each, *waiting):
        inbox.items = waiting
        carrier = PushCarrier(each, KEY, "https://x.example", nothing)
        await follower(journal, inbox, each.channel, carrier).look(NOW)

    await look(old, item("a"))
    await pushes.put(new, old.subscription_id)
    await look(new, item("a"))
    assert len(service.requests) == 1
    await look(new, item("a"), item("b"))
    assert [line.split()[1][-2:] for line, _, _ in service.requests] == ["/1", "/2"]
    assert await journal.news.of(old.channel.name) == {}
    assert await pushes.of("ada") == [new]

    await pushes.put(new, other.subscription_id)
    assert await pushes.of("ben") == [other], "nobody ends the subscription of another"


async def test_a_person_has_so_many_browsers_at_most(journal):
    pushes, keys = journal.people.pushes, BrowserKeys()
    for number in range(MOST):
        await pushes.put(subscribed(keys, f"https://fcm.googleapis.com/{number}"))
    with pytest.raises(PushError, match="remove one"):
        await pushes.put(subscribed(keys, "https://fcm.googleapis.com/more"))
    await pushes.put(subscribed(keys, "https://fcm.googleapis.com/0", quiet="22:00-07:00"))
    assert len(await pushes.of("ada")) == MOST
