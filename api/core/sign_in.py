"""Signing in a browser, by a link that works once."""

from typing import Annotated

from fastapi import APIRouter, Header
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BaseModel

from api.core.bodies import EmptyBody
from api.core.browser_sessions import LINK_SECONDS, SESSION_SECONDS
from api.core.callers import TOKEN
from api.core.dependencies import SessionsDep
from api.core.page import LINK_GONE, SIGN_IN_HEADERS
from api.core.permissions import OF_OWN, AccessDep
from api.core.problems import RefusedError
from api.core.session_cookies import give_cookie

router = APIRouter(tags=["browser"], prefix="/browser-links", dependencies=[OF_OWN])
pages = APIRouter(include_in_schema=False, dependencies=[OF_OWN])

_NO_LINK = "links are made with a token only: sign in the other browser as you signed in this one"

Accept = Annotated[str, Header()]


class BrowserLink(BaseModel):
    """A link that signs in one browser, once; it expires after so many `seconds`."""

    url: str
    seconds: int


@router.post("", status_code=201)
async def new_link(_body: EmptyBody, sessions: SessionsDep, access: AccessDep) -> BrowserLink:
    """Create a link that signs in one browser, once, within five minutes.

    A session that is made with a token ends with it, and may do what it may. Only tokens make links: a browser
    that a person signed in makes none, as a link has no identity but its token's.
    """
    caller = access.caller
    if not caller.token_id and not caller.is_owner:
        raise RefusedError(403, "link_needs_token", _NO_LINK, hint=f"sign in at {sessions.url}")
    subject = f"{TOKEN}:{caller.token_id}" if caller.token_id else ""
    url = f"{sessions.url}/open/{sessions.new_link(subject)}"
    return BrowserLink(url=url, seconds=LINK_SECONDS)


@pages.get("/open/{code}")
async def sign_in(
    code: str, host: Annotated[str, Header()], sessions: SessionsDep, accept: Accept = ""
) -> Response:
    """Redeem a link: set the cookie and redirect to the page."""
    if host.lower() != sessions.host:
        raise RefusedError(421, "host_not_allowed", f"sign in at {sessions.host}")
    cookie = sessions.redeem(code)
    if cookie is None and "text/html" in accept:
        return HTMLResponse(LINK_GONE, 410, SIGN_IN_HEADERS)
    if cookie is None:
        detail = "this link was used, has expired, or is from before a restart"
        raise RefusedError(410, "link_gone", detail, hint="get a new one with `treadle open`")
    answer = RedirectResponse("/", status_code=303)
    give_cookie(answer, sessions, cookie, SESSION_SECONDS)
    return answer
