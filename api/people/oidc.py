"""Signing in with an identity provider, and out again."""

import hmac
import secrets
import time
from html import escape
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BaseModel

from adapters.sign_in.oidc import Challenge, OidcProvider
from api.core.auditing import note_sign_in
from api.core.bodies import EmptyBody
from api.core.browser_sign_ins import SECRET, BrowserSignIns
from api.core.dependencies import SessionsDep, ThreadLists, from_app
from api.core.from_links import MAX_PATH, open_here, own_path
from api.core.incoming import cookies_of
from api.core.page import SIGN_IN_HEADERS, page_for_people
from api.core.permissions import OF_OWN
from api.core.problems import RefusedError
from api.core.rates import Rates
from api.core.reach import ADDRESS, Reach
from api.core.session_cookies import give_cookie
from api.core.sign_in_page import CALLBACK, START
from domain.core.errors import TreadleError
from domain.people.sign_ins import SignInRefusedError

STATE_SECONDS = 600
"""How long a person may take at the provider."""

STATE_COOKIE = "treadle-signing-in"

router = APIRouter(tags=["people"], dependencies=[OF_OWN])
pages = APIRouter(include_in_schema=False, dependencies=[OF_OWN])

SignInsDep = Annotated[BrowserSignIns, from_app("sign_ins")]
ReachDep = Annotated[Reach, from_app("reach")]
RatesDep = Annotated[Rates, from_app("rates")]
Text = Annotated[str, Query(max_length=MAX_PATH)]


class SignedOut(BaseModel):
    """Where the browser goes next: to the identity provider, which signs out too, or to the page."""

    url: str


@pages.get(START)
async def begin(
    request: Request, sign_ins: SignInsDep, reach: ReachDep, rates: RatesDep, to: Text = "/"
) -> Response:
    """Redirect to the identity provider."""
    await rates.count_sign_in(request.scope[ADDRESS])
    provider = _provider(sign_ins)
    challenge = Challenge(
        state=secrets.token_urlsafe(32),
        nonce=secrets.token_urlsafe(32),
        verifier=secrets.token_urlsafe(48),
        redirect_uri=reach.url + CALLBACK,
    )
    answer = RedirectResponse(await provider.authorization_url(challenge), status_code=303)
    kept = [challenge.state, challenge.nonce, challenge.verifier, own_path(to), time.time()]
    answer.set_cookie(
        _state_cookie(reach),
        sign_ins.challenges.seal(kept),
        max_age=STATE_SECONDS,
        httponly=True,
        secure=reach.is_secure,
        samesite="lax",  # the provider's page leads back
    )
    return answer


@pages.get(CALLBACK)
async def finish(
    request: Request,
    sign_ins: SignInsDep,
    reach: ReachDep,
    sessions: SessionsDep,
    journal: ThreadLists,
) -> Response:
    """Exchange the provider's code, and sign in."""
    address: str = request.scope[ADDRESS]
    await request.app.state.rates.count_sign_in(address)
    try:
        challenge, to = _challenge(request, sign_ins, reach)
        code = request.query_params.get("code", "")
        if not code:
            said = request.query_params.get("error", "no code")[:100]
            raise SignInRefusedError(f"the identity provider did not sign you in: {said}")
        tokens = await _provider(sign_ins).exchange(code, challenge)
        signed, cookie = await sign_ins.begin(tokens, journal.people, address)
    except TreadleError as error:
        await note_sign_in(journal, "", address, how="oidc", refusal=str(error))
        answer: Response = _refusal(error)
    else:
        await note_sign_in(journal, signed.person, address, how="oidc")
        answer = open_here(to)
        give_cookie(answer, sessions, cookie, sign_ins.lasts_seconds)
    answer.delete_cookie(_state_cookie(reach), secure=reach.is_secure, httponly=True)
    return answer


@router.post("/sign-out")
async def sign_out(
    _body: EmptyBody,
    request: Request,
    response: Response,
    sign_ins: SignInsDep,
    reach: ReachDep,
    sessions: SessionsDep,
    journal: ThreadLists,
) -> SignedOut:
    """Sign out of this browser, and get where it signs out of the identity provider."""
    proxy = sign_ins.proxy
    url = (proxy.sign_out_url if proxy else None) or reach.url + "/"
    for cookie in cookies_of(request.scope, sessions.cookie_name):
        if cookie.startswith(SECRET):
            url = await _end(cookie, sign_ins, journal, reach.url + "/")
    response.delete_cookie(
        sessions.cookie_name, secure=reach.is_secure, httponly=True, samesite="strict"
    )
    return SignedOut(url=url)


async def _end(cookie: str, sign_ins: BrowserSignIns, journal: ThreadLists, back_to: str) -> str:
    found = await sign_ins.found(cookie, journal.people)
    if found is None:
        return back_to
    id_token = await sign_ins.end(found, journal.people)
    provider = sign_ins.provider
    return (await provider.logout_url(id_token, back_to) if provider else None) or back_to


def _challenge(request: Request, sign_ins: BrowserSignIns, reach: Reach) -> tuple[Challenge, str]:
    """Return what this browser began to sign in with.

    Raises:
        SignInRefusedError: It began nothing, long ago, or something else.
    """
    state = request.query_params.get("state", "")
    for cookie in cookies_of(request.scope, _state_cookie(reach)):
        kept: Any = sign_ins.challenges.open(cookie)
        if kept is None or not hmac.compare_digest(kept[0].encode(), state.encode()):
            continue
        state, nonce, verifier, to, began = kept
        if time.time() - began < STATE_SECONDS:
            return Challenge(state, nonce, verifier, reach.url + CALLBACK), to
    raise SignInRefusedError("this sign-in was not begun in this browser, or took too long")


def _provider(sign_ins: BrowserSignIns) -> OidcProvider:
    if sign_ins.provider is None:
        detail = "this server has no identity provider: an admin names one with TREADLE_OIDC_ISSUER"
        raise RefusedError(404, "not_found", detail)
    return sign_ins.provider


def _refusal(error: TreadleError) -> Response:
    words = f"<p>{escape(str(error))}.</p>\n"
    again = f'<a class="door" href="{START}">Try again</a>'
    page = page_for_people("You are not signed in", words + again)
    return HTMLResponse(page, error.status, SIGN_IN_HEADERS)


def _state_cookie(reach: Reach) -> str:
    return f"__Host-{STATE_COOKIE}" if reach.is_secure else STATE_COOKIE
