"""Links to the page on other pages, like those in a chat: followed as if they had been typed.

A browser says that such a request comes from another site, and leaves out the cookie, which is `SameSite=Strict`.
The answer opens the same address once more, from this site.
"""

from html import escape
from urllib.parse import quote

from starlette.responses import HTMLResponse
from starlette.types import Receive, Scope, Send

from api.core.incoming import values_of
from api.core.problems import SECURITY_HEADERS

MAX_PATH = 4096
_PAGE = '<!doctype html><meta http-equiv="refresh" content="0; url={url}"><title>Treadle</title>'
_HEADERS = {
    **SECURITY_HEADERS,
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
}


def is_from_link(scope: Scope) -> bool:
    """Tell whether a request opens a screen of the page by a link of another site."""
    return (
        scope["method"] == "GET"
        and values_of(scope, b"sec-fetch-site") in (["cross-site"], ["same-site"])
        and values_of(scope, b"sec-fetch-mode") == ["navigate"]
        and values_of(scope, b"sec-fetch-dest") == ["document"]
        and not scope["path"].startswith(("/v1", "/open/", "/sign-in"))
    )


async def answer_link(scope: Scope, receive: Receive, send: Send) -> None:
    """Answer with a page that opens the same address."""
    path = "/" + quote(scope["path"].lstrip("/\\"), safe="/-._~")
    query = scope["query_string"].decode("latin-1")
    await open_here(f"{path}?{query}" if query else path)(scope, receive, send)


def own_path(to: str) -> str:
    """Return a path of this site; the first screen for anything else."""
    is_own = to.startswith("/") and not to.startswith(("//", "/\\")) and "\\" not in to
    return to if is_own and to.isprintable() and len(to) < MAX_PATH else "/"


def open_here(url: str) -> HTMLResponse:
    """Return a page that opens an address of this site, as its own link."""
    return HTMLResponse(_PAGE.format(url=escape(url)), headers=_HEADERS)
