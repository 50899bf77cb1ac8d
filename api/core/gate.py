"""The gate before every route: who asks, from where, and in what form.

Pure ASGI, so that it also stands before the streams and before what no route knows. Refuses other
hosts (DNS rebinding), other origins (any web page), requests without the token, and bodies that are
large, slow, or no plain JSON.
"""

import asyncio
import hashlib
import hmac
import re
from collections.abc import Iterable
from contextlib import suppress
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl

from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.core import problems, strict_json
from api.core.bodies import ENCODED_LIMIT
from api.core.browser_sessions import NAME, BrowserSessions
from api.core.page import SIGN_IN
from api.core.problems import SECURITY_HEADERS, RefusedError
from api.core.rates import Limits, Rates

BODY_LIMIT_BYTES = 256 * 1024
PROMPT_LIMIT_BYTES = 1024 * 1024
FILE_LIMIT_BYTES = ENCODED_LIMIT + 4096
LINGER_SECONDS = 1.0
HEADER_LIMIT_BYTES = 16 * 1024
HEADER_LIMIT = 100
METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "DELETE"})
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
PUBLIC = re.compile(r"/v1/health|/open/[^/]*")
"""What needs no token: it tells nothing but that Treadle is here, or brings a secret of its own."""

BODY = "treadle.body"
"""Where in a request's scope its parsed body is."""

_PROMPT = re.compile(
    r"/v1/(threads/[^/]+/(messages|plans|approvals|tasks/[^/]+/messages)|flows/check)"
)
"""Paths whose bodies hold prompts, which may be long."""

_FILES = "/v1/attachments"
"""The path whose bodies hold whole files."""

_REMOVABLE = re.compile(r"/v1/(threads|flow-runs|schedules)/[^/]+")
"""Paths of what can be removed; elsewhere there is no such method."""

_OVERRIDES = {b"x-http-method-override", b"x-http-method", b"x-method-override"}
_HEADERS = [(k.lower().encode(), v.encode()) for k, v in problems.SECURITY_HEADERS.items()]
_OWN = {b"content-security-policy"}
"""The one of these headers that a route may give itself: a page knows what it needs."""

_OWN_OF_PAGE = _OWN | {b"cache-control"}
"""The page's files hold nothing of anybody's."""

_SIGN_IN = (
    "send `Authorization: Bearer TOKEN`; TOKEN is in the file `token` of the data folder. "
    "A browser gets in by the link that `treadle open` prints"
)


class Gate:
    """ASGI middleware: lets a request through, or answers with a problem."""

    def __init__(
        self, app: ASGIApp, *, token: bytes, sessions: BrowserSessions, rates: Rates, limits: Limits
    ) -> None:
        self._app = app
        self._credentials = _digest(b"Bearer " + token)
        self._sessions = sessions
        self._rates = rates
        self._read_seconds = limits.read_seconds
        self._hosts: frozenset[str] = frozenset(
            f"{name}:{sessions.port}" for name in ("127.0.0.1", "localhost", "[::1]", NAME)
        )
        self._origins = frozenset(f"http://{host}" for host in self._hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection; web sockets are closed, there are none here."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            await self._check(scope)
            if scope["method"] not in SAFE:
                body = await self._body(scope, receive)
                scope[BODY] = strict_json.parse(body)
                receive = _replay(body, receive)
        except RefusedError as error:
            await _refuse(_refusal(error, scope), receive, send)
            return
        await self._app(scope, receive, _with_headers(send, _own(scope)))

    async def _check(self, scope: Scope) -> None:
        _check_headers(scope)
        self._check_sender(scope)
        _check_method(scope)
        if not PUBLIC.fullmatch(scope["path"]):
            await self._check_credentials(scope)
        if scope["method"] not in SAFE:
            _check_form(scope)
            await self._rates.count_write()

    def _check_sender(self, scope: Scope) -> None:
        host = _values(scope, b"host")
        if len(host) != 1 or host[0] not in self._hosts:
            allowed = ", ".join(sorted(self._hosts))
            raise RefusedError(421, "host_not_allowed", f"the host is one of {allowed}")
        origin = _values(scope, b"origin")
        if len(origin) > 1 or not self._origins.issuperset(origin):
            raise RefusedError(403, "origin_not_allowed", "other web pages may not ask here")
        if not {"same-origin", "none"}.issuperset(_values(scope, b"sec-fetch-site")):
            raise RefusedError(403, "origin_not_allowed", "other web pages may not ask here")

    async def _check_credentials(self, scope: Scope) -> None:
        names = {name.casefold() for name, _ in parse_qsl(scope["query_string"].decode("latin-1"))}
        if names & {"token", "access_token"}:
            detail = "a token does not belong into a URL, which others may read: it does not count"
            raise RefusedError(401, "token_missing", detail, _SIGN_IN)
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        if given:
            if len(given) > 1 or not hmac.compare_digest(_digest(given[0]), self._credentials):
                await self._rates.count_wrong_token()
                raise RefusedError(401, "token_wrong", "this is not the API's token", _SIGN_IN)
            return
        is_own_host = _values(scope, b"host") == [self._sessions.host]
        cookies = _cookies(scope, self._sessions.cookie_name) if is_own_host else []
        if not any(self._sessions.is_good(cookie) for cookie in cookies):
            if cookies:
                await self._rates.count_wrong_token()
            raise RefusedError(401, "token_missing", "this needs the API's token", _SIGN_IN)
        if scope["method"] not in SAFE and not _values(scope, b"origin"):
            raise RefusedError(403, "origin_missing", "a page that changes something says `Origin`")

    async def _body(self, scope: Scope, receive: Receive) -> bytes:
        limit = _limit(scope["path"])
        too_large = RefusedError(413, "body_too_large", f"a body has at most {limit} bytes here")
        if any(int(length) > limit for length in _values(scope, b"content-length")):
            raise too_large
        body = bytearray()
        try:
            async with asyncio.timeout(self._read_seconds):
                while True:
                    message = await receive()
                    if message["type"] == "http.disconnect":
                        raise RefusedError(400, "body_cut_off", "the body ended too early")
                    body += message.get("body", b"")
                    if len(body) > limit:
                        raise too_large
                    if not message.get("more_body", False):
                        return bytes(body)
        except TimeoutError as error:
            detail = f"the body did not come within {self._read_seconds:g} s"
            raise RefusedError(408, "body_too_slow", detail) from error


def _limit(path: str) -> int:
    if path == _FILES:
        return FILE_LIMIT_BYTES
    return PROMPT_LIMIT_BYTES if _PROMPT.fullmatch(path) else BODY_LIMIT_BYTES


def _refusal(error: RefusedError, scope: Scope) -> Response:
    """Return the answer: a problem, but words for a person who opens the page without a session."""
    headers = {**error.headers, "Connection": "close"}
    is_for_people = any("text/html" in accepted for accepted in _values(scope, b"accept"))
    if error.problem.status == HTTPStatus.UNAUTHORIZED and is_for_people:
        return HTMLResponse(SIGN_IN, HTTPStatus.UNAUTHORIZED, {**SECURITY_HEADERS, **headers})
    return problems.response(error.problem, headers)


async def _refuse(answer: Response, receive: Receive, send: Send) -> None:
    """Answer at once and close, but not so soon that one who still sends cannot read the answer."""
    headers = answer.raw_headers
    await send({"type": "http.response.start", "status": answer.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body, "more_body": True})
    with suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            while (await receive()).get("more_body", False):
                pass
    await send({"type": "http.response.body", "body": b""})


def _digest(credentials: bytes) -> bytes:
    """Return what is compared: of one length, so that the time tells nothing about the token."""
    return hashlib.sha256(credentials).digest()


def _values(scope: Scope, wanted: bytes) -> list[str]:
    headers: Iterable[tuple[bytes, bytes]] = scope["headers"]
    return [value.decode("latin-1").lower() for name, value in headers if name == wanted]


def _cookies(scope: Scope, wanted: str) -> list[str]:
    """Return every value of a cookie: programs on other ports of this host may set one as well."""
    found: list[str] = []
    for name, value in scope["headers"]:
        for part in value.decode("latin-1").split(";") if name == b"cookie" else ():
            try:
                crumb = SimpleCookie(part)
            except CookieError:
                continue
            found += [crumb[wanted].value] if wanted in crumb else []
    return found


def _check_headers(scope: Scope) -> None:
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    size = len(scope["raw_path"]) + len(scope["query_string"])
    size += sum(len(name) + len(value) for name, value in headers)
    if len(headers) > HEADER_LIMIT or size > HEADER_LIMIT_BYTES:
        raise RefusedError(
            431, "headers_too_large", "send fewer and shorter headers, and a shorter URL"
        )


def _check_method(scope: Scope) -> None:
    has_override = any(name in _OVERRIDES for name, _ in scope["headers"])
    method = scope["method"]
    is_misplaced = method == "DELETE" and not _REMOVABLE.fullmatch(scope["path"])
    if has_override or is_misplaced or method not in METHODS:
        detail = "send the method that is meant, and one that there is"
        raise RefusedError(405, "method_not_allowed", detail, headers={"Allow": "GET, POST"})


def _check_form(scope: Scope) -> None:
    types = [value.split(";")[0].strip() for value in _values(scope, b"content-type")]
    if types != ["application/json"]:
        raise RefusedError(415, "use_json", "send the body as `Content-Type: application/json`")
    if _values(scope, b"x-treadle") != ["1"]:
        detail = "a request that changes something says `X-Treadle: 1`, which no foreign page can"
        raise RefusedError(403, "x_treadle_missing", detail, hint="add the header `X-Treadle: 1`")


def _replay(body: bytes, receive: Receive) -> Receive:
    first: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return first.pop() if first else await receive()

    return replayed


def _own(scope: Scope) -> set[bytes]:
    return _OWN if scope["path"].startswith("/v1") else _OWN_OF_PAGE


def _with_headers(send: Send, own: set[bytes]) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message["headers"]}
            ours = [(n, v) for n, v in _HEADERS if n not in own or n not in given]
            names = {name for name, _ in ours}
            kept = [(n, v) for n, v in message["headers"] if n.lower() not in names]
            message = {**message, "headers": [*kept, *ours]}
        await send(message)

    return sending
