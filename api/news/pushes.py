"""Browsers that get news by push: a person's own, subscribed on the page, tried and removed there."""

from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import AfterValidator, BaseModel, Field

from adapters.journal.push_subscriptions import PushSubscriptions
from api.core.bodies import Body, CommandBody
from api.core.dependencies import KeyDep, Person, SettingsDep, ThreadLists
from api.core.permissions import SEES_ANY
from api.news.bodies import Delivered
from api.news.trying import tried
from domain.core.command import Answer
from domain.core.errors import NotFoundError
from domain.news.channel import Content
from domain.news.push import (
    PushRules,
    PushSubscription,
    channel_of,
    check_subscription,
    subscription_id_of,
)
from domain.news.push_key import public_half, push_key_of
from domain.news.quiet import checked_clock, checked_quiet, checked_zone
from domain.reading.inbox.item import InboxKind

router = APIRouter(tags=["news"], prefix="/push", dependencies=[SEES_ANY])

SubscriptionId = Annotated[str, Path(max_length=40)]


class PushRulesBody(Body):
    """Which news a browser takes, and when; by default all, at any time."""

    content: Content = Field(default=Content.TITLE, strict=False)
    kinds: Annotated[
        tuple[Annotated[InboxKind, Field(strict=False)], ...], Field(max_length=40, strict=False)
    ] = ()
    projects: Annotated[
        tuple[Annotated[str, Field(max_length=4096)], ...], Field(max_length=50, strict=False)
    ] = ()
    quiet: Annotated[str, Field(max_length=11), AfterValidator(checked_quiet)] = ""
    digest: Annotated[str, Field(max_length=5), AfterValidator(checked_clock)] = ""
    zone: Annotated[str, Field(max_length=60), AfterValidator(checked_zone)] = ""


class PushBody(CommandBody):
    """A browser's subscription, as its `PushManager` gives it."""

    endpoint: Annotated[str, Field(min_length=1, max_length=2048)]
    p256dh: Annotated[str, Field(max_length=100)]
    auth: Annotated[str, Field(max_length=40)]
    browser: Annotated[str, Field(max_length=80)] = ""
    """What to call it, such as `Firefox on Linux`; without it what it was called before."""
    rules: PushRulesBody | None = None
    """Without them those that it had before; at first all news."""
    replaces: Annotated[str, Field(max_length=2048)] = ""
    """Its endpoint of before, where the push service has given it another one."""


class PushView(BaseModel):
    """A browser that gets news; its address at the push service is a secret, and not told."""

    subscription_id: str
    browser: str
    made_at: datetime
    rules: PushRules


class PushPage(BaseModel):
    """The browsers of whoever asks, and the key that another one subscribes with."""

    public_key: str
    browsers: list[PushView]


@router.get("")
async def pushes(key: KeyDep, person: Person, journal: ThreadLists) -> PushPage:
    """List your browsers that get news by push."""
    found = await journal.people.pushes.of(person)
    return PushPage(
        public_key=public_half(push_key_of(key.read())), browsers=[_view(each) for each in found]
    )


@router.post("")
async def subscribe(
    body: PushBody, person: Person, journal: ThreadLists, settings: SettingsDep
) -> PushView:
    """Subscribe a browser to your news, or change its rules: each browser has one subscription."""
    check_subscription(body.endpoint, body.p256dh, body.auth, settings.push_services)
    before = await _before(journal.people.pushes, person, body)
    rules = body.rules.model_dump() if body.rules else before.rules if before else {}
    made = PushSubscription(
        subscription_id=subscription_id_of(body.endpoint),
        person=person,
        browser=body.browser or (before.browser if before else "a browser"),
        endpoint=body.endpoint,
        p256dh=body.p256dh,
        auth=body.auth,
        made_at=before.made_at if before else datetime.now(UTC),
        rules=PushRules.model_validate(rules),
    )
    replaced = subscription_id_of(body.replaces) if body.replaces else ""
    await journal.people.pushes.put(made, replaced)
    return _view(made)


@router.post("/{subscription}/test")
async def test_push(
    subscription: SubscriptionId, body: CommandBody, person: Person, journal: ThreadLists
) -> Delivered:
    """Send a test to one of your browsers, as news are sent, and return what became of it."""
    found = await _own(journal.people.pushes, person, subscription)
    return await tried(journal.news, found.channel.name, body.command_id)


@router.post("/{subscription}/remove")
async def unsubscribe(
    subscription: SubscriptionId,
    body: CommandBody,  # noqa: ARG001 - removing it twice changes nothing, so its id is not needed
    person: Person,
    journal: ThreadLists,
) -> Answer:
    """Send nothing to a browser of yours any more."""
    was_there = await journal.people.pushes.end(subscription, person)
    if was_there:
        await journal.news.forget_channel(channel_of(subscription))
    return Answer(message="removed" if was_there else "it was not subscribed")


async def _before(
    pushes: PushSubscriptions, person: str, body: PushBody
) -> PushSubscription | None:
    """Return how a browser was subscribed before.

    What replaces one that is no more is refused, because nobody knows its rules: it would say more than it may.
    """
    own = {each.subscription_id: each for each in await pushes.of(person)}
    found = own.get(subscription_id_of(body.endpoint)) or own.get(subscription_id_of(body.replaces))
    if found is None and body.replaces and body.rules is None:
        raise NotFoundError("its subscription of before is no more: subscribe it in Settings")
    return found


async def _own(pushes: PushSubscriptions, person: str, name: str) -> PushSubscription:
    found = next((s for s in await pushes.of(person) if s.subscription_id == name), None)
    if found is None:
        raise NotFoundError(f"none of your browsers is {name[:40]!r}: subscribe it in Settings")
    return found


def _view(found: PushSubscription) -> PushView:
    return PushView(
        subscription_id=found.subscription_id,
        browser=found.browser,
        made_at=found.made_at,
        rules=found.rules,
    )
