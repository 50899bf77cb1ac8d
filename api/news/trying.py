"""A test message: it is recorded, a worker sends it as news are sent, and its end is awaited."""

import asyncio
import uuid
from datetime import UTC, datetime

from adapters.journal.news import NewsLog
from api.news.bodies import Delivered
from domain.news.delivery import Delivery, DeliveryKind, DeliveryState
from domain.news.due import delivery_of

PATIENCE_SECONDS = 20.0
_LOOK_SECONDS = 0.25
_NOBODY = (
    "no worker took it: start one with `treadle up`; one that runs since before the channel "
    "was configured has to be started again"
)


async def tried(log: NewsLog, channel: str, command_id: str | None) -> Delivered:
    """Send a test by a channel, and return what became of it; it is tried once."""
    key = f"test-{command_id or uuid.uuid4().hex}"
    made = delivery_of(channel, key, datetime.now(UTC), kind=DeliveryKind.TEST)
    await log.add([made])
    made = (await log.of(channel)).get(key, made)
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            made = await _end_of(log, made)
    except TimeoutError:
        if await log.note(made, made.settled(DeliveryState.WITHDRAWN, _NOBODY)):
            return Delivered(channel=channel, state=DeliveryState.WITHDRAWN, reason=_NOBODY)
        made = await log.one(made.delivery_id) or made
    return Delivered(channel=channel, state=made.state, reason=made.reason)


async def _end_of(log: NewsLog, delivery: Delivery) -> Delivery:
    while not delivery.state.is_settled:
        await asyncio.sleep(_LOOK_SECONDS)
        delivery = await log.one(delivery.delivery_id) or delivery
    return delivery
