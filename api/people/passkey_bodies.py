"""Bodies of requests about passkeys, and what is answered."""

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, Field

from api.core.bodies import CommandBody, Name
from domain.core.wire import Body
from domain.people.passkeys import Passkey

Secret = Annotated[str, Field(min_length=20, max_length=100)]


class InvitedBody(Body):
    """The secret of an invitation, from the end of its link."""

    invitation: Secret


class PasskeyAnswerBody(Body):
    """What a passkey answered to `options`."""

    ceremony: Secret
    credential: Annotated[dict[str, Any], Field(max_length=20)]


class NamedAnswerBody(PasskeyAnswerBody):
    """The same for a passkey that is new, with what it is called in lists."""

    name: Name = "passkey"


class RemovalBody(CommandBody):
    """Which passkey goes is in the path; with `is_forced` also the only one."""

    is_forced: bool = False


class PasskeyOptions(BaseModel):
    """What a browser asks a passkey with, within five minutes; `ceremony` goes back with its answer."""

    ceremony: str
    person: str
    """Whose passkey it will be; empty where anybody signs in."""
    options: dict[str, Any]


class SignedIn(BaseModel):
    """Who is signed in now: the cookie of the answer says so."""

    person: str


class PasskeyView(BaseModel):
    """A passkey, without its key."""

    passkey_id: str
    name: str
    created_at: datetime
    used_at: datetime | None
    is_current: bool = False
    """Whether the session that asks began with it."""

    @classmethod
    def of(cls, passkey: Passkey, current: str = "") -> "PasskeyView":
        """Return what people see of a passkey."""
        shown = passkey.model_dump(include=set(cls.model_fields))
        return cls.model_validate({**shown, "is_current": passkey.passkey_id == current})


class RemovedPasskeyView(PasskeyView):
    """A passkey that was removed, and how many of your tokens were revoked with it."""

    tokens: int


class PasskeyList(BaseModel):
    """Your passkeys, the oldest first."""

    passkeys: list[PasskeyView]
    may_add: bool
    """Whether you may register another one here: people sign in with passkeys, and so did you in this browser."""
