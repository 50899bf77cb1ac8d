"""A channel that can carry nothing, and says why."""

from domain.news.message import Message
from domain.news.ports import DeliveryError


class Unable:
    """Takes no message: what it needs is not there."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    async def send(self, message: Message) -> None:  # noqa: ARG002
        """Refuse a message; it is tried again, for what is missing may come.

        Raises:
            DeliveryError: Always.
        """
        raise DeliveryError(self._reason)
