"""Bodies of requests about news, and the answers."""

from datetime import datetime
from typing import Annotated

from pydantic import BaseModel, Field

from api.core.bodies import CommandBody
from domain.news.channel import Channel
from domain.news.delivery import DeliveryState


class DigestBody(CommandBody):
    """Which channel sends a digest now; by default all."""

    channel: Annotated[str, Field(max_length=40)] = ""


class ChannelView(BaseModel):
    """A channel, and how its news get on."""

    channel: Channel
    waiting: int
    """Messages that wait for the end of quiet hours, or for another try."""
    newest: DeliveryState | None = None
    """How far the message is that was tried last."""
    tried_at: datetime | None = None
    reason: str = ""
    """Why it was not taken."""
    given_up: int = 0
    """Messages that nobody has got, of the last week."""


class ChannelPage(BaseModel):
    """All channels."""

    channels: list[ChannelView]


class Delivered(BaseModel):
    """What became of a test."""

    channel: str
    state: DeliveryState
    reason: str = ""


class DigestStarted(BaseModel):
    """The channels that send a digest now, if anything waits."""

    channels: list[str]
