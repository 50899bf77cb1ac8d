"""Passkeys: people register them with an invitation, sign in with them, list and remove their own."""

from collections.abc import Awaitable
from datetime import UTC, datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Request, Response

from adapters.journal import SqlJournal
from api.core.auditing import note_sign_in
from api.core.bodies import EmptyBody
from api.core.browser_sessions import BrowserSessions
from api.core.browser_sign_ins import BrowserSignIns
from api.core.dependencies import ThreadLists, from_app
from api.core.passkey_sign_ins import Answer, Asked, PasskeySignIns
from api.core.permissions import OF_OWN, SIGNS_IN, AccessDep
from api.core.problems import RefusedError
from api.core.rates import Rates
from api.core.reach import ADDRESS, Reach
from api.core.session_cookies import give_cookie
from api.people.passkey_bodies import (
    InvitedBody,
    NamedAnswerBody,
    PasskeyAnswerBody,
    PasskeyList,
    PasskeyOptions,
    PasskeyView,
    RemovalBody,
    RemovedPasskeyView,
    SignedIn,
)
from domain.core.errors import TreadleError
from domain.people.access import Access, RoleMissingError
from domain.people.passkeys import PersonInvitationError

router = APIRouter(tags=["people"])

RatesDep = Annotated[Rates, from_app("rates")]


def passkeys_here(request: Request) -> PasskeySignIns:
    """Return the passkeys of a listener at which people sign in with them.

    Raises:
        RefusedError: Nobody does here (404).
    """
    if not _are_on(request):
        detail = (
            "nobody signs in with passkeys here: an admin sets TREADLE_PASSKEYS for `treadle serve`"
        )
        raise RefusedError(404, "not_found", detail)
    return request.app.state.passkeys


def _are_on(request: Request) -> bool:
    reach: Reach = request.app.state.reach
    return request.app.state.passkeys is not None and reach.is_team


PasskeysDep = Annotated[PasskeySignIns, Depends(passkeys_here)]


@router.post("/passkey-registrations", dependencies=[SIGNS_IN])
async def begin_registration(
    body: InvitedBody,
    request: Request,
    passkeys: PasskeysDep,
    journal: ThreadLists,
    rates: RatesDep,
) -> PasskeyOptions:
    """Begin to register a passkey with an invitation."""
    await _count(request)
    try:
        return _asked(await passkeys.ask_invited(body.invitation, journal.people))
    except PersonInvitationError:
        await rates.count_wrong_token()
        raise


@router.post("/passkey-registrations/finish", dependencies=[SIGNS_IN])
async def finish_registration(
    body: NamedAnswerBody,
    request: Request,
    response: Response,
    passkeys: PasskeysDep,
    journal: ThreadLists,
) -> SignedIn:
    """Register the passkey, which uses the invitation up, and sign in."""
    await _count(request)
    answer = _answer(body, request, body.name)
    registering = passkeys.register(answer, journal.people)
    person, cookie = await _noted(registering, journal, answer, "invitation")
    return _signed_in(person, cookie, request, response)


@router.post("/passkey-sign-ins", dependencies=[SIGNS_IN])
async def begin_sign_in(
    _body: EmptyBody, request: Request, passkeys: PasskeysDep, journal: ThreadLists
) -> PasskeyOptions:
    """Begin to sign in with a passkey."""
    await _count(request)
    return _asked(await passkeys.ask_any(journal.people))


@router.post("/passkey-sign-ins/finish", dependencies=[SIGNS_IN])
async def finish_sign_in(
    body: PasskeyAnswerBody,
    request: Request,
    response: Response,
    passkeys: PasskeysDep,
    journal: ThreadLists,
) -> SignedIn:
    """Sign in with what a passkey answered."""
    await _count(request)
    answer = _answer(body, request)
    signing_in = passkeys.sign_in(answer, journal.people)
    person, cookie = await _noted(signing_in, journal, answer, "passkey")
    return _signed_in(person, cookie, request, response)


@router.get("/passkeys", dependencies=[OF_OWN])
async def passkeys(request: Request, journal: ThreadLists, access: AccessDep) -> PasskeyList:
    """List your passkeys."""
    caller = access.caller
    found = await journal.people.passkeys.every(caller.person)
    may_add = bool(caller.sign_in_id) and _are_on(request)
    shown = [PasskeyView.of(each, caller.passkey_id) for each in found]
    return PasskeyList(passkeys=shown, may_add=may_add)


@router.post("/passkeys", dependencies=[OF_OWN])
async def begin_addition(
    _body: EmptyBody,
    request: Request,
    passkeys: PasskeysDep,
    journal: ThreadLists,
    access: AccessDep,
) -> PasskeyOptions:
    """Begin to register one more passkey of yours."""
    _refuse_tokens(access)
    await _count(request)
    return _asked(await passkeys.ask_more(access.caller.person, journal.people))


@router.post("/passkeys/finish", status_code=201, dependencies=[OF_OWN])
async def finish_addition(
    body: NamedAnswerBody,
    request: Request,
    passkeys: PasskeysDep,
    journal: ThreadLists,
    access: AccessDep,
) -> PasskeyView:
    """Register one more passkey of yours."""
    _refuse_tokens(access)
    await _count(request)
    answer = _answer(body, request, body.name)
    return PasskeyView.of(await passkeys.add(answer, access.caller.person, journal.people))


@router.post("/passkeys/{passkey_id}/remove", dependencies=[OF_OWN])
async def remove_passkey(
    passkey_id: str, body: RemovalBody, journal: ThreadLists, access: AccessDep
) -> RemovedPasskeyView:
    """Remove a passkey of yours: nobody signs in with it from now on.

    Sessions that began with it end, and your tokens that were made in these.
    """
    caller, now = access.caller, datetime.now(UTC)
    gone = await journal.people.revocation.remove_passkey(
        passkey_id, caller.person, now, is_forced=body.is_forced
    )
    shown = PasskeyView.of(gone.passkey, caller.passkey_id)
    return RemovedPasskeyView(**shown.model_dump(), tokens=gone.tokens)


def _refuse_tokens(access: Access) -> None:
    """Refuse who is not signed in in a browser: a token must not become a way in that outlives it.

    Raises:
        RoleMissingError: They are not.
    """
    if not access.caller.sign_in_id:
        raise RoleMissingError("sign in with a passkey of yours to register another one")


def _asked(asked: Asked) -> PasskeyOptions:
    return PasskeyOptions(ceremony=asked.ceremony, person=asked.person, options=asked.options)


def _answer(body: PasskeyAnswerBody, request: Request, name: str = "") -> Answer:
    return Answer(body.ceremony, body.credential, request.scope[ADDRESS], name)


async def _count(request: Request) -> None:
    rates: Rates = request.app.state.rates
    await rates.count_sign_in(request.scope[ADDRESS])


async def _noted(
    ending: Awaitable[tuple[str, str]], journal: SqlJournal, answer: Answer, how: str
) -> tuple[str, str]:
    """Wait for the end of a sign-in, and note it in the audit log, refused or not."""
    try:
        person, cookie = await ending
    except TreadleError as error:
        await note_sign_in(journal, "", answer.address, how=how, refusal=str(error))
        raise
    await note_sign_in(journal, person, answer.address, how=how)
    return person, cookie


def _signed_in(person: str, cookie: str, request: Request, response: Response) -> SignedIn:
    sessions: BrowserSessions = request.app.state.sessions
    sign_ins: BrowserSignIns = request.app.state.sign_ins
    give_cookie(response, sessions, cookie, sign_ins.lasts_seconds)
    return SignedIn(person=person)
