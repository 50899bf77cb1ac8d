"""Browser sessions: a link that works once becomes a cookie that is valid for 12 hours.

Links live in memory: a restart invalidates them, so that none is used twice. A cookie is sealed with
the token; a new token invalidates every cookie. The cookie is not `Secure` and so not named
`__Host-`: over plain http on loopback not every browser would send it back.

Browsers send a cookie to every port of its host, and so also to a server that an agent has started on
127.0.0.1 or localhost. Therefore browsers use a host name of their own, which they resolve to loopback
themselves (RFC 6761), and a cookie is valid only there.
"""

import hmac
import secrets
import time

LINK_SECONDS = 5 * 60
SESSION_SECONDS = 12 * 60 * 60
LINK_LIMIT = 16
NAME = "treadle.localhost"


class BrowserSessions:
    """Creates links and cookies, and checks them; those of one purpose are good for no other."""

    def __init__(self, token: bytes, port: int, name: str = NAME, purpose: str = "session") -> None:
        self._token = token
        self._purpose = purpose
        self._links: dict[str, float] = {}
        self.port = port
        self.host = f"{name}:{port}"
        self.cookie_name = f"treadle-{purpose}-{port}"
        """Includes the port, as another engine of this user has the same host."""

    def new_link(self) -> str:
        """Return the code of a new link; the oldest of too many unused ones expires."""
        while len(self._links) >= LINK_LIMIT:
            del self._links[next(iter(self._links))]
        code = secrets.token_urlsafe(32)
        self._links[code] = time.monotonic() + LINK_SECONDS
        return code

    def redeem(self, code: str) -> str | None:
        """Return a new cookie for the code of a link, once; None for any other code."""
        ends = self._links.pop(code, 0.0)
        if time.monotonic() >= ends:
            return None
        claim = f"{int(time.time()) + SESSION_SECONDS}.{secrets.token_urlsafe(16)}"
        return f"{claim}.{self._seal(claim)}"

    def is_good(self, cookie: str) -> bool:
        """Tell whether a cookie is genuine, made with the current token, and has not expired."""
        claim, _, seal = cookie.rpartition(".")
        if not hmac.compare_digest(seal.encode(), self._seal(claim).encode()):
            return False
        return time.time() < int(claim.partition(".")[0])

    def _seal(self, claim: str) -> str:
        sealed = f"browser {self._purpose}\0{claim}"
        return hmac.new(self._token, sealed.encode(), "sha256").hexdigest()
