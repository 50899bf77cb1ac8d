"""What the adapters of all forges share: sessions, whose the token is, and comments written once."""

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from adapters.forge.http import Session, session
from adapters.forge.looks import Paging
from adapters.forge.tokens import Tokens
from domain.forges.errors import ForgeAccessError, ForgeError
from domain.forges.markers import bears, marked
from domain.forges.projects import ForgeProject
from domain.forges.pull_requests import PullRequestId


class Written(Protocol):
    """A comment as a forge lists it."""

    @property
    def key(self) -> str:
        """Its id."""
        ...

    @property
    def text(self) -> str:
        """Its whole text."""
        ...

    @property
    def by(self) -> str:
        """The id of its author."""
        ...


class RestForge:
    """One forge's API with one token."""

    title = "forge"
    accept = "application/json"
    paging = Paging()

    def __init__(self, root: str, tokens: Tokens) -> None:
        """Make the adapter of the API at `root`."""
        self._root = root
        self._tokens = tokens
        self._me = ""

    def obstacle(self, project: ForgeProject) -> str:
        """Return why nothing can be done there, and what to do; empty where something can."""
        if self._tokens.is_missing():
            name = self._tokens.name
            return f"there is no token in {name} for {project.host}: set it and start Treadle again"
        return ""

    def session(self) -> AbstractAsyncContextManager[Session]:
        """Open a session for a few requests."""
        return session(self._root, self._tokens, self.title, self.accept)

    async def me(self, opened: Session) -> str:
        """Return the id of the account whose token it is; asked once."""
        if not self._me:
            self._me = await self.who(opened)
        return self._me

    async def who(self, opened: Session) -> str:
        """Ask whose token it is."""
        raise NotImplementedError

    async def own(self, opened: Session, listed: Sequence[Written], key: str) -> Written | None:
        """Return the comment that we wrote for a key; somebody else's with our mark does not count."""
        bearing = [each for each in listed if bears(each.text, key)]
        if not bearing:
            return None
        me = await self.me(opened)
        return next((each for each in bearing if each.by == me), None)

    async def check_can(self, project: ForgeProject) -> None:
        """Raise what stands in the way."""
        if obstacle := self.obstacle(project):
            raise ForgeAccessError(obstacle)


def text_of(text: str, key: str) -> str:
    """Return what is written for a key."""
    return marked(text, key)


def name_of(of: PullRequestId) -> str:
    """Return how a message names a pull request."""
    return f"{of.project.path}#{of.number}"


def thread_parts(thread: str) -> tuple[str, str]:
    """Return the two parts of a thread's id as the adapters make them.

    Raises:
        ForgeError: It is none of theirs.
    """
    kind, colon, rest = thread.partition(":")
    if not colon or not kind or not rest:
        raise ForgeError(f"{thread[:80]!r} is no review thread of this forge")
    return kind, rest
