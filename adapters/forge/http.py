"""HTTP with forges: bounded, without redirects, and with errors that say what to do.

A token is sent to the address of its own API and to no other: paths are ours, and an answer's `Location`
or `Link` is never followed with it.
"""

import asyncio
import hashlib
import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

import httpx
from pydantic import TypeAdapter, ValidationError

from adapters.forge.refusals import refusal, wait_of
from adapters.forge.tokens import Tokens
from domain.forges.errors import ForgeBusyError, ForgeError

ANSWER_BYTES = 4 << 20
_LOG_BYTES = 64 << 20
_SECONDS = 30.0
_ALL_SECONDS = 120.0
_UNCHANGED = 304
_UNAUTHORIZED = 401
_LOW = 10
"""With so few requests left until the reset, watching pauses."""

T = TypeVar("T")


@dataclass(frozen=True)
class Answer:
    """An answer; `tag` is what the next request of the same path is made conditional with."""

    status: int
    raw: bytes
    tag: str
    wait: float
    scopes: str | None = None
    """What a classic token of GitHub is allowed; None where the forge does not say."""

    @property
    def is_unchanged(self) -> bool:
        """Tell whether the forge says that nothing changed."""
        return self.status == _UNCHANGED

    def read(self, shape: TypeAdapter[T], title: str) -> T:
        """Return the content."""
        try:
            return shape.validate_json(self.raw)
        except ValidationError:
            words = f"the forge's answer is not what a {title} says: is it a {title}?"
            raise ForgeError(words) from None


class Session:
    """Requests to one API with one token; `wait` is how long it wants to be left alone."""

    def __init__(self, client: httpx.AsyncClient, tokens: Tokens, title: str) -> None:
        self._client = client
        self._tokens = tokens
        self.title = title
        self.wait = 0.0

    async def ask(
        self, method: str, path: str, *, about: str, content: Any = None, tag: str = ""
    ) -> Answer:
        """Return the answer of a request that went well, or that says that nothing changed.

        `about` names the project in messages; `tag` makes the request conditional.
        """
        headers = {"If-None-Match": tag} if tag and not tag.startswith("sha256:") else {}
        kwargs: dict[str, Any] = {} if content is None else {"json": content}
        request = self._client.build_request(method, path, headers=headers, **kwargs)
        response, raw = await self._sent(request)
        if not response.is_success and response.status_code != _UNCHANGED:
            if response.status_code == _UNAUTHORIZED:
                self._tokens.drop()
            raise refusal(response, raw, about, self._tokens.name)
        low = wait_of(response, _LOW)
        self.wait = max(self.wait, low.total_seconds() if low else 0.0)
        digest = f"sha256:{hashlib.sha256(raw).hexdigest()}"
        made = response.headers.get("etag") or digest
        is_same = response.status_code == _UNCHANGED or bool(tag and tag == made)
        status = _UNCHANGED if is_same else response.status_code
        scopes = response.headers.get("x-oauth-scopes")
        return Answer(status, raw, tag if is_same else made, self.wait, scopes)

    async def tail(self, path: str, *, about: str, most: int) -> str:
        """Return the end of a text; a redirect to where it is kept is followed without the token."""
        request = self._client.build_request("GET", path)
        response, raw = await self._sent(request, most)
        if response.has_redirect_location:
            target = response.url.join(response.headers["location"])
            async with httpx.AsyncClient(timeout=_SECONDS, verify=trusted()) as plain:
                response, raw = await carried_out(plain, plain.build_request("GET", target), most)
        if not response.is_success:
            raise refusal(response, raw, about, self._tokens.name)
        return raw.decode(errors="replace")[-most:]

    async def _sent(self, request: httpx.Request, last: int = 0) -> tuple[httpx.Response, bytes]:
        request.headers["Authorization"] = f"Bearer {await self._tokens.token()}"
        return await carried_out(self._client, request, last)


@asynccontextmanager
async def session(root: str, tokens: Tokens, title: str, accept: str) -> AsyncGenerator[Session]:
    """Open a session with the API at `root`; `title` is what it should be, for messages."""
    headers = {"Accept": accept, "User-Agent": "treadle", "X-GitHub-Api-Version": "2022-11-28"}
    try:
        opened = httpx.AsyncClient(
            base_url=root, headers=headers, timeout=_SECONDS, verify=trusted()
        )
    except httpx.InvalidURL as error:
        raise ForgeError(
            f"{root!r} is no address: correct `api_url` of this {title} in config.toml"
        ) from error
    async with opened as client:
        yield Session(client, tokens, title)


@cache
def trusted() -> ssl.SSLContext:
    """Return the authorities that are trusted; to read them takes longer than a request."""
    return httpx.create_ssl_context()


async def carried_out(
    client: httpx.AsyncClient, request: httpx.Request, last: int = 0, most: int = ANSWER_BYTES
) -> tuple[httpx.Response, bytes]:
    """Return an answer and its content; with `last` only its end, else at most `most` bytes.

    Raises:
        ForgeBusyError: There is none; nothing of the request is in the message.
        ForgeError: It is too large.
    """
    try:
        async with asyncio.timeout(_ALL_SECONDS):
            response = await client.send(request, stream=True, follow_redirects=False)
            try:
                return response, await _limited(response, last, most)
            finally:
                await response.aclose()
    except (httpx.HTTPError, TimeoutError) as error:
        # neither the error's text nor its request: a header may be in there
        where = f"{request.url.host}: {type(error).__name__}"
        raise ForgeBusyError(f"the forge does not answer ({where})") from None


async def _limited(response: httpx.Response, last: int, most: int) -> bytes:
    """Return an answer's content; with `last` only its end, in UTF-8 of so many characters."""
    content, total = bytearray(), 0
    async for chunk in response.aiter_bytes():
        content += chunk
        total += len(chunk)
        if last:
            del content[: -4 * last]
        if total > (_LOG_BYTES if last else most):
            raise ForgeError("the forge's answer is too large: is it a forge?")
    return bytes(content)
