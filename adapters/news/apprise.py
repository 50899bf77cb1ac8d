"""News by apprise: Slack, Teams, Telegram, ntfy, mail and whatever else it knows."""

import asyncio
import logging
import time
from typing import Any

from domain.news.message import Message
from domain.news.ports import DeliveryError

READ_SECONDS = 10.0
TIMEOUT_SECONDS = 16.0
"""More than connecting (4 s) and reading take."""

_LOUD = logging.CRITICAL + 1


class AppriseCarrier:
    """Sends messages to one address of apprise, which holds a secret: it is in no error and no log.

    The service does not know a message by an id, so one to which it did not answer in time is told as doubtful.
    """

    def __init__(self, url: str, read_seconds: float = READ_SECONDS) -> None:
        self._url = url
        self._read_seconds = read_seconds

    async def send(self, message: Message) -> None:
        """Send a message; the service has then said that it took it.

        Raises:
            DeliveryError: The address is of no service, or the service did not take it.
        """
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                await asyncio.to_thread(self._send, message)
        except TimeoutError as error:
            why = f"the service did not answer within {TIMEOUT_SECONDS:.0f} s"
            raise DeliveryError(why, is_doubtful=True) from error

    def _send(self, message: Message) -> None:
        import apprise  # 200 ms, and only where a channel needs it; its types are partly unknown

        # it logs the addresses that it cannot read, secrets and all
        logging.getLogger("apprise").setLevel(_LOUD)
        service: Any = apprise.Apprise()
        if not service.add(self._url):
            why = "the address is of no service that apprise knows: see docs/how-to/news.md"
            raise DeliveryError(why)
        for each in service:
            each.socket_read_timeout = self._read_seconds
        body = "\n".join(filter(None, (message.text, message.link)))
        begun = time.monotonic()
        if service.notify(title=message.headline, body=body):
            return
        if time.monotonic() - begun >= self._read_seconds:  # it says nothing else of why
            why = f"the service did not answer within {self._read_seconds:.0f} s"
            raise DeliveryError(why, is_doubtful=True)
        raise DeliveryError("the service did not take it: check the address and its token")
