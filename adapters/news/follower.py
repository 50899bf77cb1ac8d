"""The follower: of any number of workers one looks at the inbox again and again, and sends what is due."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from adapters.journal.news import NewsLog
from adapters.looking import keep_looking
from adapters.news.audience import Audience
from adapters.readings.inboxes import Inboxes
from domain.core.errors import JournalError
from domain.news.burst import burst_of, told
from domain.news.channel import Channel
from domain.news.delivery import Delivery, DeliveryState
from domain.news.due import due
from domain.news.message import Message, message_of
from domain.news.ports import Carrier, DeliveryError
from domain.reading.inbox.item import InboxItem

LOOK_SECONDS = 2.0
LEAD_SECONDS = 90.0
"""Longer than one look may take: a worker that is silent for so long sends nothing any more."""

LOOK_LIMIT_SECONDS = 60.0
SENDING = timedelta(seconds=20)
"""Longer than a carrier takes: where another worker may lead before, nothing is begun, or it would be sent twice."""

AT_ONCE = 5
"""Messages to one channel in a look, which lasts no longer than its limit then."""

_NEVER = datetime.min.replace(tzinfo=UTC)
_LOG = logging.getLogger(__name__)


class Route(NamedTuple):
    """A channel, and what carries its messages."""

    channel: Channel
    carrier: Carrier


@dataclass
class NewsFollower:
    """Sends news of what waits for people.

    What it knows is in the journal, so that another worker goes on where this one was killed.
    """

    inboxes: Inboxes
    audience: Audience
    log: NewsLog
    routes: Callable[[], Awaitable[Sequence[Route]]]
    base_url: str
    holder: str
    _leads_until: datetime = field(default=_NEVER, init=False)
    _seen: int = field(default=-1, init=False)

    async def keep(self, look: float = LOOK_SECONDS) -> None:
        """Look again and again, until it is cancelled; what fails is tried again at the next look."""
        try:
            await keep_looking(self.look, look, "news could not be sent", _LOG)
        finally:
            with suppress(JournalError):  # another worker waits for the end of the lease then
                if self._leads_until > _NEVER:
                    await self.log.leave(self.holder)

    async def look(self, now: datetime | None = None) -> None:
        """Send what is due, if no other worker does.

        Raises:
            JournalError: The journal does not answer.
        """
        now = now or datetime.now(UTC)
        routes = await self.routes()
        if not routes or not await self._leads(now):
            return
        inbox = await self.inboxes.newest()
        for problem in await asyncio.gather(
            *(self._serve(route, inbox.items, now) for route in routes), return_exceptions=True
        ):
            if isinstance(problem, BaseException):
                raise problem
        if inbox.position != self._seen:
            await self.log.note_seen(self.holder, inbox.position)
            self._seen = inbox.position

    async def _leads(self, now: datetime) -> bool:
        """Tell whether this is the one who sends news; it says so again while a look's time is left."""
        if self._leads_until - now > timedelta(seconds=LOOK_LIMIT_SECONDS):
            return True
        is_first = await self.log.lead(self.holder, now, LEAD_SECONDS)
        if is_first:
            self._leads_until = now + timedelta(seconds=LEAD_SECONDS)
        return is_first

    async def _serve(self, route: Route, items: Sequence[InboxItem], now: datetime) -> None:
        channel = route.channel
        mine = await self.audience.items_for(channel.people, items)
        known = await self.log.of(channel.name)
        for lost in [each for each in known.values() if each.state is DeliveryState.SENDING]:
            known[lost.key] = lost.recovered(now, is_idempotent=channel.is_idempotent)
            await self.log.note(lost, known[lost.key])
        snoozed = await self.audience.snoozed_for(channel.people, mine)
        found = due(channel, mine, known, now, snoozed)
        await self.log.add(found.new)
        for each in found.withdrawn:
            await self.log.note(known[each.key], each)
        await self.log.forget(found.forgotten)
        taken = [i for i in mine if channel.takes(i) and snoozed.get(i.item_id, now) <= now]
        for delivery in (await self._gathered(channel, found.sends, now))[:AT_ONCE]:
            await self._send(route, delivery, taken, now)

    async def _gathered(
        self, channel: Channel, sends: Sequence[Delivery], now: datetime
    ) -> Sequence[Delivery]:
        """Return what is to be sent; of many at one time a summary takes the place."""
        burst = burst_of(channel, sends, now)
        if burst is None:
            return sends
        await self.log.gather(burst.summary, burst.told, [told(each) for each in burst.told])
        return [burst.summary, *(each for each in sends if each not in burst.told)]

    async def _send(
        self, route: Route, delivery: Delivery, items: Sequence[InboxItem], now: datetime
    ) -> None:
        claimed = delivery.claimed(self.holder, now)
        if not await self.log.claim(delivery, claimed, datetime.now(UTC) + SENDING):
            return  # another worker has it, or sends news now, or may before this one has sent it
        message = message_of(route.channel, delivery, items, self.base_url, now)
        if message is None:
            await self.log.note(claimed, claimed.settled(DeliveryState.WITHDRAWN))
            return
        try:
            await _carried(route.carrier, message)
        except DeliveryError as error:
            failed = _failed(route.channel, claimed, error, now)
            words = {"channel": route.channel.name, "reason": error.reason}
            _LOG.warning("news could not be delivered", extra=words)
            await self.log.note(claimed, failed)
        else:
            await self.log.note(claimed, claimed.settled(DeliveryState.SENT))


async def _carried(carrier: Carrier, message: Message) -> None:
    """Have a message carried; what a carrier did not foresee fails that message, and neither others nor the worker."""
    try:
        await carrier.send(message)
    except DeliveryError:
        raise
    except Exception as error:
        raise DeliveryError(f"it could not be sent ({type(error).__name__})") from error


def _failed(channel: Channel, claimed: Delivery, error: DeliveryError, now: datetime) -> Delivery:
    if error.is_doubtful and not channel.is_idempotent:
        return claimed.doubted(error.reason, now)
    return claimed.failed(error.reason, now, is_final=error.is_final)
