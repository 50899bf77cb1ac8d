"""News to browsers by their push services: encrypted for the browser (RFC 8291), signed by us (RFC 8292)."""

import base64
import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping
from http import HTTPStatus
from typing import Any
from urllib.parse import urlsplit

import httpx
from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

from domain.news.message import Message
from domain.news.ports import DeliveryError
from domain.news.push import PushSubscription

TIMEOUT_SECONDS = 10.0
TTL_SECONDS = 86_400
"""How long the service keeps a message for a browser that is away."""

MAX_TEXT = 1500
"""Characters of the text: a message has at most 4096 bytes."""

_GONE = frozenset({HTTPStatus.NOT_FOUND, HTTPStatus.GONE})
_REFUSED = frozenset({400, 401, 403, 405, 413})


class PushCarrier:
    """Sends messages to one browser.

    All about one card have one topic and one tag, so that a message that is sent again takes the place of the first.
    A subscription that the service does not know any more is `forgotten`.
    """

    def __init__(
        self,
        subscription: PushSubscription,
        key: EllipticCurvePrivateKey,
        contact: str,
        forget: Callable[[], Awaitable[object]],
    ) -> None:
        self._subscription = subscription
        self._key = key
        self._contact = contact
        self._forget = forget

    async def send(self, message: Message) -> None:
        """Send a message; the service has then taken it.

        Raises:
            DeliveryError: It did not.
        """
        body, headers = self._sealed(message)
        endpoint = self._subscription.endpoint
        try:
            async with httpx.AsyncClient(timeout=TIMEOUT_SECONDS, follow_redirects=False) as client:
                answer = await client.post(endpoint, content=body, headers=headers)
        except httpx.TimeoutException as error:
            why = f"the push service did not answer within {TIMEOUT_SECONDS:.0f} s"
            raise DeliveryError(why) from error
        except httpx.HTTPError as error:
            why = f"the push service cannot be reached ({type(error).__name__})"
            raise DeliveryError(why) from error
        if answer.status_code in _GONE:
            await self._forget()
            raise DeliveryError("the browser has ended its subscription", is_final=True)
        if not answer.is_success:
            why = f"the push service answered {answer.status_code}"
            raise DeliveryError(why, is_final=answer.status_code in _REFUSED)

    def _sealed(self, message: Message) -> tuple[bytes, Mapping[str, str]]:
        # loaded where somebody has subscribed: it brings two HTTP clients along, which are not used; its types are unknown
        from py_vapid import Vapid02  # pyright: ignore[reportMissingTypeStubs]
        from pywebpush import (  # pyright: ignore[reportMissingTypeStubs]
            WebPusher,
            WebPushException,
        )

        found = self._subscription
        keys = {"p256dh": found.p256dh, "auth": found.auth}
        pusher: Any = WebPusher
        try:
            sealed = pusher({"endpoint": found.endpoint, "keys": keys}).encode(_body(message))
        except (WebPushException, ValueError) as error:
            why = "the browser's keys are not as they should be: subscribe it again"
            raise DeliveryError(why, is_final=True) from error
        parts = urlsplit(found.endpoint)
        signer: Any = Vapid02
        claims = {"aud": f"{parts.scheme}://{parts.netloc}", "sub": self._contact}
        signed: Mapping[str, str] = signer(self._key).sign(claims)
        return sealed["body"], {
            **signed,
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(TTL_SECONDS),
            "Topic": _topic(message),
            "Urgency": "normal",
        }


def _body(message: Message) -> bytes:
    parts = urlsplit(message.link)
    said = {
        "title": message.headline,
        "text": message.text[:MAX_TEXT],
        "tag": f"treadle-{message.tag}",
        "href": f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}",
    }
    return json.dumps(said, ensure_ascii=False).encode()


def _topic(message: Message) -> str:
    """Return at most 32 characters for one card, from which nobody reads its id."""
    digest = hashlib.sha256((message.tag or message.message_id).encode()).digest()
    return base64.urlsafe_b64encode(digest).decode()[:32]
