"""News: the channels, a test of one, and a digest now. A worker sends them, with the secrets of its host."""

import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from fastapi import APIRouter

from api.core.bodies import CommandBody
from api.core.dependencies import SettingsDep, ThreadLists
from api.core.permissions import NOTIFIES
from api.news.bodies import ChannelPage, ChannelView, Delivered, DigestBody, DigestStarted
from api.news.trying import tried
from domain.core.errors import NotFoundError
from domain.news.channel import Channel
from domain.news.delivery import Delivery, DeliveryKind, DeliveryState
from domain.news.due import delivery_of
from settings import Settings

LOST_SHOWN = timedelta(days=7)

router = APIRouter(tags=["news"], prefix="/news", dependencies=[NOTIFIES])


@router.get("")
async def news(settings: SettingsDep, journal: ThreadLists) -> ChannelPage:
    """List the channels that news go out by, and how each gets on."""
    tables = settings.news
    views = [_view(each.channel, await journal.news.of(each.name)) for each in tables]
    return ChannelPage(channels=views)


@router.post("/channels/{channel}/test")
async def test_channel(
    channel: str, body: CommandBody, settings: SettingsDep, journal: ThreadLists
) -> Delivered:
    """Send a test by a channel, as news are sent, and return what became of it; it is tried once."""
    return await tried(journal.news, _channel(settings, channel).name, body.command_id)


@router.post("/digest", status_code=202)
async def send_digest(
    body: DigestBody, settings: SettingsDep, journal: ThreadLists
) -> DigestStarted:
    """Have a channel, or all, send one message with all that waits; nothing is sent where nothing does."""
    named = [_channel(settings, body.channel)] if body.channel else _channels(settings)
    key, now = f"asked-{body.command_id or uuid.uuid4().hex}", datetime.now(UTC)
    await journal.news.add(
        [delivery_of(each.name, key, now, kind=DeliveryKind.DIGEST) for each in named]
    )
    return DigestStarted(channels=[each.name for each in named])


def _channels(settings: Settings) -> Sequence[Channel]:
    return [table.channel for table in settings.news]


def _channel(settings: Settings, name: str) -> Channel:
    found = next((each for each in _channels(settings) if each.name == name), None)
    if found is None:
        known = ", ".join(each.name for each in _channels(settings)) or "none"
        raise NotFoundError(
            f"there is no channel {name[:40]!r} in config.toml; channels: {known} (docs/how-to/news.md)"
        )
    return found


def _view(channel: Channel, known: dict[str, Delivery]) -> ChannelView:
    tried = [each for each in known.values() if each.tried_at is not None]
    lost = [each for each in tried if each.state is DeliveryState.GIVEN_UP and _is_news(each)]
    newest = max(tried, key=lambda each: each.tried_at or each.made_at, default=None)
    return ChannelView(
        channel=channel,
        waiting=sum(each.state is DeliveryState.WAITING for each in known.values()),
        newest=newest.state if newest else None,
        tried_at=newest.tried_at if newest else None,
        reason=newest.reason if newest else "",
        given_up=len(lost),
    )


def _is_news(delivery: Delivery) -> bool:
    """Tell whether it is of the last week, and no test."""
    since = datetime.now(UTC) - LOST_SHOWN
    return delivery.kind is not DeliveryKind.TEST and delivery.made_at > since
