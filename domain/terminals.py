"""Ports and terminals: numbers to listen on, and long-lived processes that agents start and hosts keep (seed 000).

Dev servers, watchers, long builds: they outlive the call and the turn that started them, and end with
their task. The same port serves our own tools and ACP's client terminals.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Literal, Protocol

from domain.ids import SessionId, StreamId, TurnId
from domain.wire import Wire

MAX_RUNNING = 8
"""Terminals of one owner that run at the same time."""

MAX_OPENED = 100
"""Terminals that one owner opens in all."""

MAX_LABEL = 80
MAX_COMMAND = 4_000
"""Characters of a label and of a command line: they are kept in a task's state."""


class TerminalStatus(StrEnum):
    """Whether a terminal's process is there."""

    RUNNING = "running"
    EXITED = "exited"


class Terminal(Wire):
    """A terminal as its owner knows it.

    `id` is the last part of its stream, `terminal-1` for its owner's first. `command` is the line as a person would type it, `port` the id of the port that it serves on. A
    required one must still run when the work is reported done. `note` says why it ended where its own
    exit does not: killed, lost with its worker.
    """

    id: str
    label: str
    command: str
    status: TerminalStatus = TerminalStatus.RUNNING
    exit_code: int | None = None
    signal: int | None = None
    port: str | None = None
    is_required: bool = False
    session_id: SessionId = SessionId("")
    note: str = ""

    @property
    def is_running(self) -> bool:
        """Whether its process is there."""
        return self.status is TerminalStatus.RUNNING


class TerminalOutput(Wire):
    """What a terminal has said from a position on; `position` is where to go on from.

    Positions count bytes since its start. Of output that is no longer kept, `skipped` bytes are missing
    before `text`.
    """

    terminal: Terminal
    text: str = ""
    position: int = 0
    skipped: int = 0


class AllocatedPort(Wire):
    """A declared port and its number (seed 000, "Port Allocation")."""

    id: str
    port: int
    description: str = ""
    allocated_at: datetime | None = None
    status: Literal["active", "released"] = "active"


@dataclass(frozen=True)
class TerminalRequest:
    """A terminal to open: `owner` is the task's workflow id, or the session's where a chat opens it.

    `argv` is what is started, `command` how a person reads it. `environment` comes on top of what every
    child process gets.
    """

    owner: StreamId
    session_id: SessionId
    label: str
    command: str
    argv: tuple[str, ...]
    cwd: Path
    turn_id: TurnId
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    port: str | None = None
    is_required: bool = False


class Terminals(Protocol):
    """The terminals of this host. `terminal` is always the stream of one: `<owner>/terminal-<n>`."""

    async def create(self, request: TerminalRequest) -> Terminal:
        """Start a process in a terminal; known to the journal and to its owner before it starts.

        Called in the context of a running turn: the process is bound to that turn's workspace.

        Raises:
            WrongStateError: The owner has too many of them, or has ended.
            InvalidError: It cannot be started; the message says what is missing.
        """
        ...

    def of(self, owner: StreamId) -> tuple[Terminal, ...]:
        """Return the owner's terminals that this worker has had, the oldest first."""
        ...

    def output(self, terminal: StreamId, since: int = 0, limit_bytes: int = 0) -> TerminalOutput:
        """Return what it has said since a position: the newest bytes where a limit is given.

        Raises:
            NotFoundError: There is no such terminal here, or it was released.
        """
        ...

    async def wait(self, terminal: StreamId, seconds: float) -> Terminal:
        """Wait for its exit, at most so long.

        Raises:
            NotFoundError: There is no such terminal here, or it was released.
        """
        ...

    async def kill(self, terminal: StreamId, note: str = "killed") -> Terminal:
        """End its process with all below it; its output stays. One that has exited is fine.

        Raises:
            NotFoundError: There is no such terminal here, or it was released.
        """
        ...

    async def release(self, terminal: StreamId) -> None:
        """End it and forget it; the journal keeps what it said. Unknown ones are fine."""
        ...

    async def end_all(self, owner: StreamId, note: str) -> None:
        """End all terminals of an owner, with all below them; once more is harmless."""
        ...

    def untold(self, owner: StreamId) -> tuple[Terminal, ...]:
        """Return once each terminal that ended without its agent's doing, to be told with its prompt."""
        ...
