"""What carries messages, as the follower of the news knows it."""

from typing import Protocol

from domain.news.message import Message


class DeliveryError(Exception):
    """A message was not taken; says why in words without an address or a secret.

    What is final would fail again: it is not tried again. What is doubtful may have arrived all the same.
    """

    def __init__(self, reason: str, *, is_final: bool = False, is_doubtful: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_final = is_final
        self.is_doubtful = is_doubtful


class Carrier(Protocol):
    """Sends the messages of one channel."""

    async def send(self, message: Message) -> None:
        """Send a message; returns once the receiver has taken it.

        Raises:
            DeliveryError: It was not taken.
        """
        ...
