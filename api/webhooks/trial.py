"""A delivery that we send ourselves, signed as a sender signs, to see that the door lets it in."""

import hashlib
import hmac
import json
import uuid
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from typing import Any

import httpx
from pydantic import BaseModel
from standardwebhooks.webhooks import Webhook

from api.webhooks.secrets import WebhookSecretError, checked_secrets
from domain.core.errors import ConflictError
from settings.webhooks import WebhookSender

SECONDS = 10
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - where it listens on all addresses


class Trial(BaseModel):
    """What the door answered to a ping, and to the same one with a signature that is wrong."""

    signed: int
    unsigned: int
    is_fine: bool


async def try_sender(sender: WebhookSender, address: tuple[str, int]) -> Trial:
    """Send two pings to the door.

    Raises:
        ConflictError: The sender has no secret, or nobody answers there.
    """
    try:
        secret = checked_secrets(sender)[0]
    except WebhookSecretError as error:
        raise ConflictError(str(error)) from error
    host = _EVERYWHERE.get(address[0], address[0])
    host = f"[{host}]" if ":" in host else host
    url = f"http://{host}:{address[1]}/hooks/{sender.name}"
    body = json.dumps({"type": "ping", "zen": "treadle"} if sender.kind != "standard" else _PING)
    headers = signed_headers(sender.kind, secret, body.encode(), "ping")
    wrong = {name: _spoilt(value) if name in _PROOFS else value for name, value in headers.items()}
    try:
        async with httpx.AsyncClient(timeout=SECONDS, trust_env=False) as client:
            bad = await client.post(url, content=body, headers=wrong)
            good = await client.post(url, content=body, headers=headers)
    except httpx.HTTPError as error:
        raise ConflictError(f"nobody answers at {host}:{address[1]}: restart the engine") from error
    is_fine = good.is_success and bad.is_client_error
    return Trial(signed=good.status_code, unsigned=bad.status_code, is_fine=is_fine)


_PING: dict[str, Any] = {"type": "ping", "data": {}}
_PROOFS = frozenset(
    {"x-hub-signature-256", "x-gitea-signature", "x-gitlab-token", "webhook-signature"}
)


def signed_headers(kind: str, secret: str, body: bytes, event: str) -> dict[str, str]:
    """Return the headers with which a sender of a kind would send a body now."""
    return {"content-type": "application/json", **_SIGNERS[kind](secret, body, event)}


def _digest(secret: str, body: bytes) -> str:
    return hmac.new(secret.encode(), body, hashlib.sha256).hexdigest()


def _github(secret: str, body: bytes, event: str) -> dict[str, str]:
    proof = {"x-hub-signature-256": f"sha256={_digest(secret, body)}"}
    return {"x-github-event": event, "x-github-delivery": str(uuid.uuid4()), **proof}


def _gitea(secret: str, body: bytes, event: str) -> dict[str, str]:
    proof = {"x-gitea-signature": _digest(secret, body)}
    return {"x-gitea-event": event, "x-gitea-delivery": str(uuid.uuid4()), **proof}


def _gitlab(secret: str, body: bytes, event: str) -> dict[str, str]:
    about = {"x-gitlab-event": event, "x-gitlab-event-uuid": str(uuid.uuid4())}
    if secret.startswith("whsec_"):
        return {**about, **_standard(secret, body, event)}
    return {**about, "x-gitlab-token": secret}


def _standard(secret: str, body: bytes, _event: str) -> dict[str, str]:
    delivery, now = f"msg_{uuid.uuid4().hex}", datetime.now(UTC)
    return {
        "webhook-id": delivery,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": Webhook(secret).sign(delivery, now, body.decode()),
    }


_SIGNERS: Mapping[str, Callable[[str, bytes, str], dict[str, str]]] = {
    "github": _github,
    "gitea": _gitea,
    "gitlab": _gitlab,
    "standard": _standard,
}


def _spoilt(value: str) -> str:
    """Return a proof with its last character but one replaced."""
    return f"{value[:-3]}{'A' if value[-3] != 'A' else 'B'}{value[-2:]}"
