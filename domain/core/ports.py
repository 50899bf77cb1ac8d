"""The ports: what activities need of the outside world, implemented under adapters/."""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Protocol

from domain.core.command import Answer, Command
from domain.core.event import Event, EventBody, Headline, JournaledEvent
from domain.core.ids import EventId, StreamId
from domain.core.workspaces import (
    Claim,
)

Beat = Callable[[], None]
"""Called at short intervals while something long goes on; raises nothing."""

Record = Callable[[EventBody], Awaitable[None]]
"""Takes an event of the running turn into the journal, in order, in batches."""


class Journal(Protocol):
    """The append-only stream of events; every cursor is a position in it."""

    async def append(self, events: Sequence[Event], headlines: Sequence[Headline] = ()) -> None:
        """Append events in order; one whose id is known is passed over. Durable on return."""
        ...

    async def append_before(self, event: Event, end: str, *, after: int) -> None:
        """Append an event unless its stream has one of the kind `end` after a position."""
        ...

    async def event(self, event_id: EventId) -> Event | None:
        """Return one event by its id."""
        ...

    async def read(
        self,
        stream: StreamId | None = None,
        *,
        after: int = 0,
        limit: int = 500,
        below: bool = False,
    ) -> list[JournaledEvent]:
        """Return the next events after a position, in order.

        Of one stream, or with `below` of it and all streams under it (`stream/…`); None is all.
        """
        ...

    async def position(self) -> int:
        """Return the newest position, 0 for an empty journal."""
        ...

    def follow(
        self, stream: StreamId | None = None, *, after: int = 0, below: bool = False
    ) -> AsyncIterator[JournaledEvent]:
        """Yield events after a position, then new ones as they come, without end, gap or repeat."""
        ...

    async def headlines(
        self, kind: str | None = None, *, below: StreamId | None = None
    ) -> list[Headline]:
        """Return the newest headline of each stream, the latest changed first."""
        ...

    async def open_headlines(self, named: Collection[str]) -> list[Headline]:
        """Return the headlines of threads and flow runs that have not ended, and of those named.

        One that asks something by a task or a session waits.
        """
        ...

    async def put_text(self, text: str) -> str:
        """Keep a long text; returns its reference (a hash, so twice is once)."""
        ...

    async def text(self, reference: str) -> str | None:
        """Return a kept text."""
        ...


class Fence(Protocol):
    """What the holder of a workspace has in its hand."""

    def refuse_stale(self) -> None:
        """Do nothing while no newer attempt took the workspace over.

        Raises:
            SupersededError: One did.
        """
        ...


class Fences(Protocol):
    """One attempt at a time writes to a workspace of this host, whichever worker it runs in."""

    def held(self, workspace_id: str, claim: Claim) -> AbstractAsyncContextManager[Fence]:
        """Make an attempt the one that writes; every child started in the block is bound to it.

        What other workers or earlier attempts started for the workspace is gone before the block
        runs; what this worker's earlier turns left alive stays. Leaving the block releases nothing:
        the attempt stays the one that writes until the next one.

        Raises:
            SupersededError: A newer attempt holds the workspace.
            WorkspaceError: What an earlier attempt started does not end.
        """
        ...

    def is_released(self, workspace_id: str) -> bool:
        """Tell whether a workspace was given up for good a short while ago: no attempt can hold it."""
        ...


class CommandDoor(Protocol):
    """Sends commands of agents to the workflows that decide on them."""

    async def send(self, workflow_id: str, command: Command) -> Answer:
        """Send a command and return the answer; the same command id twice is the same as once.

        Raises:
            TreadleError: What the workflow refused, or that there is no such workflow.
        """
        ...


class CodeKey(Protocol):
    """The key that decision codes are made with (0600, worker and API only)."""

    def read(self) -> bytes:
        """Return the key, made at first use."""
        ...
