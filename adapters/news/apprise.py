"""News by apprise: Slack, Teams, Telegram, ntfy, mail and whatever else it knows."""

import asyncio
import logging
from typing import Any

from domain.news.message import Message
from domain.news.ports import DeliveryError

TIMEOUT_SECONDS = 12.0
_LOUD = logging.CRITICAL + 1


class AppriseCarrier:
    """Sends messages to one address of apprise, which holds a secret: it is in no error and no log.

    The service does not know a message by an id.
    """

    def __init__(self, url: str) -> None:
        self._url = url

    async def send(self, message: Message) -> None:
        """Send a message; the service has then said that it took it.

        Raises:
            DeliveryError: The address is of no service, or the service did not take it.
        """
        try:
            async with asyncio.timeout(TIMEOUT_SECONDS):
                is_sent = await asyncio.to_thread(self._send, message)
        except TimeoutError as error:
            why = f"the service did not answer within {TIMEOUT_SECONDS:.0f} s"
            raise DeliveryError(why) from error
        if not is_sent:
            raise DeliveryError("the service did not take it: check the address and its token")

    def _send(self, message: Message) -> bool:
        import apprise  # 200 ms, and only where a channel needs it; its types are partly unknown

        # it logs the addresses that it cannot read, secrets and all
        logging.getLogger("apprise").setLevel(_LOUD)
        service: Any = apprise.Apprise()
        if not service.add(self._url):
            why = "the address is of no service that apprise knows: see docs/how-to/news.md"
            raise DeliveryError(why)
        body = "\n".join(filter(None, (message.text, message.link)))
        return bool(service.notify(title=message.headline, body=body))
