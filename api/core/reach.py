"""How an API is reached: which hosts and origins it takes, and from which address a request comes.

`treadle up` serves one person on loopback; `treadle serve` serves a team at the public URL, with TLS or behind a
proxy that speaks it.
"""

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address
from urllib.parse import urlsplit

from starlette.types import Scope

from api.core.browser_sessions import NAME
from api.core.incoming import values_of
from api.core.problems import RefusedError
from settings import Settings
from settings.serve import Networks, networks

ADDRESS = "treadle.address"
"""The key of the sender's address in a request's scope."""

LOCAL_SOCKET = "local socket"
"""The address of who uses the unix socket."""

_DEFAULT_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class Reach:
    """How one listener is reached."""

    url: str
    """Where browsers have the page, without a slash at the end."""

    hosts: frozenset[str]
    """What the Host header may be."""

    origins: frozenset[str]
    is_team: bool = False
    """Whether others than the owner use it, from other machines."""

    takes_owner: bool = True
    """Whether the owner's token is good here."""

    proxies: Networks | None = None
    """From where connections must come, if it is behind a proxy."""

    @property
    def is_secure(self) -> bool:
        """Whether browsers reach it by HTTPS."""
        return self.url.startswith("https://")

    @property
    def session_host(self) -> str:
        """The host at which the cookies of browsers are valid."""
        return urlsplit(self.url).netloc

    def address_of(self, scope: Scope) -> str:
        """Return the address that a request comes from: the last that no trusted proxy has.

        Raises:
            RefusedError: The connection is of no trusted proxy (403).
        """
        peer = scope.get("client")
        if not peer or not peer[0]:
            return LOCAL_SOCKET
        if self.proxies is None:
            return str(peer[0])
        named = [
            part.strip()
            for value in values_of(scope, b"x-forwarded-for")
            for part in value.split(",")
        ]
        found = _last_untrusted([*named, str(peer[0])], self.proxies)
        if found is None:
            detail = "connect through the proxy: this address is not one of serve.trusted_proxies"
            raise RefusedError(403, "proxy_not_trusted", detail)
        return found


def _last_untrusted(hops: list[str], trusted: Networks) -> str | None:
    """Return the last hop before the trusted ones; None if the connection itself is of another."""
    *before, peer = hops
    if not _is_in(peer, trusted):
        return None
    for hop in reversed(before):
        if not _is_in(hop, trusted):
            return hop[:100]
    return before[0][:100] if before else peer


def _is_in(text: str, trusted: Networks) -> bool:
    found = _address(text)
    return found is not None and any(found in network for network in trusted)


def _address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, IPv6Address) else None
    return mapped or found


def local_reach(port: int) -> Reach:
    """Return how the API of `treadle up` is reached: by names of loopback."""
    names = ("127.0.0.1", "localhost", "[::1]", NAME)
    hosts = frozenset(f"{name}:{port}" for name in names)
    origins = frozenset(f"http://{host}" for host in hosts)
    return Reach(url=f"http://{NAME}:{port}", hosts=hosts, origins=origins)


def team_reach(settings: Settings) -> Reach:
    """Return how the API of `treadle serve` is reached; its settings are checked before (api/serving.py)."""
    url = (settings.public_url or "").rstrip("/")
    parts = urlsplit(url)
    standard = _DEFAULT_PORTS[parts.scheme]
    port = parts.port or standard
    origin = f"{parts.scheme}://{_host(parts.hostname)}" + ("" if port == standard else f":{port}")
    hosts = {origin.partition("://")[2], f"{_host(parts.hostname)}:{port}"}
    return Reach(
        url=origin,
        hosts=frozenset(hosts),
        origins=frozenset({origin}),
        is_team=True,
        takes_owner=settings.serve.takes_owner_token,
        proxies=networks(settings.serve.trusted_proxies) if settings.serve.behind_proxy else None,
    )


def _host(name: str | None) -> str:
    return f"[{name}]" if name and ":" in name else name or ""
