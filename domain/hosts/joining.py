"""How a machine joins: with an invitation that is good once, and what it gets for it."""

from datetime import datetime
from ipaddress import ip_address

from domain.core.errors import ConflictError, ForbiddenError
from domain.core.wire import Wire

PREFIX = "trdlj_"
"""What the token of each invitation begins with, so that scanners of secrets find one that was leaked."""


class InvitationUnknownError(ForbiddenError):
    """No invitation has this token; `treadle hosts invite` makes one."""

    type = "invitation_unknown"


class InvitationExpiredError(ForbiddenError):
    """The invitation has expired or was revoked; `treadle hosts invite` makes another."""

    type = "invitation_expired"


class InvitationUsedError(ConflictError):
    """Another machine has joined with this invitation; each is good for one."""

    type = "invitation_used"


class HostNameTakenError(ConflictError):
    """Another host has this name; the message says which, and how to choose another."""

    type = "host_name_taken"


class NotSharedError(ConflictError):
    """Another machine cannot reach what this server works with; the message says what to change."""

    type = "not_shared"


class Invitation(Wire):
    """An invitation for one machine; its token is shown once, and only its hash is kept."""

    invitation_id: str
    name: str = ""
    """The name that the host gets; empty where it chooses."""
    created_by: str
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None = None
    used_by: str = ""
    """The id of the host that joined with it."""
    revoked_at: datetime | None = None

    def refuse_use(self, now: datetime, *, is_repeated: bool) -> None:
        """Refuse a machine that must not join with it; the one that did may ask again until it expires.

        Raises:
            InvitationExpiredError: It has expired, or was revoked.
            InvitationUsedError: Another machine has joined with it.
        """
        again = "make another one with `treadle hosts invite`"
        if self.revoked_at is not None:
            raise InvitationExpiredError(f"this invitation was revoked: {again}")
        if self.used_at is not None and not is_repeated:
            raise InvitationUsedError(
                f"host {self.used_by} joined with this invitation at {self.used_at:%Y-%m-%d %H:%M} UTC, and it "
                f"is good once: {again}. If that was none of your machines, its keys are known to others"
            )
        if now >= self.expires_at:
            raise InvitationExpiredError(
                f"this invitation expired at {self.expires_at:%Y-%m-%d %H:%M} UTC: {again}"
            )


class JoiningHost(Wire):
    """A machine that wants to join.

    `attempt` is the hash of a secret of its own: with it the machine gets the same answer again where
    the first one was lost. `boot` tells machines apart.
    """

    host: str
    name: str
    attempt: str
    boot: str = ""


def is_loopback(name: str) -> bool:
    """Tell whether a host's name or address, with or without a port, means the machine itself."""
    bare = name.strip().casefold()
    if bare.startswith("["):
        bare = bare[1:].partition("]")[0]
    elif bare.count(":") == 1:
        bare = bare.partition(":")[0]
    if bare in {"", "localhost"} or bare.endswith(".localhost"):
        return True
    try:
        return ip_address(bare).is_loopback
    except ValueError:
        return False


def taken_by(name: str, host: str, others: dict[str, str]) -> None:
    """Refuse a name that another host has; `others` are names by id.

    Raises:
        HostNameTakenError: One has.
    """
    holder = next((each for each, known in others.items() if known == name and each != host), None)
    if holder is not None:
        raise HostNameTakenError(
            f"host {holder} is called {name!r} already: choose another name with --name"
        )
