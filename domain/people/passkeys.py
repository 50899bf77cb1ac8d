"""Local people with passkeys: invitations, the passkeys that they register, and how these sign them in."""

import hmac
from datetime import datetime, timedelta
from enum import StrEnum

from domain.core.errors import ConflictError, NotFoundError
from domain.core.wire import Wire
from domain.people.sign_ins import SignInRefusedError

LASTS = timedelta(minutes=5)
"""How long a person may take at the authenticator."""

MOST = 20
"""How many passkeys a person has at most."""

ISSUER = "passkey"
"""Who vouches for a person who signed in with a passkey, where others name their provider."""


class PersonInvitationError(NotFoundError):
    """The invitation is unknown, was used, was revoked, or has expired: ask an admin for a new one."""

    type = "person_invitation_ended"
    status = 410


class LastPasskeyError(ConflictError):
    """It is the only passkey that you have: without it you get in only with a new invitation."""

    type = "last_passkey"


class Step(StrEnum):
    """What a challenge was made for; it is good for nothing else."""

    INVITATION = "invitation"
    ADDITION = "addition"
    SIGN_IN = "sign_in"


class PersonInvitation(Wire):
    """What lets one person register a passkey, once."""

    invitation_id: str
    person: str
    created_by: str
    created_at: datetime
    expires_at: datetime
    used_at: datetime | None = None
    revoked_at: datetime | None = None

    def refuse_ended(self, now: datetime) -> None:
        """Refuse one that lets nobody in.

        Raises:
            PersonInvitationError: It was used, was revoked, or has expired.
        """
        ending = "was used" if self.used_at else "was revoked" if self.revoked_at else ""
        if not ending and now < self.expires_at:
            return
        raise PersonInvitationError(
            f"this invitation {ending or 'has expired'}: ask an admin for a new one"
        )


class Passkey(Wire):
    """A passkey of a person: its public half."""

    passkey_id: str
    person: str
    name: str
    credential_id: str
    """What the authenticator calls it, in base64url."""
    public_key: str
    """A COSE key, in base64url."""
    handle: str
    """What the authenticator calls the person, in base64url: the same for all their passkeys."""
    uses: int
    """The authenticator's counter, as it was at the last use; 0 for those that do not count."""
    created_at: datetime
    used_at: datetime | None = None

    def used(self, uses: int, handle: str, now: datetime) -> "Passkey":
        """Return it after a use that its signature proves.

        Raises:
            SignInRefusedError: The authenticator names another person, or has counted fewer uses than before.
        """
        if not hmac.compare_digest(handle.encode(), self.handle.encode()):
            raise SignInRefusedError("this passkey was made for another person")
        if uses <= self.uses and (uses or self.uses):
            raise SignInRefusedError(
                "this passkey counts fewer uses than were seen, so there may be a copy of it: ask an admin to "
                "revoke it with `treadle people revoke`, and for a new invitation"
            )
        return self.model_copy(update={"uses": uses, "used_at": now})


class PasskeyChallenge(Wire):
    """What an authenticator signs, once, and what for."""

    challenge: str
    """Random bytes in base64url."""
    step: Step
    person: str = ""
    """Whose passkey is registered; empty where one signs in."""
    handle: str = ""
    invitation_id: str = ""
    expires_at: datetime

    def refuse_other(self, step: Step, person: str, now: datetime) -> None:
        """Refuse one that was made for something else.

        Raises:
            SignInRefusedError: It was, or it has expired.
        """
        if self.step is not step or self.person != person or now >= self.expires_at:
            raise unknown_challenge()


def unknown_challenge() -> SignInRefusedError:
    """Return the refusal of a challenge that was not given, was answered, or has expired."""
    return SignInRefusedError("this took too long, or was sent twice: start again")
