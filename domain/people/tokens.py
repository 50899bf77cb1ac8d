"""Personal access tokens: what is known of one. The token itself is shown once, and kept nowhere."""

import hashlib
from datetime import datetime

from domain.core.wire import Wire
from domain.people.roles import Role

PREFIX = "trdl_"
"""What every token begins with, so that scanners of secrets find one that was leaked."""


BELOW = "."
"""What stands between the id of a token and that of one that it made: they end together."""


class Token(Wire):
    """A token of a person, which gives at most the role `scope` in the named projects."""

    token_id: str
    person: str
    name: str
    scope: Role
    is_owner: bool = False
    """Whether it is of the user that the server runs as, whom no directory needs to name."""
    projects: tuple[str, ...] = ()
    """Where it may be used; everywhere without any."""
    groups: tuple[str, ...] = ()
    """The groups that the identity provider named when it was made."""
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None = None
    revoked_at: datetime | None = None
    passkey_id: str = ""
    """The passkey of the session in which it was made; the token ends with it."""

    @property
    def made_by(self) -> str:
        """The id of the token that made it; empty where a person did."""
        return self.token_id.rpartition(BELOW)[0]

    def is_good(self, now: datetime) -> bool:
        """Tell whether it may still be used."""
        return self.revoked_at is None and now < self.expires_at


def token_hash(token: str) -> str:
    """Return what is kept of a token; it is random and long, so a fast hash is enough."""
    return hashlib.sha256(token.encode()).hexdigest()
