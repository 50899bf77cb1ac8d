"""How a browser gets in: a link that works once becomes a cookie of 12 hours.

The links live in memory: a restart forgets them, so that none is ever taken twice. A cookie is
sealed with the token; a new token makes every cookie worthless. The cookie is not `Secure` and so
not named `__Host-`: over plain http on loopback not every browser would send it back.

Browsers give a cookie to every port of its host, so also to a server that an agent has started on
127.0.0.1 or localhost. Therefore browsers get in under a name of their own, which browsers resolve
to loopback themselves (RFC 6761), and a cookie counts under no other.
"""

import hmac
import secrets
import time

LINK_SECONDS = 5 * 60
SESSION_SECONDS = 12 * 60 * 60
LINK_LIMIT = 16
NAME = "treadle.localhost"


class BrowserSessions:
    """Makes links and cookies, and tells whether one is good."""

    def __init__(self, token: bytes, port: int) -> None:
        self._token = token
        self._links: dict[str, float] = {}
        self.port = port
        self.host = f"{NAME}:{port}"
        self.cookie_name = f"treadle-session-{port}"
        """With the port in it: another engine of this user has the same host."""

    def new_link(self) -> str:
        """Return the code of a new link; the oldest of too many open ones is forgotten."""
        while len(self._links) >= LINK_LIMIT:
            del self._links[next(iter(self._links))]
        code = secrets.token_urlsafe(32)
        self._links[code] = time.monotonic() + LINK_SECONDS
        return code

    def redeem(self, code: str) -> str | None:
        """Return a new cookie for the code of a link, once; None for every other code."""
        ends = self._links.pop(code, 0.0)
        if time.monotonic() >= ends:
            return None
        claim = f"{int(time.time()) + SESSION_SECONDS}.{secrets.token_urlsafe(16)}"
        return f"{claim}.{self._seal(claim)}"

    def is_good(self, cookie: str) -> bool:
        """Tell whether a cookie is one of ours, made with the present token, and not too old."""
        claim, _, seal = cookie.rpartition(".")
        if not hmac.compare_digest(seal.encode(), self._seal(claim).encode()):
            return False
        return time.time() < int(claim.partition(".")[0])

    def _seal(self, claim: str) -> str:
        return hmac.new(self._token, b"browser session\0" + claim.encode(), "sha256").hexdigest()
