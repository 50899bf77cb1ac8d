"""What is done on the host of a workspace: where steps run, and the port of terminals.

The same terminals serve our own tools and ACP's client terminals.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from domain.agents.agents import TurnInput
from domain.agents.terminals import Terminal, TerminalOutput
from domain.core.ids import SessionId, StreamId


@dataclass(frozen=True)
class TerminalRequest:
    """A terminal to open, by the session of a turn.

    `owner` is the task's workflow id, or the session's where a chat of the thread opens it. `argv` is
    what is started in `cwd`, `command` how a person reads it; `workspace` is the folder that it may
    write to. `environment` is the agent's own, on top of what every child process gets. `ports` are all
    numbers that it may listen on, `port` is the id of the one that it is for.
    """

    owner: StreamId
    turn: TurnInput
    label: str
    command: str
    argv: tuple[str, ...]
    cwd: Path
    workspace: Path
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    ports: Mapping[str, int] = field(default_factory=dict[str, int])
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

    def unreported_exits(self, session_id: SessionId) -> tuple[Terminal, ...]:
        """Return, once, what a session opened that ended without its doing: its agent is to be told."""
        ...
