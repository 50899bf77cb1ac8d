"""The page's built files, and their content security policy."""

import base64
import hashlib
import json
import mimetypes
import secrets
from http import HTTPStatus
from pathlib import Path

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from api.core.permissions import OF_OWN
from api.core.problems import SECURITY_HEADERS, RefusedError

FOLDER = Path(__file__).parents[1] / "page"
INDEX = "index.html"
NONCE_MARK = "__NONCE__"
HASHED = "assets/"
"""The folder of files with a content hash in their names, which never change."""

SCREENS = FOLDER / "screens.json"
"""The paths of the screens, which the build lists from web/src/shell/routes.ts."""

ICON = "/favicon.svg"
UNASKED_ICON = "/favicon.ico"
"""The icon that browsers request by default."""

APP_FILES = (
    "/news-worker.js",
    "/manifest.webmanifest",
    "/icon-192.png",
    "/icon-512.png",
    "/icon-mask.png",
)
"""What makes the page an app that can be installed, and that shows news while it is closed."""

_STYLE = """
:root { color-scheme: light dark; --bg: #fbfbfa; --raised: #fff; --line: #dededa; --text: #1d1f1e;
  --dim: #5b605d; --code: #f2f2ef; }
@media (prefers-color-scheme: dark) { :root { --bg: #141615; --raised: #1b1e1d; --line: #2e3331;
  --text: #e7e9e8; --dim: #a2aaa6; --code: #101211; } }
body { display: grid; min-height: 100vh; margin: 0; place-items: center; background: var(--bg);
  color: var(--text); font: 15px/1.5 system-ui, sans-serif; }
main { box-sizing: border-box; width: min(420px, 100vw - 32px); padding: 28px; border: 1px solid var(--line);
  border-radius: 10px; background: var(--raised); }
svg { display: block; width: 36px; margin-bottom: 16px; }
h1 { margin: 0 0 12px; font-size: 20px; }
p { margin: 0 0 12px; }
.door { display: block; margin: 0 0 12px; padding: 9px 14px; border-radius: 6px; background: #1c6b63; color: #fff;
  font-weight: 600; text-align: center; text-decoration: none; }
button.door { width: 100%; border: 0; font: inherit; font-weight: 600; cursor: pointer; }
button.door[hidden] { display: none; }
button.door:disabled { opacity: .6; }
.door:focus-visible { outline: 2px solid var(--text); outline-offset: 2px; }
p:last-child { margin: 0; color: var(--dim); font-size: 13px; }
pre { margin: 0 0 12px; padding: 8px 12px; border-radius: 6px; background: var(--code); }
"""

_FOR_PEOPLE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} · Treadle</title>
<style>{style}</style>
<main>
<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="7" fill="#1c6b63"/>
<path d="M8 10h16M16 10v13M9 23h14" stroke="#fff" stroke-width="3.4" stroke-linecap="round" fill="none"/></svg>
<h1>{title}</h1>
{body}
</main>
</html>
"""

BY_LINK = """<p>Run this in a terminal, and follow the link that it prints:</p>
<pre>treadle open</pre>
<p>The link works once and expires after five minutes. You stay signed in for twelve hours.</p>
"""
FOR_TEAM = """<p>Get a token from an admin of this server. Then run this on your machine, and follow the link that it
prints:</p>
<pre>treadle login --with-token {url}
treadle open</pre>
<p>The link works once and expires after five minutes. You stay signed in for twelve hours.</p>
"""
"""At a team's server without an identity provider."""

BY_PROXY = """<p>The proxy in front of this server signs people in, and did not say who you are. Open this address
again; if that does not help, ask an admin of this server.</p>
"""
SAVED = "<p>Anything you typed on the page is still saved in this browser.</p>"


def page_for_people(title: str, body: str) -> str:
    """Return a page of our own, without a script; `title` and `body` are HTML."""
    return _FOR_PEOPLE.format(title=title, body=body, style=_STYLE)


LINK_GONE = page_for_people("This link has expired", BY_LINK + SAVED)
"""The page for a link that was used, has expired, or is from before a restart."""

_DIGEST = base64.b64encode(hashlib.sha256(_STYLE.encode()).digest()).decode()
SIGN_IN_POLICY = (
    f"default-src 'none'; style-src 'sha256-{_DIGEST}'; img-src 'self'; frame-ancestors 'none'; "
    "base-uri 'none'; form-action 'none'"
)
SIGN_IN_HEADERS = {**SECURITY_HEADERS, "Content-Security-Policy": SIGN_IN_POLICY}
"""Both pages have no script and no style but their own."""

UNBUILT = "The page is not built. Run `make setup`; an installed Treadle includes it.\n"
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'nonce-{nonce}'",
        "img-src 'self' data:",
        "font-src 'self'",
        "connect-src 'self'",
        "worker-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'self'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types treadle-scripts",  # which makes two addresses of scripts: those of its workers
    )
)


_KINDS = {"manifest.webmanifest": "application/manifest+json"}
"""Which not every system knows."""


def addresses() -> tuple[str, ...]:
    """Return the paths of the page and its files; only its root if it is not built."""
    paths: list[str] = json.loads(SCREENS.read_text()) if SCREENS.exists() else []
    names = {path.split("/")[1] for path in paths} - {""}
    files = ("/", ICON, UNASKED_ICON, f"/{HASHED}{{path:path}}", *APP_FILES)
    return (*files, *(f"/{name}{rest}" for name in sorted(names) for rest in ("", "/{path:path}")))


class Page:
    """The built files; no others are served."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        self._built = 0
        self._files: dict[str, Path] = {}

    def answer(self, path: str, request: Request) -> Response | None:
        """Return a file, or the page for a path without an extension; None if there is no such file."""
        self._look()
        try:
            return self._found(path, request)
        except FileNotFoundError:  # the page is being rebuilt
            return None

    def nothing(self) -> Response:
        """Return the page with status 404, for an address that it does not have."""
        self._look()
        answer = self._index()
        answer.status_code = max(answer.status_code, HTTPStatus.NOT_FOUND)
        return answer

    def _found(self, path: str, request: Request) -> Response | None:
        if path in self._files and path != INDEX:
            return self._file(path, request)
        if "." in path.rpartition("/")[2] and path != INDEX:
            return None
        return self._index()

    def _look(self) -> None:
        """Find the files again if the page was rebuilt."""
        index = self._folder / INDEX
        built = index.stat().st_mtime_ns if index.exists() else 0
        if built != self._built:
            found = (file for file in self._folder.rglob("*") if file.is_file())
            names = {str(file.relative_to(self._folder)): file for file in found}
            self._files = {name: file for name, file in names.items() if name[0] != "."}
            self._built = built

    def _index(self) -> Response:
        if INDEX not in self._files:
            return Response(UNBUILT, status_code=503, media_type="text/plain; charset=utf-8")
        nonce = secrets.token_urlsafe(16)
        html = self._files[INDEX].read_text().replace(NONCE_MARK, nonce)
        return HTMLResponse(html, headers={"Content-Security-Policy": _POLICY.format(nonce=nonce)})

    def _file(self, path: str, request: Request) -> Response:
        kind = _KINDS.get(path) or mimetypes.guess_type(path)[0]
        lasting = "public, max-age=31536000, immutable" if path.startswith(HASHED) else "no-cache"
        headers = {"Cache-Control": lasting, "Vary": "Accept-Encoding"}
        packed = self._files.get(f"{path}.gz")
        if packed and "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            return Response(packed.read_bytes(), media_type=kind, headers=headers)
        return Response(self._files[path].read_bytes(), media_type=kind, headers=headers)


router = APIRouter(include_in_schema=False, dependencies=[OF_OWN])


def page(request: Request) -> Response:
    """Answer with a file of the page, or with the page.

    Raises:
        RefusedError: There is no such file (404).
    """
    found: Page = request.app.state.page
    path = request.url.path
    path = ICON if path == UNASKED_ICON else path
    answer = found.answer(path.removeprefix("/"), request)
    if answer is None:
        raise RefusedError(404, "not_found", "no such file")
    return answer


for address in addresses():
    router.add_api_route(address, page, methods=["GET"])
