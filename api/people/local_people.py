"""Local people: an admin invites them, and revokes what lets them in."""

from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, Field

from api.core.bodies import CommandBody
from api.core.dependencies import ThreadLists
from api.core.passkey_sign_ins import PasskeySignIns
from api.core.permissions import OF_SERVER, AccessDep
from api.core.problems import RefusedError
from domain.people.directory import PERSON
from domain.people.revocation import Revoked

MAX_HOURS = 24 * 14

router = APIRouter(tags=["people"], dependencies=[OF_SERVER])

Person = Annotated[str, Path(pattern=PERSON, max_length=100)]


class InvitationHours(CommandBody):
    """How long an invitation is good."""

    hours: Annotated[int, Field(ge=1, le=MAX_HOURS)] = 24


class InvitedPerson(BaseModel):
    """An invitation; its link, which holds the secret, is shown this once."""

    person: str
    url: str
    expires_at: datetime


@router.post("/people/{person}/invite", status_code=201)
async def invite(
    person: Person, body: InvitationHours, request: Request, journal: ThreadLists, access: AccessDep
) -> InvitedPerson:
    """Make the link with which a person registers a passkey, once; an earlier link is good no more."""
    passkeys: PasskeySignIns | None = request.app.state.passkeys
    if passkeys is None:
        detail = (
            "set TREADLE_PASSKEYS=true and TREADLE_PUBLIC_URL: nobody signs in with passkeys yet"
        )
        raise RefusedError(409, "passkeys_off", detail)
    lasts = timedelta(hours=body.hours)
    url, made = await passkeys.invite(person, access.caller.person, lasts, journal.people)
    return InvitedPerson(person=person, url=url, expires_at=made.expires_at)


@router.post("/people/{person}/revoke")
async def revoke(person: Person, _body: CommandBody, journal: ThreadLists) -> Revoked:
    """Remove a person's passkeys and invitations, and end their sessions and tokens."""
    return await journal.people.revocation.revoke(person, datetime.now(UTC))
