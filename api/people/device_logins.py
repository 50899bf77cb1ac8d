"""Signing in the command line: a program asks, a person confirms in a browser (RFC 8628)."""

import secrets
from datetime import UTC, datetime, timedelta
from typing import Annotated

from fastapi import APIRouter, Path, Request
from pydantic import BaseModel, Field

from api.core.auditing import note_sign_in
from api.core.bodies import EmptyBody
from api.core.dependencies import ThreadLists, from_app
from api.core.permissions import ASKS_TO_SIGN_IN, OF_OWN, AccessDep
from api.core.rates import Rates, too_many
from api.core.reach import ADDRESS, Reach
from api.people.tokens import NewToken
from domain.core.errors import NotFoundError
from domain.core.wire import Body
from domain.people.access import Access, RoleMissingError
from domain.people.device_logins import (
    LASTS,
    AuthorizationPendingError,
    DeviceLogin,
    DeviceState,
    ExpiredCodeError,
    SlowDownError,
    new_user_code,
    refuse_ended,
    spelled,
)
from domain.people.roles import Role, lowest
from domain.people.tokens import PREFIX, Token, token_hash

SCREEN = "/device"
"""The screen at which people confirm."""

MAX_DAYS = 366

router = APIRouter(tags=["people"])

RatesDep = Annotated[Rates, from_app("rates")]
ReachDep = Annotated[Reach, from_app("reach")]
UserCode = Annotated[str, Path(max_length=20)]


class DeviceLoginBody(Body):
    """A program that asks to be signed in: its machine's name, and the most that it wants."""

    machine: Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
    scope: Annotated[Role, Field(strict=False)] = Role.APPROVER
    days: Annotated[int, Field(ge=1, le=MAX_DAYS)] = 30


class DeviceTokenBody(Body):
    """The secret of a program that asks whether a person has confirmed."""

    device_code: Annotated[str, Field(min_length=20, max_length=100)]


class DeviceCodes(BaseModel):
    """What a program shows (`user_code` at `verification_uri`), and what it asks with, every `interval` seconds."""

    device_code: str
    user_code: str
    verification_uri: str
    verification_uri_complete: str
    expires_in: int
    interval: int


class AskingProgram(BaseModel):
    """A program that asks to be signed in, for the person who decides."""

    user_code: str
    machine: str
    address: str
    is_your_address: bool
    """Whether it asks from the address that you have."""
    scope: Role
    """The most that it will do; never more than you."""
    days: int
    person: str
    """As whom it will act."""
    state: DeviceState
    expires_at: datetime


@router.post("/device-logins", status_code=201, dependencies=[ASKS_TO_SIGN_IN])
async def ask_to_sign_in(
    body: DeviceLoginBody, request: Request, journal: ThreadLists, rates: RatesDep, reach: ReachDep
) -> DeviceCodes:
    """Ask for a code that a person confirms in a browser, within ten minutes."""
    address: str = request.scope[ADDRESS]
    await rates.count_device_login(address)
    now, secret = datetime.now(UTC), secrets.token_urlsafe(32)
    login = DeviceLogin(
        user_code=new_user_code(),
        machine=body.machine,
        address=address,
        scope=body.scope,
        days=body.days,
        created_at=now,
        expires_at=now + LASTS,
    )
    if not await journal.people.device_logins.add(login, token_hash(secret)):
        raise too_many("too_many_sign_ins", "1,000 codes at a time", 60)
    return DeviceCodes(
        device_code=secret,
        user_code=login.user_code,
        verification_uri=f"{reach.url}{SCREEN}",
        verification_uri_complete=f"{reach.url}{SCREEN}/{login.user_code}",
        expires_in=int(LASTS.total_seconds()),
        interval=login.interval,
    )


@router.post("/device-tokens", dependencies=[ASKS_TO_SIGN_IN])
async def token_of_device(
    body: DeviceTokenBody, request: Request, journal: ThreadLists, rates: RatesDep
) -> NewToken:
    """Get the token, once, after a person has confirmed.

    Until then this is refused with `authorization_pending`; with `slow_down` for who asks sooner than the
    interval, which then grows by five seconds; at last with `access_denied` or `expired_token`.
    """
    logins, now = journal.people.device_logins, datetime.now(UTC)
    found = await logins.by_hash(token_hash(body.device_code))
    if found is None:
        await rates.count_wrong_token()
    login = refuse_ended(found, now)
    if login.state is DeviceState.PENDING:
        asked = login.asked_again(now)
        await logins.change(asked, DeviceState.PENDING)
        if asked.interval > login.interval:
            raise SlowDownError(f"ask every {asked.interval} seconds")
        raise AuthorizationPendingError("nobody has confirmed the code yet")
    done = login.model_copy(update={"state": DeviceState.DONE})
    if not await logins.change(done, DeviceState.CONFIRMED):
        raise ExpiredCodeError("this code was used: run `treadle login` again")
    text, token = _token_for(login, now)
    await journal.people.tokens.add(token, token_hash(text))
    address: str = request.scope[ADDRESS]
    await note_sign_in(journal, token.person, address, how="device", token_id=token.token_id)
    return NewToken(token=text, details=token)


@router.get("/device-logins/{user_code}", dependencies=[OF_OWN])
async def device_login(
    user_code: UserCode, request: Request, journal: ThreadLists, rates: RatesDep, access: AccessDep
) -> AskingProgram:
    """Get who asks to be signed in with a code."""
    login = await _found(user_code, journal, rates, access)
    return _shown(login, request, access)


@router.post("/device-logins/{user_code}/confirm", dependencies=[OF_OWN])
async def confirm_device(
    user_code: UserCode,
    _body: EmptyBody,
    request: Request,
    journal: ThreadLists,
    rates: RatesDep,
    access: AccessDep,
) -> AskingProgram:
    """Sign in the program as yourself: it gets a token with at most your role."""
    _refuse_tokens(access)
    login = await _found(user_code, journal, rates, access)
    confirmed = login.confirmed(access.caller)
    await _decide(confirmed, journal)
    return _shown(confirmed, request, access)


@router.post("/device-logins/{user_code}/deny", dependencies=[OF_OWN])
async def deny_device(
    user_code: UserCode,
    _body: EmptyBody,
    request: Request,
    journal: ThreadLists,
    rates: RatesDep,
    access: AccessDep,
) -> AskingProgram:
    """Deny the program that asks."""
    login = await _found(user_code, journal, rates, access)
    denied = login.model_copy(update={"state": DeviceState.DENIED})
    await _decide(denied, journal)
    return _shown(denied, request, access)


def _token_for(login: DeviceLogin, now: datetime) -> tuple[str, Token]:
    caller = login.confirmed_by
    assert caller is not None  # noqa: S101 - confirmed
    token = Token(
        token_id=secrets.token_hex(6),
        person=caller.person,
        name=f"treadle login on {login.machine}",
        scope=login.scope,
        is_owner=caller.is_owner,
        projects=caller.projects,
        groups=caller.groups,
        created_at=now,
        expires_at=now + timedelta(days=login.days),
        passkey_id=caller.passkey_id,
    )
    return PREFIX + secrets.token_urlsafe(32), token


def _refuse_tokens(access: Access) -> None:
    """Refuse who was let in by a token that makes no others: the new one would outlive it.

    Raises:
        RoleMissingError: They were.
    """
    if access.caller.token_id and access.caller.scope is not Role.ADMIN:
        raise RoleMissingError(
            "you are signed in by a token, which makes no others: give it to the command line with "
            "`treadle login --with-token`"
        )


async def _found(code: str, journal: ThreadLists, rates: Rates, access: Access) -> DeviceLogin:
    """Return a sign-in that waits for a person.

    Raises:
        NotFoundError: No program asks with this code, or not any more.
        RefusedError: The person tried too many codes (429).
    """
    await rates.count_user_code(access.caller.person)
    login = await journal.people.device_logins.by_code(spelled(code))
    if login is None or not login.is_open(datetime.now(UTC)):
        raise NotFoundError("no program asks with this code: it was used, or has expired")
    return login


async def _decide(login: DeviceLogin, journal: ThreadLists) -> None:
    if not await journal.people.device_logins.change(login, DeviceState.PENDING):
        raise NotFoundError("this code was decided on already")


def _shown(login: DeviceLogin, request: Request, access: Access) -> AskingProgram:
    return AskingProgram(
        user_code=login.user_code,
        machine=login.machine,
        address=login.address,
        is_your_address=login.address == request.scope[ADDRESS],
        scope=lowest(login.scope, access.anywhere),
        days=login.days,
        person=access.caller.person,
        state=login.state,
        expires_at=login.expires_at,
    )
