"""Signing in a browser, by a link that works once."""

from typing import Annotated

from fastapi import APIRouter, Header
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from pydantic import BaseModel

from api.core.bodies import EmptyBody
from api.core.browser_sessions import LINK_SECONDS, SESSION_SECONDS
from api.core.dependencies import SessionsDep
from api.core.page import LINK_GONE, SIGN_IN_HEADERS
from api.core.problems import RefusedError

router = APIRouter(tags=["browser"], prefix="/browser-links")
pages = APIRouter(include_in_schema=False)

Accept = Annotated[str, Header()]


class BrowserLink(BaseModel):
    """A link that signs in one browser, once; it expires after so many `seconds`."""

    url: str
    seconds: int


@router.post("", status_code=201)
async def new_link(_body: EmptyBody, sessions: SessionsDep) -> BrowserLink:
    """Create a link that signs in one browser, once, within five minutes."""
    url = f"http://{sessions.host}/open/{sessions.new_link()}"
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
    answer.set_cookie(
        sessions.cookie_name, cookie, max_age=SESSION_SECONDS, httponly=True, samesite="strict"
    )
    return answer
