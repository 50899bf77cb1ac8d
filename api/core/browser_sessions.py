"""Browser sessions: a link that works once becomes a cookie that is valid for 12 hours.

Links live in memory: a restart invalidates them, so that none is used twice. A cookie is sealed with
the token; a new token invalidates every cookie. On loopback the cookie is not `Secure` and so not named
`__Host-`: over plain http not every browser would send it back. At an HTTPS address it is both.

Browsers send a cookie to every port of its host, and so also to a server that an agent has started on
127.0.0.1 or localhost. Therefore browsers use a host name of their own, which they resolve to loopback
themselves (RFC 6761), and a cookie is valid only there.
"""

import base64
import binascii
import hmac
import secrets
import time
from collections import Counter

from address import PAGE_HOST

LINK_SECONDS = 5 * 60
SESSION_SECONDS = 12 * 60 * 60
LINK_LIMIT = 64
"""How many unused links each subject has at most: of more, its oldest expires."""

LINKS_IN_ALL = 4096
NAME = PAGE_HOST


class BrowserSessions:
    """Creates links and cookies, and checks them; those of one purpose are good for no other."""

    def __init__(
        self,
        token: bytes,
        port: int,
        name: str = NAME,
        purpose: str = "session",
        url: str | None = None,
    ) -> None:
        self._token = token
        self._purpose = purpose
        self._links: dict[str, tuple[float, str]] = {}
        self.port = port
        self.url = url or f"http://{name}:{port}"
        """Where browsers have the page."""
        self.host = self.url.partition("://")[2]
        self.is_secure = self.url.startswith("https://")
        self.cookie_name = f"{'__Host-' if self.is_secure else ''}treadle-{purpose}-{port}"
        """Includes the port, as another engine of this user has the same host."""

    def new_link(self, subject: str = "") -> str:
        """Return the code of a new link; of too many unused ones of a subject, its oldest expires."""
        now = time.monotonic()
        self._links = {code: link for code, link in self._links.items() if now < link[0]}
        self._make_room(subject)
        code = secrets.token_urlsafe(32)
        self._links[code] = (now + LINK_SECONDS, subject)
        return code

    def _make_room(self, subject: str) -> None:
        """Drop the oldest link of whoever has too many: of the subject, or of the one that has the most."""
        held = Counter(of for _, of in self._links.values())
        crowded = subject if held[subject] >= LINK_LIMIT else None
        if crowded is None and len(self._links) >= LINKS_IN_ALL:
            crowded = held.most_common(1)[0][0]
        if crowded is not None:
            del self._links[next(code for code, (_, of) in self._links.items() if of == crowded)]

    def redeem(self, code: str) -> str | None:
        """Return a new cookie for the code of a link, once; None for any other code."""
        ends, subject = self._links.pop(code, (0.0, ""))
        return None if time.monotonic() >= ends else self.new_cookie(subject)

    def new_cookie(self, subject: str = "", seconds: int = SESSION_SECONDS) -> str:
        """Return a new cookie of a subject; the owner's without one."""
        claim = f"{int(time.time()) + seconds}.{secrets.token_urlsafe(16)}"
        if subject:
            claim += f".{base64.urlsafe_b64encode(subject.encode()).decode().rstrip('=')}"
        return f"{claim}.{self._seal(claim)}"

    def is_good(self, cookie: str) -> bool:
        """Tell whether a cookie is genuine, made with the current token, and has not expired."""
        return self.subject_of(cookie) is not None

    def subject_of(self, cookie: str) -> str | None:
        """Return whose session a cookie is, empty for the owner's; None unless it is good."""
        claim, _, seal = cookie.rpartition(".")
        if not hmac.compare_digest(seal.encode(), self._seal(claim).encode()):
            return None
        ends, _, rest = claim.partition(".")
        if time.time() >= int(ends):
            return None
        return _decoded(rest.partition(".")[2])

    def _seal(self, claim: str) -> str:
        sealed = f"browser {self._purpose}\0{claim}"
        return hmac.new(self._token, sealed.encode(), "sha256").hexdigest()


def _decoded(subject: str) -> str:
    try:
        return base64.urlsafe_b64decode(subject + "=" * (-len(subject) % 4)).decode()
    except (binascii.Error, ValueError):  # an older cookie's, which had none
        return ""
