"""The gate before every route: it checks sender, origin and form of a request.

Pure ASGI, so that it also covers streams and unknown paths. Refuses other hosts (DNS rebinding), other
origins (any web page), requests without the token, and bodies that are large, slow, or not plain JSON.
"""

import re
from http import HTTPStatus
from urllib.parse import parse_qsl

from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.core import problems, strict_json
from api.core.bodies import ENCODED_LIMIT
from api.core.callers import CALLER, Callers, credentials_missing
from api.core.from_links import answer_link, is_from_link
from api.core.incoming import BODY, SAFE, check_size, read_body, refuse, replay, values_of
from api.core.page import SIGN_IN_HEADERS
from api.core.passkey_sign_ins import INVITATION
from api.core.probes import PROBES
from api.core.problems import RefusedError
from api.core.rates import Limits, Rates
from api.core.reach import ADDRESS, Reach
from api.core.refused import refused_of
from api.core.sign_in_page import CALLBACK, SignInDoors, refusal_page, sign_in_page
from domain.people.sign_ins import SignInRefusedError

BODY_LIMIT_BYTES = 256 * 1024
PROMPT_LIMIT_BYTES = 1024 * 1024
PLAN_LIMIT_BYTES = 1536 * 1024
"""Of a plan of a megabyte with its defaults spelt out, as editors send it."""

FILE_LIMIT_BYTES = ENCODED_LIMIT + 4096
METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "DELETE"})
PUBLIC = re.compile(
    r"/v1/health|/v1/host-joins|/v1/device-(logins|tokens)|/open/[^/]*|/sign-in/oidc(/callback)?"
    r"|/v1/passkey-(registrations|sign-ins)(/finish)?|/sign-in/(invitation|passkey(/new|\.js)?)"
)
"""Paths that need no token: they only say that Treadle runs, or are asked with a secret of their own."""

_PROMPT = re.compile(
    r"/v1/(threads/[^/]+/(messages|plans|approvals|tasks/[^/]+/messages)|flows/check)"
)
"""Paths whose bodies contain prompts, which may be long."""

_PLAN = re.compile(r"/v1/threads/[^/]+/plans/[^/]+/edits")
"""The path whose bodies contain a whole plan."""

_LARGE = re.compile(r"/v1/(attachments|temporal/codec/[^/]+)")
"""Paths whose bodies contain whole files, or what Temporal holds of them."""

CODEC = re.compile(r"/v1/temporal/codec/(decode|encode)")
"""Paths that Temporal's CLI calls with the token alone; they change nothing."""

_FROM_ELSEWHERE = {CALLBACK, INVITATION}
"""The provider's page leads here, and its state says for whom; a chat leads to an invitation, which is a page alone."""

_REMOVABLE = re.compile(r"/v1/(threads|flow-runs|schedules)/[^/]+")
"""Paths that can be deleted."""

_OVERRIDES = {b"x-http-method-override", b"x-http-method", b"x-method-override"}
_HEADERS = [(k.lower().encode(), v.encode()) for k, v in problems.SECURITY_HEADERS.items()]
_HTTPS_ONLY = [(b"strict-transport-security", b"max-age=31536000")]
_OWN = {b"content-security-policy"}
"""The header that a route may set itself: pages have different policies."""

_OWN_OF_PAGE = _OWN | {b"cache-control"}
"""The page's files contain nothing private and may be cached."""

_FOREIGN_PAGE = "requests from other web pages are not allowed"


class Gate:
    """ASGI middleware: passes a request on, or answers with a problem."""

    def __init__(
        self, app: ASGIApp, *, callers: Callers, reach: Reach, rates: Rates, limits: Limits
    ) -> None:
        self._app = app
        self._callers = callers
        self._rates = rates
        self._read_seconds = limits.read_seconds
        self._reach = reach
        self._headers = [*_HEADERS, *(_HTTPS_ONLY if reach.is_secure else ())]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection; web sockets are not supported and closed."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            if self._reach.is_team and is_from_link(scope):
                await answer_link(scope, receive, send)
                return
            await self._check(scope)
            if scope["method"] not in SAFE:
                limit = _limit(scope["path"])
                body = await read_body(scope, receive, limit, self._read_seconds)
                scope[BODY] = strict_json.parse(body)
                receive = replay(body, receive)
        except RefusedError as error:
            await refused_of(scope).note(scope, error.problem)
            await refuse(_refusal(error, scope), receive, send)
            return
        await self._app(scope, receive, self._with_headers(send, _own(scope)))

    def _with_headers(self, send: Send, own: set[bytes]) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = {name.lower() for name, _ in message["headers"]}
                ours = [(n, v) for n, v in self._headers if n not in own or n not in given]
                names = {name for name, _ in ours}
                kept = [(n, v) for n, v in message["headers"] if n.lower() not in names]
                message = {**message, "headers": [*kept, *ours]}
            await send(message)

        return sending

    async def _check(self, scope: Scope) -> None:
        check_size(scope)
        if scope["path"] in PROBES and scope["method"] in SAFE:
            return
        scope[ADDRESS] = self._reach.address_of(scope)
        self._check_sender(scope)
        _check_method(scope)
        if not PUBLIC.fullmatch(scope["path"]):
            await self._check_credentials(scope)
        if scope["method"] not in SAFE:
            _check_form(scope)
            if not CODEC.fullmatch(scope["path"]):
                await self._rates.count_write()

    def _check_sender(self, scope: Scope) -> None:
        host = values_of(scope, b"host")
        if len(host) != 1 or host[0] not in self._reach.hosts:
            allowed = ", ".join(sorted(self._reach.hosts))
            raise RefusedError(
                421, "host_not_allowed", f"the Host header must be one of: {allowed}"
            )
        origin = values_of(scope, b"origin")
        if len(origin) > 1 or not self._reach.origins.issuperset(origin):
            raise RefusedError(403, "origin_not_allowed", _FOREIGN_PAGE)
        if scope["path"] in _FROM_ELSEWHERE and scope["method"] == "GET":
            return
        if not {"same-origin", "none"}.issuperset(values_of(scope, b"sec-fetch-site")):
            raise RefusedError(403, "origin_not_allowed", _FOREIGN_PAGE)

    async def _check_credentials(self, scope: Scope) -> None:
        names = {name.casefold() for name, _ in parse_qsl(scope["query_string"].decode("latin-1"))}
        if names & {"token", "access_token"}:
            detail = "the token must not be in the URL, which others may read"
            raise credentials_missing("token_missing", detail)
        scope[CALLER] = await self._callers.of(scope)
        if values_of(scope, b"authorization"):
            return
        if scope["method"] not in SAFE and not values_of(scope, b"origin"):
            raise RefusedError(403, "origin_missing", "the header `Origin` is missing")


def _limit(path: str) -> int:
    if _LARGE.fullmatch(path):
        return FILE_LIMIT_BYTES
    if _PLAN.fullmatch(path):
        return PLAN_LIMIT_BYTES
    return PROMPT_LIMIT_BYTES if _PROMPT.fullmatch(path) else BODY_LIMIT_BYTES


def _refusal(error: RefusedError, scope: Scope) -> Response:
    """Return the response: a problem, or a page for a browser without a session."""
    headers = {**error.headers, "Connection": "close"}
    doors: SignInDoors = scope["app"].state.doors
    is_for_people = any("text/html" in accepted for accepted in values_of(scope, b"accept"))
    if error.problem.status == HTTPStatus.UNAUTHORIZED and is_for_people:
        page = sign_in_page(doors, scope["path"])
        return HTMLResponse(page, HTTPStatus.UNAUTHORIZED, {**SIGN_IN_HEADERS, **headers})
    if error.problem.type == f"treadle:{SignInRefusedError.type}" and is_for_people:
        page = refusal_page(error.problem.detail or "")
        return HTMLResponse(page, error.problem.status, {**SIGN_IN_HEADERS, **headers})
    return problems.response(error.problem, headers)


def _check_method(scope: Scope) -> None:
    has_override = any(name in _OVERRIDES for name, _ in scope["headers"])
    method = scope["method"]
    is_misplaced = method == "DELETE" and not _REMOVABLE.fullmatch(scope["path"])
    if has_override or is_misplaced or method not in METHODS:
        detail = "this method is not allowed here, and no header may override it"
        raise RefusedError(405, "method_not_allowed", detail, headers={"Allow": "GET, POST"})


def _check_form(scope: Scope) -> None:
    types = [value.split(";")[0].strip() for value in values_of(scope, b"content-type")]
    if types != ["application/json"]:
        raise RefusedError(415, "use_json", "send the body as `Content-Type: application/json`")
    has_token = bool(values_of(scope, b"authorization"))  # which no other page can send, either
    if CODEC.fullmatch(scope["path"]) and has_token:
        return
    if values_of(scope, b"x-treadle") != ["1"]:
        detail = "the header `X-Treadle: 1` is missing, which other web pages cannot send"
        raise RefusedError(403, "x_treadle_missing", detail, hint="add the header `X-Treadle: 1`")


def _own(scope: Scope) -> set[bytes]:
    return _OWN if scope["path"].startswith("/v1") else _OWN_OF_PAGE
