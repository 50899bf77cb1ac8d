"""News as signed webhooks, by the Standard Webhooks specification."""

import json
from binascii import Error as Base64Error
from datetime import UTC, datetime

import httpx
from standardwebhooks import Webhook
from standardwebhooks.webhooks import EmptyWebhookSecretError

from domain.news.message import Message
from domain.news.ports import DeliveryError

TIMEOUT_SECONDS = 10.0
_REFUSED = frozenset({400, 401, 403, 404, 405, 410, 413, 415, 422})
"""Answers that another try would get again."""

_TOO_MANY = 429
_REDIRECTS = range(300, 400)


class WebhookCarrier:
    """Posts messages to one address: it is configured by whoever runs the engine, and no redirect leads away from it.

    `webhook-id` is the message's id for each try, so that a receiver can tell that it has it already.
    """

    def __init__(self, url: str, secret: str) -> None:
        self._url = url
        self._secret = secret

    async def send(self, message: Message) -> None:
        """Post a message; an answer with 2xx is its receipt.

        Raises:
            DeliveryError: The receiver did not answer, or not with 2xx.
        """
        body = json.dumps(
            {
                "type": f"inbox.{message.kind}",
                "timestamp": message.at.isoformat(),
                "data": message.model_dump(mode="json", exclude={"message_id", "at", "tag"}),
            }
        )
        headers = self._headers(message.message_id, body)
        try:
            async with httpx.AsyncClient(timeout=TIMEOUT_SECONDS, follow_redirects=False) as client:
                answer = await client.post(self._url, content=body, headers=headers)
        except httpx.TimeoutException as error:
            why = f"the receiver did not answer within {TIMEOUT_SECONDS:.0f} s"
            raise DeliveryError(why) from error
        except httpx.HTTPError as error:
            raise DeliveryError(
                f"the receiver cannot be reached ({type(error).__name__})"
            ) from error
        if not answer.is_success:
            raise _refusal(answer.status_code)

    def _headers(self, message_id: str, body: str) -> dict[str, str]:
        now = datetime.now(UTC)
        try:
            signature = Webhook(self._secret).sign(message_id, now, body)
        except (Base64Error, ValueError, EmptyWebhookSecretError) as error:
            why = "its signing key is not as it should be: `whsec_` and a key in Base64"
            raise DeliveryError(why) from error
        return {
            "content-type": "application/json",
            "webhook-id": message_id,
            "webhook-timestamp": str(int(now.timestamp())),
            "webhook-signature": signature,
        }


def _refusal(status: int) -> DeliveryError:
    if status in _REDIRECTS:
        why = f"the receiver answered with a redirect ({status}), which is not followed: configure the new address"
        return DeliveryError(why)
    if status == _TOO_MANY:
        return DeliveryError("the receiver takes no more for now (429)")
    return DeliveryError(f"the receiver answered {status}", is_final=status in _REFUSED)
