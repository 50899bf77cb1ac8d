"""The gate before every route: who asks, from where, and in what form (reliability page, 6.2).

Pure ASGI, so that it also stands before the streams and before what no route knows. Refuses other
hosts (DNS rebinding), other origins (any web page), requests without the token, and bodies that are
large, slow, or no plain JSON.
"""

import asyncio
import hmac
from collections.abc import Iterable

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api import problems, strict_json
from api.problems import RefusedError

BODY_LIMIT_BYTES = 256 * 1024
BODY_SECONDS = 10.0
HEADER_LIMIT_BYTES = 16 * 1024
HEADER_LIMIT = 100
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
PUBLIC = frozenset({"/v1/health"})
"""Paths that need no token; they tell nothing but that Treadle is here."""

_HEADERS = [(k.lower().encode(), v.encode()) for k, v in problems.SECURITY_HEADERS.items()]


class Gate:
    """ASGI middleware: lets a request through, or answers with a problem."""

    def __init__(self, app: ASGIApp, *, port: int, token: bytes) -> None:
        self._app = app
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost", "[::1]")}
        self._origins = {f"http://{host}" for host in self._hosts}
        self._credentials = b"Bearer " + token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle one connection; web sockets are closed, there are none here."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        try:
            _check_headers(scope)
            self._check_sender(scope)
            if scope["method"] not in SAFE:
                _check_media_type(scope)
                body = await _body(scope, receive)
                strict_json.check(body)
                receive = _replay(body, receive)
        except RefusedError as error:
            answer = problems.response(error.problem)
            answer.headers["Connection"] = "close"  # whatever is left of the body is not read
            await answer(scope, receive, send)
            return
        await self._app(scope, receive, _with_headers(send))

    def _check_sender(self, scope: Scope) -> None:
        host = _values(scope, b"host")
        if len(host) != 1 or host[0] not in self._hosts:
            allowed = sorted(self._hosts)[0]
            raise RefusedError(421, "host_not_allowed", f"ask for {allowed} or localhost")
        origin = _values(scope, b"origin")
        if len(origin) > 1 or not self._origins.issuperset(origin):
            raise RefusedError(403, "origin_not_allowed", "other web pages may not ask here")
        if not {"same-origin", "none"}.issuperset(_values(scope, b"sec-fetch-site")):
            raise RefusedError(403, "origin_not_allowed", "other web pages may not ask here")
        if scope["path"] not in PUBLIC:
            self._check_token(scope)

    def _check_token(self, scope: Scope) -> None:
        given = [value for name, value in scope["headers"] if name == b"authorization"]
        hint = "send `Authorization: Bearer TOKEN`; TOKEN is in the file `token` of the data folder"
        if not given:
            raise RefusedError(401, "token_missing", "this needs the API's token", hint)
        if len(given) > 1 or not hmac.compare_digest(given[0], self._credentials):
            raise RefusedError(401, "token_wrong", "this is not the API's token", hint)


def _values(scope: Scope, wanted: bytes) -> list[str]:
    headers: Iterable[tuple[bytes, bytes]] = scope["headers"]
    return [value.decode("latin-1").lower() for name, value in headers if name == wanted]


def _check_headers(scope: Scope) -> None:
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    size = sum(len(name) + len(value) for name, value in headers)
    if len(headers) > HEADER_LIMIT or size > HEADER_LIMIT_BYTES:
        raise RefusedError(431, "headers_too_large", "send fewer and shorter headers")


def _check_media_type(scope: Scope) -> None:
    types = [value.split(";")[0].strip() for value in _values(scope, b"content-type")]
    if types != ["application/json"]:
        raise RefusedError(415, "use_json", "send the body as `Content-Type: application/json`")


async def _body(scope: Scope, receive: Receive) -> bytes:
    too_large = RefusedError(413, "body_too_large", f"a body has at most {BODY_LIMIT_BYTES} bytes")
    if any(int(length) > BODY_LIMIT_BYTES for length in _values(scope, b"content-length")):
        raise too_large
    body = bytearray()
    try:
        async with asyncio.timeout(BODY_SECONDS):
            while True:
                message = await receive()
                body += message.get("body", b"")
                if len(body) > BODY_LIMIT_BYTES:
                    raise too_large
                if not message.get("more_body", False):
                    return bytes(body)
    except TimeoutError as error:
        raise RefusedError(
            408, "body_too_slow", f"the body did not come within {BODY_SECONDS:g} s"
        ) from error


def _replay(body: bytes, receive: Receive) -> Receive:
    first: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return first.pop() if first else await receive()

    return replayed


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            names = {name.lower() for name, _ in _HEADERS}
            kept = [(n, v) for n, v in message["headers"] if n.lower() not in names]
            message = {**message, "headers": [*kept, *_HEADERS]}
        await send(message)

    return sending
