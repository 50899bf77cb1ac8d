"""Requests to a tracker, by the HTTP of forges, with refusals in the words of domain/forges/errors.py."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any, NamedTuple

import httpx

from adapters.forge.http import carried_out, trusted
from adapters.forge.refusals import error_text, wait_of
from adapters.forge.tokens import Tokens
from domain.forges.errors import ForgeAccessError, ForgeBusyError, ForgeError, ForgeGoneError

SECONDS = 30.0
PAGE = 100
MAX_PAGES = 10
_ANSWER_BYTES = 8 << 20
_UNCHANGED = 304
_UNAUTHORIZED = 401
_LIMITED = 429
_FORBIDDEN = 403
_SERVER_ERRORS = 500
_GONE = frozenset({301, 302, 307, 308, 404, 410})


class Answered(NamedTuple):
    """An answer; `content` is None where nothing changed since the tag."""

    content: Any
    tag: str
    has_next: bool


def bearer(token: str) -> str:
    """Return the header of a token as most take it."""
    return f"Bearer {token}"


class Listed(NamedTuple):
    """Items of a list that changed; `tag` is that of its first page."""

    items: list[Any]
    tag: str
    has_more: bool


def _itself(content: Any) -> list[Any]:
    return content


def _never(_: list[Any]) -> bool:
    return False


def too_long(name: str) -> ForgeError:
    """Return that nothing is written where it cannot be known whether it is there already."""
    return ForgeError(f"{name} has more than {MAX_PAGES * PAGE} comments: write there by hand")


class Asking:
    """Speaks with one tracker's API; the token goes to no other host, since no redirect is followed."""

    def __init__(
        self,
        root: str,
        headers: dict[str, str],
        tokens: Tokens,
        authorize: Callable[[str], str] = bearer,
    ) -> None:
        """Make it; `authorize` makes the header of the token, whose name is where it is from, for messages."""
        self._root = root.rstrip("/")
        self._headers = {"User-Agent": "treadle", **headers}
        self._tokens = tokens
        self._authorize = authorize

    async def ask(self, method: str, path: str, *, tag: str = "", **content: Any) -> Answered:
        """Ask once.

        Raises:
            ForgeError: What the tracker refused, or that it does not answer.
        """
        headers = {**self._headers, "Authorization": self._authorize(await self._tokens.token())}
        headers |= {"If-None-Match": tag} if tag else {}
        async with httpx.AsyncClient(timeout=SECONDS, verify=trusted()) as client:
            url = f"{self._root}{path}"
            request = client.build_request(method, url, headers=headers, **content)
            response, raw = await carried_out(client, request, most=_ANSWER_BYTES)
        if response.status_code == _UNCHANGED:
            return Answered(None, tag, has_next=False)
        if not response.is_success:
            if response.status_code == _UNAUTHORIZED:
                self._tokens.drop()
            raise self.refusal(response, raw)
        try:
            found: Any = json.loads(raw or b"null")
        except ValueError as error:
            raise ForgeError("the tracker's answer is no JSON: is its address right?") from error
        return Answered(found, response.headers.get("etag", ""), "next" in response.links)

    async def all_pages(self, path: str, params: dict[str, str], *, whole: str = "") -> list[Any]:
        """Return the items of a list, at most so many pages of it.

        Raises:
            ForgeError: It has more, and must be `whole`, which names what it is of.
        """
        found = await self.listed(path, params)
        if found and found.has_more and whole:
            raise too_long(whole)
        return found.items if found else []

    async def listed(
        self,
        path: str,
        params: dict[str, str],
        tag: str = "",
        *,
        items_of: Callable[[Any], list[Any]] = _itself,
        is_enough: Callable[[list[Any]], bool] = _never,
    ) -> Listed | None:
        """Return the items of a list from its first pages; None where nothing changed since the tag.

        `items_of` finds them in an answer. No page is read once there `is_enough`.
        """
        items, first, has_more = list[Any](), "", False
        for page in range(1, MAX_PAGES + 1):
            numbered = {**params, "per_page": str(PAGE), "page": str(page)}
            known = tag if page == 1 else ""
            answered = await self.ask("GET", path, tag=known, params=numbered)
            if answered.content is None:
                return None
            first = answered.tag if page == 1 else first
            items += items_of(answered.content)
            has_more = answered.has_next
            if not has_more or is_enough(items):
                break
        return Listed(items, first, has_more)

    async def changed(
        self,
        path: str,
        params: dict[str, str],
        cursor: str,
        tag: str = "",
        items_of: Callable[[Any], list[Any]] = _itself,
    ) -> Listed | None:
        """Return the items of a list in the order of their changes, which begins at `cursor`.

        What changes meanwhile moves to its end, and would let a later page begin behind an item that was on none. So
        another page is read only while all are of the very moment of the cursor; the others follow it.
        """
        return await self.listed(
            path,
            params,
            tag,
            items_of=items_of,
            is_enough=lambda items: bool(items) and items[-1]["updated_at"] != cursor,
        )

    def refusal(self, response: httpx.Response, raw: bytes) -> ForgeError:
        """Return what a refused request means."""
        status, words = response.status_code, error_text(raw)
        wait = wait_of(response)
        if status in {_LIMITED, _FORBIDDEN} and wait:
            return ForgeBusyError("the tracker's rate limit is used up", wait)
        if status >= _SERVER_ERRORS:
            return ForgeBusyError(f"the tracker fails with {status}", wait or timedelta())
        if status in {_UNAUTHORIZED, _FORBIDDEN}:
            return ForgeAccessError(
                f"the token in {self._tokens.name} is wrong, has expired, or may not read and write "
                f"issues there ({status}): {words}"
            )
        if status in _GONE:
            return ForgeGoneError(
                f"the project or issue is not there, has moved, or the token in {self._tokens.name} must "
                "not see it: look at the `project` of this tracker in config.toml"
            )
        return ForgeError(f"the tracker answered {status}: {words}")
