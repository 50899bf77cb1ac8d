"""The news of a worker: its channels, as the settings and the secrets of this host say."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

from adapters.files.people_file import NAME as PEOPLE
from adapters.files.people_file import PeopleFile
from adapters.files.secret_file import SecretFile
from adapters.host import host_id
from adapters.journal import SqlJournal
from adapters.news.apprise import AppriseCarrier
from adapters.news.audience import Audience
from adapters.news.follower import NewsFollower, Route
from adapters.news.push import PushCarrier
from adapters.news.unable import Unable
from adapters.news.webhook import WebhookCarrier
from adapters.readings.inboxes import Inboxes
from adapters.readings.projections import FlowProjections, QueueProjections, ThreadProjections
from composition.base import Base
from domain.news.channel import ChannelKind
from domain.news.ports import Carrier
from domain.news.push import PushSubscription
from domain.news.push_key import push_key_of
from settings import Settings, SettingsError, config_dir, secret_of
from settings.news import NewsTable

NOBODY = "mailto:nobody@treadle.invalid"
"""Whom push services are told to ask about us, where the page has no public address."""


def news_of(base: Base) -> NewsFollower:
    """Return what sends news."""
    journal, settings = base.journal, base.settings
    inboxes = Inboxes(
        journal,
        ThreadProjections(journal),
        FlowProjections(journal),
        QueueProjections(journal),
        settings.host.silent_seconds,
        time_zone=settings.money.time_zone,
    )
    fixed = tuple(route_of(table) for table in settings.news)
    key = push_key_of(SecretFile(settings.code_key_file).read())

    async def routes() -> Sequence[Route]:
        found = await journal.people.pushes.every()
        browsers = (
            push_route(each, key, settings, partial(forget_browser, journal, each))
            for each in found
        )
        return (*fixed, *browsers)

    return NewsFollower(
        inboxes,
        Audience(PeopleFile(config_dir() / PEOPLE), journal.people, inboxes),
        journal.news,
        routes,
        base_url(settings),
        host_id(settings.data_dir),
    )


def base_url(settings: Settings) -> str:
    """Return where people open the page."""
    return settings.public_url or settings.page_url


async def forget_browser(journal: SqlJournal, subscription: PushSubscription) -> None:
    """Forget a browser, and the record of what it was told."""
    await journal.people.pushes.end(subscription.subscription_id)
    await journal.news.forget_channel(subscription.channel.name)


def push_route(
    subscription: PushSubscription,
    key: EllipticCurvePrivateKey,
    settings: Settings,
    forget: Callable[[], Awaitable[object]],
) -> Route:
    """Return a browser as a channel, with what carries its messages; it is forgotten once its service does not know it."""
    url = base_url(settings)
    contact = url if url.startswith("https://") else NOBODY
    return Route(subscription.channel, PushCarrier(subscription, key, contact, forget))


def route_of(table: NewsTable) -> Route:
    """Return a channel with what carries its messages; it carries nothing where this host lacks its secret."""
    try:
        secret = secret_of(table.secret_file, table.secret_env or "") or ""
    except SettingsError:
        secret = ""
    if (table.secret_env or table.secret_file) and not secret:
        where = f"the variable {table.secret_env}" if table.secret_env else "its secret_file"
        return Route(table.channel, Unable(f"{where} holds nothing on the worker's host"))
    return Route(table.channel, _carrier(table, secret))


def _carrier(table: NewsTable, secret: str) -> Carrier:
    match table.kind:
        case ChannelKind.WEBHOOK:
            return WebhookCarrier(table.url or "", secret)
        case ChannelKind.APPRISE:
            return AppriseCarrier(secret)
        case ChannelKind.PUSH:
            return Unable("browsers are subscribed on the page")
