"""Conditional looks: whether anything changed since the last one is asked first, and all is read if so."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from pydantic import TypeAdapter

from adapters.forge.http import Session
from domain.forges.errors import ForgeError
from domain.forges.pull_requests import MAX_FOREIGN_TEXT, Look, PullRequestView

MOST_PAGES = 10
_CUT = "\n… [the rest was cut]"

T = TypeVar("T")


@dataclass(frozen=True)
class Paging:
    """How a forge is asked for pages: the name of their size, and the largest one."""

    name: str = "per_page"
    size: int = 100

    def path(self, path: str, number: int) -> str:
        """Return the path of a page; the first is 1."""
        return f"{path}{'&' if '?' in path else '?'}{self.name}={self.size}&page={number}"


class Reader:
    """Reads what a pull request consists of, and notes the validators of each path."""

    def __init__(self, session: Session, about: str, paging: Paging) -> None:
        self.session = session
        self.about = about
        self.paging = paging
        self.tags: dict[str, str] = {}

    async def one(self, path: str, shape: TypeAdapter[T]) -> T:
        """Return what is at a path."""
        answer = await self.session.ask("GET", path, about=self.about)
        self.tags[path] = answer.tag
        return answer.read(shape, self.session.title)

    async def post(self, path: str, content: Any, key: str, shape: TypeAdapter[T]) -> T:
        """Return what a question that is no GET is answered; `key` is its place among the validators."""
        answer = await self.session.ask("POST", path, about=self.about, content=content)
        self.tags[key] = answer.tag
        return answer.read(shape, self.session.title)

    async def every(
        self, path: str, shape: TypeAdapter[T], items: Callable[[T], list[Any]]
    ) -> list[Any]:
        """Return the items of all pages, at most ten; a page that is full has one behind it."""
        found: list[Any] = []
        for number in range(1, MOST_PAGES + 1):
            page = items(await self.one(self.paging.path(path, number), shape))
            found += page
            if len(page) < self.paging.size:
                break
        return found


async def every_item(
    session: Session, path: str, about: str, paging: Paging, shape: TypeAdapter[list[T]]
) -> list[T]:
    """Return a whole list; one that has more than ten pages is refused, so nothing in it is missed.

    Raises:
        ForgeError: It has more.
    """
    found: list[T] = []
    for number in range(1, MOST_PAGES + 1):
        answer = await session.ask("GET", paging.path(path, number), about=about)
        page = answer.read(shape, session.title)
        found += page
        if len(page) < paging.size:
            return found
    raise ForgeError(
        f"{about} has more than {MOST_PAGES * paging.size} comments: write there by hand"
    )


async def look_with(
    session: Session,
    tags: dict[str, str],
    probe: Callable[[str, str], Awaitable[str]],
    read: Callable[[], Awaitable[tuple[PullRequestView, dict[str, str]]]],
) -> Look:
    """Return a look: `probe` gives the validator that a path has now, given its last one."""
    if tags and await _is_unchanged(tags, probe):
        return Look(tags=tags, wait=session.wait)
    view, fresh = await read()
    return Look(view=view, tags=fresh, wait=session.wait)


async def _is_unchanged(tags: dict[str, str], probe: Callable[[str, str], Awaitable[str]]) -> bool:
    for path, tag in tags.items():
        if await probe(path, tag) != tag:
            return False
    return True


def bounded(text: str | None) -> str:
    """Return text from outside, cut with a notice where it is long."""
    text = text or ""
    return text if len(text) <= MAX_FOREIGN_TEXT else text[: MAX_FOREIGN_TEXT - len(_CUT)] + _CUT
