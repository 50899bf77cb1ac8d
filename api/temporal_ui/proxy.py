"""Passes a request on to Temporal's Web UI server, and streams what it answers."""

import asyncio
import base64
import hashlib
import re
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager

import httpx
from starlette.types import Receive, Scope, Send

from api.core.incoming import cookies_of

CSRF_COOKIE = "_csrf"
"""The Web UI server's own, against foreign pages; no other cookie passes."""

ASKED = (
    *(b"accept", b"accept-encoding", b"content-type", b"x-csrf-token"),
    *(b"if-none-match", b"if-modified-since", b"caller-type"),
)
ANSWERED = (
    *("content-type", "content-encoding", "cache-control", "etag", "last-modified", "vary"),
    *("content-length", "location"),
)
SECONDS = httpx.Timeout(10, read=75)
"""The Web UI asks for what comes next in a history, which takes up to a minute to answer."""

_MARKDOWN = b"/render"
"""The document that shows Markdown in a frame; its own policy lets nothing run or load in it."""

_HEAD = b"<head>"
_SCRIPT = re.compile(rb"<script(?![^>]*\ssrc=)[^>]*>(.*?)</script>", re.DOTALL)
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' {scripts}",
        "style-src 'self' 'unsafe-inline'",
        "img-src 'self' data: blob:",
        "font-src 'self' data:",
        "connect-src 'self'",
        "worker-src 'self' blob:",
        "manifest-src 'self'",
        "frame-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
"""Nothing that a workflow shows can send what is decoded to another host."""

HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}


def policy(html: bytes = b"") -> str:
    """Return the content security policy of a document: its own inline scripts run, no others."""
    digests = [hashlib.sha256(script).digest() for script in _SCRIPT.findall(html)]
    scripts = " ".join(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in digests)
    return _POLICY.format(scripts=scripts)


class Upstream:
    """The Web UI server; `script` is put into the head of its documents."""

    def __init__(self, url: str, script: bytes = b"") -> None:
        self._url = httpx.URL(url)
        self._script = script
        # its answers pass as they are, and nothing of the environment may lead them elsewhere
        self._http = httpx.AsyncClient(
            trust_env=False,
            timeout=SECONDS,
            follow_redirects=False,
            verify=False,  # noqa: S501  (no TLS here; reading certificates takes 30 ms)
        )

    async def close(self) -> None:
        """End all connections."""
        await self._http.aclose()

    async def fetch(self, path: str) -> httpx.Response:
        """Return a whole answer.

        Raises:
            httpx.HTTPError: The server does not answer.
        """
        return await self._http.get(self._url.copy_with(raw_path=path.encode()))

    async def pass_on(self, scope: Scope, receive: Receive, send: Send, body: bytes) -> None:
        """Send a request on, and its answer back, until one of both sides ends it.

        Raises:
            httpx.HTTPError: The server does not answer.
        """
        passing = asyncio.create_task(self._pass(scope, send, body))
        leaving = asyncio.create_task(_left(receive))
        try:
            await asyncio.wait({passing, leaving}, return_when=asyncio.FIRST_COMPLETED)
            if passing.done():
                await passing
        finally:
            for task in (passing, leaving):
                task.cancel()
            await asyncio.gather(passing, leaving, return_exceptions=True)

    async def _pass(self, scope: Scope, send: Send, body: bytes) -> None:
        async with self._asked(scope, body) as answer:
            kind = answer.headers.get("content-type", "")
            if kind.startswith("text/html"):
                await _send_document(scope, send, answer, self._script)
                return
            await _begin(send, answer, {"Content-Security-Policy": policy()})
            async for piece in answer.aiter_raw():
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body", "body": b""})

    @asynccontextmanager
    async def _asked(self, scope: Scope, body: bytes) -> AsyncGenerator[httpx.Response]:
        query = b"?" + scope["query_string"] if scope["query_string"] else b""
        url = self._url.copy_with(raw_path=scope["raw_path"].partition(b"?")[0] + query)
        headers = [(name, value) for name, value in scope["headers"] if name in ASKED]
        headers += [
            (b"cookie", f"{CSRF_COOKIE}={cookie}".encode())
            for cookie in cookies_of(scope, CSRF_COOKIE)
        ]
        async with self._http.stream(
            scope["method"], url, headers=headers, content=body or None
        ) as answer:
            yield answer


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _send_document(scope: Scope, send: Send, answer: httpx.Response, script: bytes) -> None:
    html = await answer.aread()
    is_framed = scope["raw_path"].startswith(_MARKDOWN)
    if not is_framed:
        html = html.replace(_HEAD, _HEAD + script, 1)
    own = answer.headers.get("content-security-policy") if is_framed else None
    headers = {
        "Content-Security-Policy": own or policy(html),
        "Content-Length": str(len(html)),
        "Cache-Control": "no-store",
    }
    answer.headers.pop("content-encoding", None)  # it was unpacked
    await _begin(send, answer, headers)
    await send({"type": "http.response.body", "body": html})


async def _begin(send: Send, answer: httpx.Response, own: Mapping[str, str]) -> None:
    ours = {**HEADERS, **own}
    taken = {name.lower() for name in ours}
    headers = [
        (name.encode(), answer.headers[name].encode("latin-1"))
        for name in ANSWERED
        if name in answer.headers and name not in taken
    ]
    headers += [(name.lower().encode(), value.encode()) for name, value in ours.items()]
    headers += [(b"set-cookie", cookie) for cookie in _csrf_set(answer)]
    await send({"type": "http.response.start", "status": answer.status_code, "headers": headers})


def _csrf_set(answer: httpx.Response) -> list[bytes]:
    set_cookies: list[str] = answer.headers.get_list("set-cookie")
    return [c.encode("latin-1") for c in set_cookies if c.startswith(f"{CSRF_COOKIE}=")]
