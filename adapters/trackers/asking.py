"""Requests to a tracker: bounded, with its refusals in the words of domain/forges/errors.py."""

import json
import time
from datetime import timedelta
from typing import Any, NamedTuple

import httpx

from domain.forges.errors import ForgeAccessError, ForgeBusyError, ForgeError, ForgeGoneError

SECONDS = 30.0
PAGE = 100
MAX_PAGES = 10
_ANSWER_BYTES = 8 << 20
_WORDS = 300
_LONGEST_WAIT = 3600.0
_UNCHANGED = 304
_LIMITED = 429
_FORBIDDEN = 403
_SERVER_ERRORS = 500
_GONE = frozenset({301, 302, 307, 308, 404, 410})


class Answered(NamedTuple):
    """An answer; `content` is None where nothing changed since the tag."""

    content: Any
    tag: str
    has_next: bool


class Asking:
    """Speaks with one tracker's API; the token goes to no other host, since no redirect is followed."""

    def __init__(self, root: str, headers: dict[str, str], token_name: str) -> None:
        """`token_name` is where the token is read from, for messages."""
        self._root = root.rstrip("/")
        self._headers = {"User-Agent": "treadle", **headers}
        self._token_name = token_name

    async def ask(self, method: str, path: str, *, tag: str = "", **content: Any) -> Answered:
        """Ask once.

        Raises:
            ForgeError: What the tracker refused, or that it does not answer.
        """
        headers = {"If-None-Match": tag} if tag else {}
        try:
            async with httpx.AsyncClient(headers=self._headers, timeout=SECONDS) as client:
                url = f"{self._root}{path}"
                async with client.stream(method, url, headers=headers, **content) as response:
                    raw = await _limited(response)
        except httpx.HTTPError as error:
            raise ForgeBusyError(
                f"the tracker does not answer ({type(error).__name__} {error})"
            ) from error
        if response.status_code == _UNCHANGED:
            return Answered(None, tag, has_next=False)
        if not response.is_success:
            raise self._refusal(response, raw)
        try:
            found: Any = json.loads(raw or b"null")
        except ValueError as error:
            raise ForgeError("the tracker's answer is no JSON: is its address right?") from error
        return Answered(found, response.headers.get("etag", ""), "next" in response.links)

    async def all_pages(self, path: str, params: dict[str, str]) -> list[Any]:
        """Return the items of a list, at most so many pages of it."""
        items: list[Any] = []
        for page in range(1, MAX_PAGES + 1):
            numbered = {**params, "per_page": str(PAGE), "page": str(page)}
            answered = await self.ask("GET", path, params=numbered)
            items += answered.content
            if not answered.has_next:
                break
        return items

    def _refusal(self, response: httpx.Response, raw: bytes) -> ForgeError:
        status, words = response.status_code, raw.decode(errors="replace")[:_WORDS]
        wait = _wait(response)
        if status == _LIMITED or (status == _FORBIDDEN and wait):
            return ForgeBusyError(
                "the tracker's rate limit is used up", timedelta(seconds=wait or 60)
            )
        if status >= _SERVER_ERRORS:
            return ForgeBusyError(f"the tracker fails with {status}", timedelta(seconds=wait))
        if status in {401, _FORBIDDEN}:
            return ForgeAccessError(
                f"the token in {self._token_name} is wrong, has expired, or may not read and write "
                f"issues there ({status}): {words}"
            )
        if status in _GONE:
            return ForgeGoneError(
                f"the project or issue is not there, has moved, or the token in {self._token_name} must "
                "not see it: look at the `project` of this tracker in config.toml"
            )
        return ForgeError(f"the tracker answered {status}: {words}")


async def _limited(response: httpx.Response) -> bytes:
    content = bytearray()
    async for chunk in response.aiter_bytes():
        content += chunk
        if len(content) > _ANSWER_BYTES:
            raise ForgeError("the tracker's answer is too large")
    return bytes(content)


def _wait(response: httpx.Response) -> float:
    """Return how many seconds the tracker wants to be left alone, at most an hour; 0 where it says nothing."""
    after = response.headers.get("retry-after", "")
    reset = response.headers.get("x-ratelimit-reset", "")
    if after.isdecimal():
        return min(float(after), _LONGEST_WAIT)
    if response.headers.get("x-ratelimit-remaining") == "0" and reset.isdecimal():
        return min(max(float(reset) - time.time(), 1.0), _LONGEST_WAIT)
    return 0.0
