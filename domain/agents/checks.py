"""Checks of one agent: a look at what it offers or at its sessions, one harmless turn, its installation."""

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Protocol

from pydantic import Field

from domain.agents.agents import TurnInput, Usage
from domain.agents.offers import OfferedOption
from domain.agents.past_sessions import PastSession
from domain.agents.profiles import AgentProfile
from domain.core.checks import Check
from domain.core.ids import StreamId
from domain.core.listing import Listing
from domain.core.wire import Wire

TRY_SECONDS = 120.0
"""How long the one turn of a try may take."""

Tell = Callable[[str], Awaitable[None]]
"""Takes a line that tells how far a check is."""


class CheckKind(StrEnum):
    """What is done with an agent; `sessions` lists those that it has of a repository."""

    LOOK = "look"
    TRY = "try"
    INSTALL = "install"
    SESSIONS = "sessions"


class Capabilities(Wire):
    """What an agent offers, as it told at `initialize` (ACP)."""

    load: bool = False
    resume: bool = False
    list: bool = False
    close: bool = False
    fork: bool = False
    image: bool = False
    audio: bool = False
    embedded_context: bool = False
    mcp_http: bool = False
    mcp_sse: bool = False


class Seen(Wire):
    """What an agent said of itself; `needs_login` is known only once it was asked for something.

    `options` are its models, modes and other options, as it told in the session of its last try.
    `key` names the command and the program's file as they were, so that a newer one is looked at anew.
    """

    key: str
    at: datetime
    version: str = ""
    capabilities: Capabilities = Capabilities()
    login_methods: tuple[str, ...] = ()
    needs_login: bool | None = None
    failure: str = ""
    options: tuple[OfferedOption, ...] = ()


class CheckInput(Check):
    """One check; its number is the agent's own."""

    agent: str
    kind: CheckKind
    repository: str | None = None

    @property
    def stream(self) -> StreamId:
        """The check's workflow id and journal stream."""
        return check_stream(self.agent, self.number)

    @property
    def summary(self) -> str:
        """What Temporal shows of it."""
        return f"{self.kind} {self.agent}"

    @property
    def listing(self) -> Listing:
        """What Temporal's lists show of it."""
        return Listing(
            kind="agent",
            status=self.kind,
            title=self.summary,
            project=self.agent,
            person=self.by,
            agent=self.agent,
            look=f"treadle agents show {self.agent}",
        )


class CheckResult(Wire):
    """How a check ended; an agent that fails is a result, not an error."""

    kind: CheckKind
    is_well: bool = False
    failure: str = ""
    version: str = ""
    text: str = ""
    usage: Usage | None = None
    duration_ms: int = 0
    at: datetime | None = None
    sessions: tuple[PastSession, ...] = Field(default=(), exclude_if=lambda found: not found)
    """Those that the agent has of the repository, where they were asked for."""


class AgentChecker(Protocol):
    """Where agents are installed, looked at and tried, on the worker's host."""

    async def install(self, profile: AgentProfile, tell: Tell) -> str:
        """Install the pinned version; returns it. Again is harmless.

        Raises:
            InstallError: It cannot be installed here; the message says why and what to do.
        """
        ...

    async def look(self, profile: AgentProfile, turn: TurnInput, tell: Tell) -> Seen:
        """Start the agent in an empty folder, as for a turn, ask it what it offers, and end it.

        Raises:
            AgentError: It did not start or answer.
        """
        ...

    def scratch(self, stream: StreamId) -> AbstractAsyncContextManager[Path]:
        """Make a git repository with one file, and remove it at the end of the block."""
        ...

    def keep(self, profile: AgentProfile, result: CheckResult, seen: Seen | None) -> None:
        """Keep what was found out, for lists that are made without a worker."""
        ...


def check_stream(agent: str, number: int) -> StreamId:
    """Return the workflow id and journal stream of an agent's n-th check."""
    return StreamId(f"agents/{agent}/check-{number}")
