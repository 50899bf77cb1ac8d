"""Signing in with an identity provider: who its claims say a person is, and how long they stay signed in."""

import re
from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast

from domain.core.errors import ForbiddenError, TreadleError
from domain.core.wire import Wire
from domain.people.directory import PERSON

MAX_GROUPS = 500


class SignInRefusedError(ForbiddenError):
    """The identity provider does not say who you are, or you have no role here; the message says which."""

    type = "sign_in_refused"


class ProviderError(TreadleError):
    """The identity provider does not answer, or not as it should; try again later."""

    type = "provider_unreachable"
    status = 503


class ClaimRules(Wire):
    """Which claims of a provider say who a person is."""

    name_claim: str = "email"
    groups_claim: str = "groups"
    is_verification_said: bool = True
    """Whether whoever signs the claims says of an address whether it is verified; a proxy may not."""


class Identity(Wire):
    """Who a provider says that somebody is: for itself by issuer and subject, for people by a name."""

    issuer: str
    subject: str
    person: str
    groups: tuple[str, ...] = ()


class SignIn(Wire):
    """A person who is signed in in one browser."""

    sign_in_id: str
    person: str
    groups: tuple[str, ...] = ()
    issuer: str = ""
    subject: str = ""
    address: str = ""
    """Where it began."""
    passkey_id: str = ""
    """With which passkey it began."""
    created_at: datetime
    ends_at: datetime
    checked_at: datetime
    """When the provider last said that the person may stay signed in."""
    ended_at: datetime | None = None
    sealed: str = ""
    """The provider's tokens, sealed."""

    def is_good(self, now: datetime) -> bool:
        """Tell whether the person is still signed in."""
        return self.ended_at is None and now < self.ends_at


def identity_from(claims: Mapping[str, Any], rules: ClaimRules) -> Identity:
    """Return who the claims of a provider say that somebody is.

    An address counts only if the provider has verified it, as roles are given by names. A proxy that says
    nothing about it knows only addresses that it signed in.

    Raises:
        SignInRefusedError: The claim with the name is missing, or is no name.
    """
    issuer, subject = claims.get("iss"), claims.get("sub")
    name = claims.get(rules.name_claim)
    if not isinstance(issuer, str) or not isinstance(subject, str) or not subject:
        raise SignInRefusedError("the identity provider names no issuer and subject")
    if not isinstance(name, str) or not name:
        raise SignInRefusedError(
            f"the identity provider sends no claim {rules.name_claim!r}, which names people here: "
            "an admin adds it there, or chooses another name claim"
        )
    verified = claims.get("email_verified", not rules.is_verification_said)
    if rules.name_claim == "email" and verified not in {True, "true"}:
        raise SignInRefusedError(
            f"the identity provider has not verified the address {name[:100]!r}: verify it there first"
        )
    if not re.fullmatch(PERSON, name):
        raise SignInRefusedError(f"{name[:100]!r} is no name that people can have here")
    return Identity(
        issuer=issuer, subject=subject, person=name, groups=_groups(claims.get(rules.groups_claim))
    )


def _groups(found: Any) -> tuple[str, ...]:
    if isinstance(found, str):
        return (found,)
    if not isinstance(found, list):
        return ()
    named = [each for each in cast("list[Any]", found) if isinstance(each, str) and each]
    return tuple(dict.fromkeys(named))[:MAX_GROUPS]
