"""The host name of Temporal's Web UI: an origin apart from the page's, with a cookie of its own.

Its scripts are not ours, and what a workflow shows may be an agent's words. Under a name of its own
neither can act as the page, and the page's cookie is not good here.
"""

import json
import re
from dataclasses import dataclass
from http import HTTPStatus
from urllib.parse import parse_qs, quote

import httpx
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from adapters.temporal import CodecRequestError, CodecServer
from api.core.browser_sessions import SESSION_SECONDS, BrowserSessions
from api.core.incoming import check_size, cookies_of, read_body, refuse, values_of
from api.core.problems import SECURITY_HEADERS, RefusedError
from api.core.rates import Limits, Rates
from api.temporal_ui import writes
from api.temporal_ui.addresses import check_encoding, check_second_encoding, is_odd
from api.temporal_ui.pasted import unfold_line
from api.temporal_ui.place import WebUi
from api.temporal_ui.proxy import Upstream
from api.temporal_ui.texts import LINK_GONE, SIGN_IN, UNREACHABLE

CODEC = "/v1/temporal/codec"
SETTINGS = "/api/v1/settings"
BODY_LIMIT_BYTES = 4 * 1024 * 1024
"""Temporal takes 2 MiB for a payload; the Web UI sends it in base64."""

UNAUTHENTICATED, UNAVAILABLE = 16, 14
_OPEN = re.compile(r"/open/([^/]+)")


@dataclass(frozen=True)
class TemporalUi:
    """What serves the Web UI."""

    place: WebUi
    sessions: BrowserSessions
    upstream: Upstream
    codec: CodecServer
    rates: Rates
    limits: Limits

    @property
    def origin(self) -> str:
        """The origin under which browsers have it."""
        return f"http://{self.sessions.host}"

    def new_link(self, workflow: str | None) -> str:
        """Return a link that signs in one browser and leads to a workflow, or to the list of all."""
        shown = f"?workflow={quote(workflow, safe='')}" if workflow else ""
        return f"{self.origin}/open/{self.sessions.new_link()}{shown}"


class TemporalHost:
    """ASGI middleware: requests to the Web UI's host are answered here, all others go on."""

    def __init__(self, app: ASGIApp, *, ui: TemporalUi) -> None:
        self._app = app
        self._ui = ui

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection."""
        is_ours = scope["type"] == "http" and self._ui.sessions.host in values_of(scope, b"host")
        if not is_ours:
            await self._app(scope, receive, send)
            return
        path = scope["raw_path"].decode("latin-1").partition("?")[0]
        try:
            await self._answer(path, scope, receive, send)
        except RefusedError as error:
            await refuse(_refusal(error, scope), receive, send)

    async def _answer(self, path: str, scope: Scope, receive: Receive, send: Send) -> None:
        check_size(scope)
        self._check_sender(scope)
        if opening := _OPEN.fullmatch(path):
            await self._open(opening[1], scope)(scope, receive, send)
            return
        await self._check_cookie(scope)
        is_read = scope["method"] in {"GET", "HEAD"} or writes.is_read(scope["method"], path)
        body = b""
        if scope["method"] not in {"GET", "HEAD"}:
            self._check_form(scope)
            body = await read_body(scope, receive, BODY_LIMIT_BYTES, self._ui.limits.read_seconds)
        if path.startswith(f"{CODEC}/"):
            await (await self._convert(path, scope["method"], body))(scope, receive, send)
            return
        if not is_read:
            await self._ui.rates.count_write()
        await self._pass_on(path, scope, receive, send, body)

    async def _pass_on(
        self, path: str, scope: Scope, receive: Receive, send: Send, body: bytes
    ) -> None:
        method = scope["method"]
        check_encoding(path, scope["query_string"])
        # a pasted line may hold what no other path does, and its name becomes a part of the path
        path, body = unfold_line(path, body)
        check_second_encoding(path)
        if is_odd(path) or not (writes.is_read(method, path) or writes.is_action(method, path)):
            if method in {"GET", "HEAD"}:
                raise RefusedError(404, "not_found", "the Web UI has no such address")
            raise RefusedError(403, "not_supported", writes.refusal(path))
        try:
            if path == SETTINGS:
                await (await self._settings())(scope, receive, send)
            else:
                await self._ui.upstream.pass_on(
                    {**scope, "raw_path": path.encode()}, receive, send, body
                )
        except httpx.HTTPError as error:
            raise RefusedError(503, "unavailable", UNREACHABLE) from error

    def _check_sender(self, scope: Scope) -> None:
        if values_of(scope, b"host") != [self._ui.sessions.host]:
            raise RefusedError(421, "host_not_allowed", "send exactly one Host header")
        origin = values_of(scope, b"origin")
        if origin and origin != [self._ui.origin]:
            raise RefusedError(403, "origin_not_allowed", "other web pages are not allowed")
        is_visit = scope["method"] == "GET" and values_of(scope, b"sec-fetch-mode") == ["navigate"]
        # a link of our page, which is of the same site, and of nobody else's
        allowed = {"same-origin", "none", "same-site"} if is_visit else {"same-origin", "none"}
        if not allowed.issuperset(values_of(scope, b"sec-fetch-site")):
            raise RefusedError(403, "origin_not_allowed", "other web pages are not allowed")

    async def _check_cookie(self, scope: Scope) -> None:
        cookies = cookies_of(scope, self._ui.sessions.cookie_name)
        if any(self._ui.sessions.is_good(cookie) for cookie in cookies):
            return
        if cookies:
            await self._ui.rates.count_wrong_token()
        detail = "sign in with the link that `treadle open --temporal` prints"
        raise RefusedError(401, "token_missing", detail)

    def _check_form(self, scope: Scope) -> None:
        """Check what a page of another origin cannot send, and what it would send in place of it."""
        if values_of(scope, b"origin") != [self._ui.origin]:
            raise RefusedError(403, "origin_missing", "the header `Origin` is missing")
        types = [value.split(";")[0].strip() for value in values_of(scope, b"content-type")]
        if types and not types[0].endswith("/json") and types[0] != "text/plain":
            raise RefusedError(415, "use_json", "send the body as `Content-Type: application/json`")

    def _open(self, code: str, scope: Scope) -> Response:
        cookie = self._ui.sessions.redeem(code)
        if cookie is None:
            return HTMLResponse(LINK_GONE, HTTPStatus.GONE, SECURITY_HEADERS)
        workflow = parse_qs(scope["query_string"].decode("latin-1")).get("workflow", [""])[0]
        answer = RedirectResponse(
            self._ui.place.screen(workflow), HTTPStatus.SEE_OTHER, SECURITY_HEADERS
        )
        answer.set_cookie(
            self._ui.sessions.cookie_name,
            cookie,
            max_age=SESSION_SECONDS,
            httponly=True,
            samesite="strict",
        )
        return answer

    async def _convert(self, path: str, method: str, body: bytes) -> Response:
        if method != "POST":
            raise RefusedError(405, "method_not_allowed", "send a POST")
        try:
            if path == f"{CODEC}/decode":
                found = await self._ui.codec.decode(body)
            elif path == f"{CODEC}/encode":
                found = self._ui.codec.encode(body)
            else:
                raise RefusedError(404, "not_found", "the codec server decodes and encodes")
        except CodecRequestError as error:
            raise RefusedError(400, "bad_request", str(error)) from error
        return Response(found, 200, SECURITY_HEADERS, "application/json")

    async def _settings(self) -> Response:
        answer = await self._ui.upstream.fetch(SETTINGS)
        found = writes.rewrite_settings(answer.json(), f"{self._ui.origin}{CODEC}")
        return Response(json.dumps(found), 200, SECURITY_HEADERS, "application/json")


def _refusal(error: RefusedError, scope: Scope) -> Response:
    """Return the response: a page for people, else an error in Temporal's form, which the Web UI shows."""
    problem = error.problem
    headers = {**SECURITY_HEADERS, **error.headers, "Connection": "close"}
    is_for_people = any("text/html" in accepted for accepted in values_of(scope, b"accept"))
    if problem.status == HTTPStatus.UNAUTHORIZED and is_for_people:
        return HTMLResponse(SIGN_IN, problem.status, headers)
    codes = {HTTPStatus.UNAUTHORIZED: UNAUTHENTICATED, HTTPStatus.SERVICE_UNAVAILABLE: UNAVAILABLE}
    code = codes.get(HTTPStatus(problem.status), writes.PERMISSION_DENIED)
    body = writes.refusal_body(problem.detail, code, problem.type)
    return Response(body, problem.status, headers, "application/json")
