"""The news of a worker: its channels, as the settings and the secrets of this host say."""

from collections.abc import Sequence

from adapters.files.people_file import NAME as PEOPLE
from adapters.files.people_file import PeopleFile
from adapters.host import host_id
from adapters.news.apprise import AppriseCarrier
from adapters.news.audience import Audience
from adapters.news.follower import NewsFollower, Route
from adapters.news.unable import Unable
from adapters.news.webhook import WebhookCarrier
from adapters.readings.inboxes import Inboxes
from adapters.readings.projections import FlowProjections, QueueProjections, ThreadProjections
from domain.news.channel import ChannelKind
from domain.news.ports import Carrier
from news_settings import NewsTable
from settings import Settings, SettingsError, config_dir, secret_of
from worker_adapters import Base


def news_of(base: Base) -> NewsFollower:
    """Return what sends news."""
    journal, settings = base.journal, base.settings
    inboxes = Inboxes(
        journal,
        ThreadProjections(journal),
        FlowProjections(journal),
        QueueProjections(journal),
        settings.host.silent_seconds,
    )
    fixed = tuple(route_of(table) for table in settings.news)

    async def routes() -> Sequence[Route]:
        return fixed

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
    return settings.public_url or settings.api_url


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
