"""Browsers that news are pushed to: their subscriptions, the rules of each, and whose addresses are taken."""

import re
from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256
from urllib.parse import urlsplit

from domain.core.errors import InvalidError
from domain.core.wire import Wire
from domain.news.channel import Channel, ChannelKind, Content
from domain.reading.inbox.item import InboxKind

MOST = 20
"""Browsers of one person."""

SERVICES = (
    "fcm.googleapis.com",
    "push.services.mozilla.com",
    "push.apple.com",
    "notify.windows.com",
)
"""Where browsers' push services are; a name stands for those below it as well."""

_KEY = re.compile("[A-Za-z0-9_-]{87}=?", re.ASCII)
_SECRET = re.compile("[A-Za-z0-9_-]{22}(==)?", re.ASCII)
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


class PushError(InvalidError):
    """A subscription is none that can be sent to."""

    type = "invalid_push_subscription"


class PushRules(Wire):
    """Which news a browser takes, and when: as those of a channel in the settings."""

    content: Content = Content.TITLE
    kinds: tuple[InboxKind, ...] = ()
    projects: tuple[str, ...] = ()
    quiet: str = ""
    digest: str = ""
    zone: str = ""


class PushSubscription(Wire):
    """A browser of a person: its address is a secret of the push service, its keys encrypt what is sent."""

    subscription_id: str
    person: str
    browser: str
    endpoint: str
    p256dh: str
    auth: str
    made_at: datetime
    rules: PushRules = PushRules()

    @property
    def channel(self) -> Channel:
        """The channel that the browser is."""
        rules = self.rules.model_dump()
        name = channel_of(self.subscription_id)
        return Channel(name=name, kind=ChannelKind.PUSH, people=(self.person,), **rules)


def channel_of(subscription_id: str) -> str:
    """Return what the channel is called that a browser is."""
    return f"push-{subscription_id}"


def subscription_id_of(endpoint: str) -> str:
    """Return the id of the browser with an address: it has one subscription, however often it is sent."""
    return sha256(endpoint.encode()).hexdigest()[:24]


def check_subscription(endpoint: str, p256dh: str, auth: str, more: Sequence[str]) -> None:
    """Refuse what is no subscription at a known push service, so that nobody makes the worker ask other servers.

    `more` are services that whoever runs the engine has named; only one of them may be this machine, without TLS.

    Raises:
        PushError: It is none.
    """
    try:
        parts = urlsplit(endpoint)
        host, has_port = parts.hostname or "", parts.port is not None
    except ValueError as error:
        raise PushError("the endpoint is no address") from error
    is_here = host in _LOOPBACK and host in more
    is_known = any(host == name or host.endswith(f".{name}") for name in (*SERVICES, *more))
    is_address = endpoint.isascii() and endpoint.isprintable() and " " not in endpoint
    if not is_address:
        raise PushError("the endpoint is no address: it has characters that none has")
    if not is_known or "@" in parts.netloc:
        raise PushError(
            f"{host[:80]!r} is no push service that is known here: whoever runs the engine may name it in "
            "TREADLE_PUSH_SERVICES"
        )
    if not is_here and (parts.scheme != "https" or has_port):
        raise PushError("the endpoint must begin with https:// and have no port")
    if not _KEY.fullmatch(p256dh) or not _SECRET.fullmatch(auth):
        raise PushError(
            "`p256dh` and `auth` are not the keys of a subscription, in Base64 for URLs"
        )
