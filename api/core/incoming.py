"""An incoming request: what its headers say, its body, and how it is refused. Pure ASGI."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from http.cookies import CookieError, SimpleCookie

from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from api.core.problems import RefusedError

SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""

BODY = "treadle.body"
"""The key of the parsed body in a request's scope."""

HEADER_LIMIT_BYTES = 16 * 1024
HEADER_LIMIT = 100
LINGER_SECONDS = 1.0


def values_of(scope: Scope, wanted: bytes) -> list[str]:
    """Return the values of a header, in lower case."""
    headers: Iterable[tuple[bytes, bytes]] = scope["headers"]
    return [value.decode("latin-1").lower() for name, value in headers if name == wanted]


def cookies_of(scope: Scope, wanted: str) -> list[str]:
    """Return every value of a cookie: programs on other ports of this host may set it as well."""
    found: list[str] = []
    for name, value in scope["headers"]:
        for part in value.decode("latin-1").split(";") if name == b"cookie" else ():
            try:
                crumb = SimpleCookie(part)
            except CookieError:
                continue
            found += [crumb[wanted].value] if wanted in crumb else []
    return found


def check_size(scope: Scope) -> None:
    """Refuse a request with too many or too long headers.

    Raises:
        RefusedError: It has (431).
    """
    headers: list[tuple[bytes, bytes]] = scope["headers"]
    size = len(scope["raw_path"]) + len(scope["query_string"])
    size += sum(len(name) + len(value) for name, value in headers)
    if len(headers) > HEADER_LIMIT or size > HEADER_LIMIT_BYTES:
        raise RefusedError(
            431, "headers_too_large", "send fewer and shorter headers, and a shorter URL"
        )


async def read_body(scope: Scope, receive: Receive, limit: int, seconds: float) -> bytes:
    """Return the whole body of a request, which may have so many bytes and take so many seconds.

    Raises:
        RefusedError: It is too large (413), too slow (408) or cut off (400).
    """
    too_large = RefusedError(413, "body_too_large", f"the body must have at most {limit} bytes")
    if any(int(length) > limit for length in values_of(scope, b"content-length")):
        raise too_large
    body = bytearray()
    try:
        async with asyncio.timeout(seconds):
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
        detail = f"the body was not complete within {seconds:g} s"
        raise RefusedError(408, "body_too_slow", detail) from error


def replay(body: bytes, receive: Receive) -> Receive:
    """Return what gives a body that was read already, then what follows it."""
    first: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replayed() -> Message:
        return first.pop() if first else await receive()

    return replayed


async def refuse(answer: Response, receive: Receive, send: Send) -> None:
    """Answer at once and close, but let a client that is still sending read the response."""
    headers = answer.raw_headers
    await send({"type": "http.response.start", "status": answer.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": answer.body, "more_body": True})
    with suppress(TimeoutError):
        async with asyncio.timeout(LINGER_SECONDS):
            while (await receive()).get("more_body", False):
                pass
    await send({"type": "http.response.body", "body": b""})
