"""What only GitHub's GraphQL can do: review threads, auto-merge, the merge queue, and whose a token is."""

from datetime import datetime
from typing import Any, TypeVar

from pydantic import BaseModel, Field, TypeAdapter, ValidationError

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

_AUTHOR = "author { __typename login ... on User { databaseId } ... on Bot { databaseId } }"
_COMMENT = f"databaseId body url createdAt lastEditedAt {_AUTHOR}"
THREADS = f"""query($owner: String!, $name: String!, $number: Int!, $after: String) {{
  repository(owner: $owner, name: $name) {{ pullRequest(number: $number) {{
    mergeQueueEntry {{ id }}
    reviewThreads(first: 100, after: $after) {{
      pageInfo {{ hasNextPage endCursor }}
      nodes {{ id path line isResolved comments(first: 100) {{ nodes {{ {_COMMENT} }} }} }}
    }} }} }} }}"""
VIEWER = "query { viewer { databaseId login } }"
RESOLVE = """mutation($thread: ID!) {
  resolveReviewThread(input: {threadId: $thread}) { thread { id } } }"""
ENABLE = """mutation($id: ID!, $commit: GitObjectID!, $method: PullRequestMergeMethod!, $title: String) {
  enablePullRequestAutoMerge(input: {pullRequestId: $id, expectedHeadOid: $commit, mergeMethod: $method,
    commitHeadline: $title}) { clientMutationId } }"""
DISABLE = """mutation($id: ID!) {
  disablePullRequestAutoMerge(input: {pullRequestId: $id}) { clientMutationId } }"""
ENQUEUE = """mutation($id: ID!, $commit: GitObjectID!) {
  enqueuePullRequest(input: {pullRequestId: $id, expectedHeadOid: $commit}) { clientMutationId } }"""
DEQUEUE = """mutation($id: ID!) { dequeuePullRequest(input: {id: $id}) { clientMutationId } }"""
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


class _Comments(BaseModel):
    nodes: list[Said]


class Thread(BaseModel):
    """A review thread."""

    id: str
    path: str = ""
    line: int | None = None
    is_resolved: bool = Field(default=False, alias="isResolved")
    comments: _Comments

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


class _PageInfo(BaseModel):
    has_next: bool = Field(alias="hasNextPage")
    end: str | None = Field(None, alias="endCursor")


class _Threads(BaseModel):
    nodes: list[Thread]
    page: _PageInfo = Field(alias="pageInfo")


class _Pull(BaseModel):
    threads: _Threads = Field(alias="reviewThreads")
    entry: object | None = Field(None, alias="mergeQueueEntry")


class _Repository(BaseModel):
    pull: _Pull | None = Field(None, alias="pullRequest")


class Found(BaseModel):
    """What is known of a pull request's threads."""

    repository: _Repository | None


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


_FOUND, _VIEWER = TypeAdapter(Found), TypeAdapter(_Viewer)
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
        project = of.project
        given: dict[str, Any] = {"owner": project.owner, "name": project.name, "number": of.number}
        threads: list[Thread] = []
        tags: list[str] = []
        is_queued = False
        for _ in range(MOST_PAGES):
            answer, found = await self._asked(THREADS, given, about, _FOUND)
            pull = found.repository.pull if found.repository else None
            if pull is None:
                raise ForgeGoneError(f"{about} is not there, or the token must not see it")
            threads += pull.threads.nodes
            tags.append(answer.tag)
            is_queued = pull.entry is not None
            if not pull.threads.page.has_next:
                break
            given["after"] = pull.threads.page.end
        return threads, is_queued, " ".join(tags)

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
