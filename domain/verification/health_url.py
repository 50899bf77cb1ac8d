"""Which URLs a health check may ask: this host's loopback, on a port that the task holds, no other.

Read by one strict pattern, never by a URL parser: what one parser takes for a host another takes for
a password.
"""

import re
from collections.abc import Collection

_URL = re.compile(
    r"http://(?P<host>localhost|127\.0\.0\.1|\[::1\]):(?P<port>[1-9][0-9]{0,4})(?P<rest>[/?].*)?",
    re.ASCII,
)
_VISIBLE = re.compile(r"[!-~]+", re.ASCII)
_NAMED = "http://localhost:"
_LONGEST = 2_000
MAX_PORT = 65_535
_HINT = "give http://localhost:${ports.ID}/…"
_HOSTS = "only localhost, 127.0.0.1 and [::1] are asked"


class UrlRefusedError(ValueError):
    """A URL that is not asked; the message says why."""


def check_url(url: str, ports: Collection[int]) -> int:
    """Return the port of a URL; one that would leave this host's loopback or the task's is refused.

    Raises:
        UrlRefusedError: With one reason.
    """
    match = _URL.fullmatch(url)
    reason = why_never_asked(url)
    if match is not None and not reason and int(match["port"]) not in ports:
        reason = f"port {match['port']} is not one that the task holds: {_HINT}"
    if match is None or reason:
        raise UrlRefusedError(f"{url[:80]!r} is not asked: {reason}")
    return int(match["port"])


def why_never_asked(url: str) -> str:
    """Tell why a URL is asked for no task, whatever ports it holds; empty where it may be asked."""
    if not _VISIBLE.fullmatch(url) or "\\" in url or "#" in url:
        return "it holds characters that a URL is not made of"
    if len(url) > _LONGEST:
        return f"it is longer than {_LONGEST} characters"
    match = _URL.fullmatch(url)
    if match is None or int(match["port"]) > MAX_PORT:
        return _why_not(url)
    return ""


def addresses_of(url: str) -> tuple[str, ...]:
    """Return a checked URL by the addresses that its host means.

    No resolver is asked what `localhost` is: where /etc/hosts does not say it, one of the network could.
    """
    if not url.startswith(_NAMED):
        return (url,)
    return tuple(url.replace(_NAMED, f"http://{host}:", 1) for host in ("127.0.0.1", "[::1]"))


def _why_not(url: str) -> str:
    """Tell what keeps a URL of plain characters from being one that is asked."""
    scheme, _, rest = url.partition("://")
    if scheme != "http":
        return f"only http is asked: {_HINT}"
    authority = re.split(r"[/?]", rest, maxsplit=1)[0]
    if "@" in authority:
        return "it has a user name"
    host, _, port = authority.rpartition(":")
    if host not in {"localhost", "127.0.0.1", "[::1]"}:
        return f"{_HOSTS}, with a port: {_HINT}"
    return f"{port[:20]!r} is not a port: {_HINT}"
