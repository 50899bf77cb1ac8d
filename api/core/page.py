"""The page's built files, and the headers that bind what a browser lets them do."""

import json
import mimetypes
import secrets
from http import HTTPStatus
from pathlib import Path

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse

from api.core.problems import RefusedError

FOLDER = Path(__file__).parents[1] / "page"
INDEX = "index.html"
NONCE_MARK = "__NONCE__"
HASHED = "assets/"
"""Files below it have their content's hash in their names, so that they never change."""

SCREENS = FOLDER / "screens.json"
"""The paths of the screens, as the build lists them from web/src/shell/routes.ts."""

ICON = "/favicon.svg"
UNASKED_ICON = "/favicon.ico"
"""What browsers ask for by themselves at answers that name no icon."""

_FOR_PEOPLE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Treadle: sign in</title>
<main>
<h1>{title}</h1>
<p>Run <code>treadle open</code> in a terminal and follow the link that it prints. It works once,
within five minutes, and signs this browser in for twelve hours.</p>
<p>What was typed on the page is kept in this browser.</p>
</main>
</html>
"""

SIGN_IN = _FOR_PEOPLE.format(title="This browser is not signed in")
"""What a person sees who opens the page without a session."""

LINK_GONE = _FOR_PEOPLE.format(title="This link works no more")
"""What a person sees who follows a link that was used, is too old, or is from before a restart."""

UNBUILT = (
    "The page is not built. In a checkout `make setup` builds it; an installed Treadle brings it.\n"
)
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
        "trusted-types 'none'",
    )
)


def addresses() -> tuple[str, ...]:
    """Return where the page and its files are; only its root where it is not built."""
    paths: list[str] = json.loads(SCREENS.read_text()) if SCREENS.exists() else []
    names = {path.split("/")[1] for path in paths} - {""}
    files = ("/", ICON, UNASKED_ICON, f"/{HASHED}{{path:path}}")
    return (*files, *(f"/{name}{rest}" for name in sorted(names) for rest in ("", "/{path:path}")))


class Page:
    """Knows what was built: only these files are ever served, under their own names."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self._folder = folder
        self._built = 0
        self._files: dict[str, Path] = {}

    def answer(self, path: str, request: Request) -> Response | None:
        """Return a file; for a path without an ending the page itself, which reads the path.

        None where there is no such file.
        """
        self._look()
        try:
            return self._found(path, request)
        except FileNotFoundError:  # the page is being replaced by a new one at this moment
            return None

    def nothing(self) -> Response:
        """Return the page for an address that it does not know, where it says so."""
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
        """Find the files again where the page was built anew."""
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
        kind, _ = mimetypes.guess_type(path)
        lasting = "public, max-age=31536000, immutable" if path.startswith(HASHED) else "no-cache"
        headers = {"Cache-Control": lasting, "Vary": "Accept-Encoding"}
        packed = self._files.get(f"{path}.gz")
        if packed and "gzip" in request.headers.get("accept-encoding", ""):
            headers["Content-Encoding"] = "gzip"
            return Response(packed.read_bytes(), media_type=kind, headers=headers)
        return Response(self._files[path].read_bytes(), media_type=kind, headers=headers)


router = APIRouter(include_in_schema=False)


def page(request: Request) -> Response:
    """Answer with a file of the page, or with the page.

    Raises:
        RefusedError: With status 404, where there is no such file.
    """
    found: Page = request.app.state.page
    path = request.url.path
    path = ICON if path == UNASKED_ICON else path
    answer = found.answer(path.removeprefix("/"), request)
    if answer is None:
        raise RefusedError(404, "not_found", "the page has no such file")
    return answer


for address in addresses():
    router.add_api_route(address, page, methods=["GET"])
