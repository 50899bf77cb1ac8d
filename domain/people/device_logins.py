"""Signing in a program without a browser: it shows a code, which a person confirms in a browser (RFC 8628)."""

import secrets
from datetime import datetime, timedelta
from enum import StrEnum

from domain.core.errors import ForbiddenError, InvalidError, NotFoundError
from domain.core.wire import Wire
from domain.people.access import Caller
from domain.people.roles import Role, lowest

CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""No vowels, so that no words come about, and no digits, which look like letters."""

CODE_LENGTH = 8
LASTS = timedelta(minutes=10)
INTERVAL_SECONDS = 5
SLOWER_SECONDS = 5
LEEWAY_SECONDS = 1


class AuthorizationPendingError(InvalidError):
    """Nobody has confirmed the code yet: ask again after the interval."""

    type = "authorization_pending"
    status = 400


class SlowDownError(InvalidError):
    """The program asked too soon: its interval is five seconds longer from now on."""

    type = "slow_down"
    status = 400


class AccessDeniedError(ForbiddenError):
    """A person denied the sign-in of a program."""

    type = "access_denied"


class ExpiredCodeError(NotFoundError):
    """The code is unknown, was used, or has expired: run `treadle login` again."""

    type = "expired_token"
    status = 400


class DeviceState(StrEnum):
    """How a sign-in stands."""

    PENDING = "pending"
    CONFIRMED = "confirmed"
    DENIED = "denied"
    DONE = "done"


class DeviceLogin(Wire):
    """A program that asks to be signed in, and who confirmed it."""

    user_code: str
    """What the program shows, and the person compares."""
    machine: str
    """What the program says that its machine is called."""
    address: str
    """From where it asks."""
    scope: Role
    """The most that it asks for."""
    days: int
    created_at: datetime
    expires_at: datetime
    interval: int = INTERVAL_SECONDS
    polled_at: datetime | None = None
    state: DeviceState = DeviceState.PENDING
    confirmed_by: Caller | None = None

    def is_open(self, now: datetime) -> bool:
        """Tell whether a person may still decide."""
        return self.state is DeviceState.PENDING and now < self.expires_at

    def asked_again(self, now: datetime) -> "DeviceLogin":
        """Return it after its program asked: with a longer interval, if that was too soon."""
        due = self.polled_at and self.polled_at + timedelta(seconds=self.interval - LEEWAY_SECONDS)
        more = SLOWER_SECONDS if due and now < due else 0
        return self.model_copy(update={"polled_at": now, "interval": self.interval + more})

    def confirmed(self, caller: Caller) -> "DeviceLogin":
        """Return it after a person confirmed it, with at most the scope of their credentials."""
        scope = lowest(self.scope, caller.scope)
        update = {"state": DeviceState.CONFIRMED, "confirmed_by": caller, "scope": scope}
        return self.model_copy(update=update)


def new_user_code() -> str:
    """Return an unguessable code that people can read out, like `WDJB-MJHT`."""
    letters = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
    return f"{letters[:4]}-{letters[4:]}"


def spelled(typed: str) -> str:
    """Return a code as it is kept, however a person typed it."""
    letters = "".join(letter for letter in typed.upper() if letter.isalnum())
    return f"{letters[:4]}-{letters[4:]}"


def refuse_ended(login: DeviceLogin | None, now: datetime) -> DeviceLogin:
    """Return a sign-in that goes on.

    Raises:
        AccessDeniedError: A person denied it.
        ExpiredCodeError: It is unknown, was used, or has expired.
    """
    if login is not None and login.state is DeviceState.DENIED:
        raise AccessDeniedError("the sign-in was denied in the browser")
    if login is None or login.state is DeviceState.DONE or now >= login.expires_at:
        raise ExpiredCodeError("this code was used or has expired: run `treadle login` again")
    return login
