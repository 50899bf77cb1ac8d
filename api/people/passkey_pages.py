"""The pages at which people sign in with a passkey or register one, and their one script."""

from html import escape
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request
from fastapi.responses import HTMLResponse, Response

from api.core.dependencies import SessionsDep, from_app
from api.core.from_links import own_path
from api.core.page import SIGN_IN_POLICY, Page, page_for_people
from api.core.passkey_sign_ins import INVITATION
from api.core.permissions import SIGNS_IN
from api.core.problems import SECURITY_HEADERS, RefusedError
from api.core.sign_in_page import PASSKEY
from api.people.passkeys import passkeys_here

SCRIPT = f"{PASSKEY}.js"
FILE = "passkey.js"
"""The script, as web/vite.config.ts builds it."""

pages = APIRouter(include_in_schema=False, dependencies=[SIGNS_IN, Depends(passkeys_here)])

PageDep = Annotated[Page, from_app("page")]
Text = Annotated[str, Query(max_length=4096)]

_BODY = """<div id="passkey" data-step="{step}" data-to="{to}">
<p>{words}</p>
<button class="door" hidden>{button}</button>
<p role="alert"></p>
</div>
<noscript><p>This page needs JavaScript.</p></noscript>
<script type="module" src="{script}"></script>
"""
_NEW = "Your device makes a passkey for this server, and asks for your PIN, finger or face."


@pages.get(PASSKEY)
async def sign_in(sessions: SessionsDep, to: Text = "/") -> Response:
    """Answer with the page that signs in."""
    words = "Your device asks for your PIN, finger or face."
    return _page(sessions.url, "Sign in to Treadle", "sign-in", words, own_path(to))


@pages.get(INVITATION)
async def invitation(sessions: SessionsDep) -> Response:
    """Answer with the page of an invitation, whose secret only the browser has."""
    return _page(sessions.url, "Welcome to Treadle", "invitation", _NEW, "/")


@pages.get(f"{PASSKEY}/new")
async def another(sessions: SessionsDep, to: Text = "/") -> Response:
    """Answer with the page that registers one more passkey of who is signed in."""
    return _page(sessions.url, "Add a passkey", "new", _NEW, own_path(to))


@pages.get(SCRIPT)
async def script(request: Request, page: PageDep) -> Response:
    """Answer with the script of these pages.

    Raises:
        RefusedError: The page is not built (404).
    """
    found = page.answer(FILE, request)
    if found is None:
        raise RefusedError(404, "not_found", "the page is not built: run `make setup`")
    return found


def _page(url: str, title: str, step: str, words: str, to: str) -> Response:
    button = "Sign in with a passkey" if step == "sign-in" else "Register a passkey"
    body = _BODY.format(step=step, to=escape(to), words=words, button=button, script=SCRIPT)
    policy = (
        f"{SIGN_IN_POLICY}; script-src {url}{SCRIPT}; connect-src 'self'; "
        "require-trusted-types-for 'script'; trusted-types 'none'"
    )
    headers = {**SECURITY_HEADERS, "Content-Security-Policy": policy}
    return HTMLResponse(page_for_people(title, body), headers=headers)
