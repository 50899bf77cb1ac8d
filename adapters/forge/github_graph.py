"""What only GitHub's GraphQL can do: review threads, auto-merge, the merge queue, and whose a token is."""

from datetime import datetime
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

from adapters.forge.github_queries import MORE, QUEUED, THREADS, VIEWER
from adapters.forge.github_shapes import GHOST
from adapters.forge.http import Answer, Session
from adapters.forge.looks import MOST_PAGES, bounded
from domain.forges.errors import (
    ForgeAccessError,
    ForgeBusyError,
    ForgeConflictError,
    ForgeError,
    ForgeGoneError,
)
from domain.forges.projects import Account
from domain.forges.pull_requests import PullRequestId, ReviewComment, ReviewThread

T = TypeVar("T")

_KINDS: dict[str, type[ForgeError]] = {
    "NOT_FOUND": ForgeGoneError,
    "FORBIDDEN": ForgeAccessError,
    "INSUFFICIENT_SCOPES": ForgeAccessError,
    "UNPROCESSABLE": ForgeConflictError,
}
_MAX_WORDS = 500


class _Actor(BaseModel):
    typename: str = Field("User", alias="__typename")
    login: str
    database_id: int | None = Field(None, alias="databaseId")


class Said(BaseModel):
    """A comment of a review thread."""

    database_id: int | None = Field(None, alias="databaseId")
    body: str
    url: str = ""
    created_at: datetime = Field(alias="createdAt")
    edited_at: datetime | None = Field(None, alias="lastEditedAt")
    author: _Actor | None = None

    @property
    def key(self) -> str:
        """Its id."""
        return str(self.database_id or "")

    @property
    def text(self) -> str:
        """Its whole text."""
        return self.body

    @property
    def by(self) -> str:
        """The id of its author."""
        return self.account.id

    @property
    def account(self) -> Account:
        """Its author, with the login that REST has for bots."""
        who = self.author
        if who is None:
            return GHOST
        is_bot = who.typename == "Bot"
        login = f"{who.login}[bot]" if is_bot and not who.login.endswith("[bot]") else who.login
        return Account(id=str(who.database_id or ""), login=login, is_bot=is_bot)

    @property
    def comment(self) -> ReviewComment:
        """The same, as all forges have it."""
        return ReviewComment(
            id=self.key,
            author=self.account,
            body=bounded(self.body),
            url=self.url,
            created_at=self.created_at,
            edited_at=self.edited_at,
        )


class _PageInfo(BaseModel):
    has_next: bool = Field(default=False, alias="hasNextPage")
    end: str | None = Field(None, alias="endCursor")


class _Comments(BaseModel):
    nodes: list[Said]
    page: _PageInfo = Field(alias="pageInfo")


class Thread(BaseModel):
    """A review thread."""

    id: str
    path: str = ""
    line: int | None = None
    is_resolved: bool = Field(default=False, alias="isResolved")
    comments: _Comments

    @property
    def is_whole(self) -> bool:
        """Tell whether all of its comments were read."""
        return not self.comments.page.has_next

    @property
    def thread(self) -> ReviewThread:
        """The same, as all forges have it; its id names the first comment too, which replies go to."""
        first = self.comments.nodes[0].key if self.comments.nodes else "0"
        return ReviewThread(
            id=f"{self.id}:{first}",
            path=self.path,
            line=self.line or 0,
            is_resolved=self.is_resolved,
            comments=tuple(each.comment for each in self.comments.nodes),
        )


class _More(BaseModel):
    class Of(BaseModel):
        """A thread."""

        comments: _Comments

    node: Of | None


class _Threads(BaseModel):
    nodes: list[Thread]
    page: _PageInfo = Field(alias="pageInfo")


class _InQueue(BaseModel):
    entry: object | None = Field(None, alias="mergeQueueEntry")


P = TypeVar("P", bound=_InQueue)


class _Pull(_InQueue):
    threads: _Threads = Field(alias="reviewThreads")


class _Of(BaseModel, Generic[P]):
    pull: P | None = Field(None, alias="pullRequest")


class _Found(BaseModel, Generic[P]):
    repository: _Of[P] | None


class _Viewer(BaseModel):
    class Whom(BaseModel):
        """An account."""

        id: int = Field(alias="databaseId")

    viewer: Whom


class _Problem(BaseModel):
    type: str = ""
    message: str = ""


class _Reply(BaseModel):
    data: Any = None
    errors: list[_Problem] = []


_FOUND, _VIEWER, _MORE = TypeAdapter(_Found[_Pull]), TypeAdapter(_Viewer), TypeAdapter(_More)
_IN_QUEUE = TypeAdapter(_Found[_InQueue])
_ANYTHING: TypeAdapter[Any] = TypeAdapter(Any)


class Graph:
    """GraphQL of one session."""

    def __init__(self, session: Session, url: str) -> None:
        self._session = session
        self._url = url

    async def viewer(self) -> str:
        """Return the id of the account whose token it is."""
        _, found = await self._asked(VIEWER, {}, "the token's account", _VIEWER)
        return str(found.viewer.id)

    async def threads(self, of: PullRequestId, about: str) -> tuple[list[Thread], bool, str]:
        """Return the review threads, whether it is in the merge queue, and the digest of both."""
        given = _given(of)
        threads: list[Thread] = []
        tags: list[str] = []
        is_queued = False
        for _ in range(MOST_PAGES):
            answer, found = await self._asked(THREADS, given, about, _FOUND)
            pull = _there(found, about)
            threads += pull.threads.nodes
            tags.append(answer.tag)
            for thread in pull.threads.nodes:
                tags += await self._complete(thread, about)
            is_queued = pull.entry is not None
            if not pull.threads.page.has_next:
                break
            given["after"] = pull.threads.page.end
        return threads, is_queued, " ".join(tags)

    async def _complete(self, thread: Thread, about: str) -> list[str]:
        """Read the comments behind a thread's first hundred, at most a thousand; returns the digests."""
        tags: list[str] = []
        for _ in range(1, MOST_PAGES):
            page = thread.comments.page
            if not page.has_next:
                break
            answer, more = await self._asked(
                MORE, {"thread": thread.id, "after": page.end}, about, _MORE
            )
            tags.append(answer.tag)
            if more.node is None:
                break
            thread.comments.nodes += more.node.comments.nodes
            thread.comments.page = more.node.comments.page
        return tags

    async def is_queued(self, of: PullRequestId, about: str) -> bool:
        """Tell whether a pull request is in the merge queue."""
        _, found = await self._asked(QUEUED, _given(of), about, _IN_QUEUE)
        return _there(found, about).entry is not None

    async def do(self, mutation: str, given: dict[str, Any], about: str) -> None:
        """Carry out a mutation."""
        await self._asked(mutation, given, about, _ANYTHING)

    async def _asked(
        self, query: str, given: dict[str, Any], about: str, shape: TypeAdapter[T]
    ) -> tuple[Answer, T]:
        content = {"query": query, "variables": given}
        answer = await self._session.ask("POST", self._url, about=about, content=content)
        try:
            reply = _Reply.model_validate_json(answer.raw)
            if not reply.errors:
                return answer, shape.validate_python(reply.data)
        except ValidationError:
            raise ForgeError("the forge's answer is no GraphQL: is it a GitHub?") from None
        first = reply.errors[0]
        words = "".join(c if c.isprintable() else " " for c in first.message[:_MAX_WORDS])
        if first.type == "RATE_LIMITED":
            raise ForgeBusyError(f"the forge's rate limit is used up: {words}")
        raise _KINDS.get(first.type, ForgeConflictError)(f"{about}: {words}")


def _given(of: PullRequestId) -> dict[str, Any]:
    return {"owner": of.project.owner, "name": of.project.name, "number": of.number}


def _there(found: _Found[P], about: str) -> P:
    pull = found.repository.pull if found.repository else None
    if pull is None:
        raise ForgeGoneError(f"{about} is not there, or the token must not see it")
    return pull
