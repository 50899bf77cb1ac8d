"""Who sent a delivery: its signature by one of the sender's secrets, its id, and its event.

GitHub and Gitea sign the body alone, GitLab's token signs nothing; there the id is not proven, and
a delivery is known by its body as well. Standard Webhooks, which GitLab's newer signing token follows,
sign id and time too.
"""

import hashlib
import hmac
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from standardwebhooks.webhooks import (
    EmptyWebhookSecretError,
    Webhook,
    WebhookVerificationError,
)

from domain.forges.received import Refusal

MAX_ID = 200
TOLERANCE_SECONDS = 300
"""How old or how new a signed time may be; it is the library's, and the specification's."""

_ID = re.compile(r"[A-Za-z0-9._:=+/-]{1,200}", re.ASCII)
_EVENT = re.compile(r"[A-Za-z0-9._:/ -]{1,100}", re.ASCII)
_STANDARD = "webhook-signature"


class NotProvenError(Exception):
    """A delivery is not proven to be the sender's; `reason` says why, and nothing says by which secret."""

    def __init__(self, reason: Refusal) -> None:
        super().__init__(reason.value)
        self.reason = reason


@dataclass(frozen=True)
class Proven:
    """A delivery of whom it says: its id, its event, and the digest of its body where only that is signed."""

    delivery_id: str
    event: str
    digest: str = ""


Headers = Mapping[str, str]
Check = Callable[[Sequence[str], Headers, bytes], None]


def prove(kind: str, secrets: Sequence[str], headers: Headers, body: bytes) -> Proven:
    """Return what a delivery is, by the headers in lower case and the body as it came.

    Every secret is tried, so that the time says nothing about which one fits.

    Raises:
        NotProvenError: No secret fits, its time is not now, or it has no id.
    """
    check = _CHECKS[kind]
    if kind == "gitlab" and _STANDARD in headers:
        check = _standard
    check(secrets, headers, body)
    return _identified(kind, headers, body)


def _identified(kind: str, headers: Headers, body: bytes) -> Proven:
    ids = (headers.get(name, "") for name in _IDS[kind])
    delivery_id = next((text for text in ids if text), "")
    event = headers.get(_EVENTS[kind], "") if kind in _EVENTS else ""
    if not _ID.fullmatch(delivery_id):
        raise NotProvenError(Refusal.NO_DELIVERY_ID)
    is_whole = kind == "standard" or (kind == "gitlab" and _STANDARD in headers)
    return Proven(
        delivery_id=delivery_id,
        event=event if _EVENT.fullmatch(event) else "",
        digest="" if is_whole else hashlib.sha256(event.encode() + b"\0" + body).hexdigest(),
    )


def _of_body(header: str, prefix: str = "") -> Check:
    def check(secrets: Sequence[str], headers: Headers, body: bytes) -> None:
        given = headers.get(header, "").encode()
        fits = [
            hmac.compare_digest(
                prefix.encode() + hmac.new(key.encode(), body, hashlib.sha256).hexdigest().encode(),
                given,
            )
            for key in secrets
        ]
        if not any(fits):
            raise NotProvenError(Refusal.BAD_SIGNATURE)

    return check


def _token(secrets: Sequence[str], headers: Headers, body: bytes) -> None:
    del body
    given = headers.get("x-gitlab-token", "").encode()
    fits = [hmac.compare_digest(key.encode(), given) for key in secrets]
    if not any(fits):
        raise NotProvenError(Refusal.BAD_SIGNATURE)


def _standard(secrets: Sequence[str], headers: Headers, body: bytes) -> None:
    reasons = [_standard_refusal(key, headers, body) for key in secrets]
    if None in reasons:
        return
    is_late = Refusal.OUT_OF_TIME in reasons
    raise NotProvenError(Refusal.OUT_OF_TIME if is_late else Refusal.BAD_SIGNATURE)


def _standard_refusal(key: str, headers: Headers, body: bytes) -> Refusal | None:
    try:
        Webhook(key).verify(body, dict(headers), json_parse=False)
    except WebhookVerificationError as error:
        is_late = "timestamp too" in str(error)
        return Refusal.OUT_OF_TIME if is_late else Refusal.BAD_SIGNATURE
    except (ValueError, OverflowError, EmptyWebhookSecretError):  # no base64, UTF-8 or time at all
        return Refusal.BAD_SIGNATURE
    return None


_CHECKS: Mapping[str, Check] = {
    "github": _of_body("x-hub-signature-256", "sha256="),
    "gitea": _of_body("x-gitea-signature"),
    "gitlab": _token,
    "standard": _standard,
}
_IDS: Mapping[str, tuple[str, ...]] = {
    "github": ("x-github-delivery",),
    "gitea": ("x-gitea-delivery",),
    "gitlab": ("webhook-id", "idempotency-key", "x-gitlab-event-uuid"),
    "standard": ("webhook-id",),
}
_EVENTS: Mapping[str, str] = {
    "github": "x-github-event",
    "gitea": "x-gitea-event",
    "gitlab": "x-gitlab-event",
}
