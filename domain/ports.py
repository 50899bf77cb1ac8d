"""The ports: what activities need of the outside world, implemented under adapters/."""

from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol

from domain.agents import AgentAnswer, AgentCall, Prompt
from domain.checkouts import Checkouts
from domain.commands import Answer, Command
from domain.effects import SettleCall
from domain.events import Event, EventBody, Headline, JournaledEvent
from domain.hosting import StepPlace
from domain.ids import EventId, SessionId, StreamId
from domain.profiles import AgentProfile
from domain.templates.template import PlanTemplate
from domain.verification import StepResult, VerificationStep
from domain.workspaces import (
    Claim,
    Collision,
    CommitSpec,
    MergeCandidate,
    MergeResult,
    RepositoryFacts,
    Snapshot,
    Work,
    WorkspaceSpec,
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

    async def standing(self, named: Collection[str]) -> list[Headline]:
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


class AgentRunner(Protocol):
    """Runs agents; keeps a session's process between turns and closes it when idle."""

    async def run_turn(self, call: AgentCall, record: Record, beat: Beat) -> AgentAnswer:
        """Run one turn to its end.

        Records `agent_session_opened` before the first prompt, and `prompt_sent` before each.
        Cancelling the coroutine cancels the turn at the agent, and ends the agent where it does not
        obey.

        Raises:
            AgentError: It did not start, exited, fell silent or spoke garbage; the message has the
                reason and the tail of its standard error.
            AgentDiedError: Its process ended by itself; another try may resume its session.
            RefusedByProviderError: Its model's provider refused; the message is what it said.
        """
        ...

    async def close(self, session_id: SessionId) -> None:
        """End a session's process and all below it; unknown and ended ones are fine."""
        ...


class AgentProfiles(Protocol):
    """The agents that can be chosen."""

    def profile(self, name: str, repository: str | None = None) -> AgentProfile:
        """Return one profile; agents that a repository brings are known only with it.

        Raises:
            UnknownAgentError: No such agent, or one that nobody has trusted; the message says which
                are known, or what to do.
        """
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


class Workspaces(Protocol):
    """Git worktrees of Treadle's own; the user's checkout, index and branches stay untouched."""

    @property
    def checkouts(self) -> Checkouts:
        """Clean checkouts of commits, beside the worktrees; they are released with these."""
        ...

    async def inspect(self, repository: str) -> RepositoryFacts:
        """Look at a folder.

        Raises:
            RepositoryError: Not a repository, bare, or without commits; says what to do.
        """
        ...

    async def create_branch(self, repository: str, branch: str, base: str) -> str:
        """Make a branch and return the commit of its base; one that exists is left where it is.

        Raises:
            RepositoryError: There is no such base, or there cannot be a branch of that name.
        """
        ...

    async def prepare(self, spec: WorkspaceSpec) -> Path:
        """Have the worktree ready, made or found; mends what a killed attempt left."""
        ...

    async def commit(self, spec: WorkspaceSpec, commit: CommitSpec) -> Snapshot:
        """Commit all changes onto the worktree's branch and the checkpoint ref, once per key."""
        ...

    async def diff(self, repository: str, base: str, commit: str) -> str:
        """Return the patch between two commits."""
        ...

    async def check_out(self, spec: WorkspaceSpec, commit: str) -> Path:
        """Have the worktree hold exactly a commit's files; ignored files stay as they are.

        Whatever else was in it is on a hidden ref before.
        """
        ...

    async def altered(self, spec: WorkspaceSpec, commit: str) -> tuple[str, ...]:
        """Return which files of a commit the worktree does not hold as they are in it."""
        ...

    async def files(self, spec: WorkspaceSpec) -> tuple[str, ...]:
        """Return the files that git knows in a worktree or would take up; of its base where it is not."""
        ...

    async def discard(self, spec: WorkspaceSpec) -> tuple[str, ...]:
        """Throw away what changed in a worktree since its base; returns which files, at most 500.

        What they held is on a hidden ref before.
        """
        ...

    async def settle(
        self, call: SettleCall, verified: Collection[str] | None = None
    ) -> MergeResult | MergeCandidate:
        """Merge an accepted commit into the thread's branch (once per key), remove the worktree.

        With `verified` trees, a merge that would make another tree than the commit's or one of
        these is not carried out: the candidate is returned, and the worktree stays.
        """
        ...

    async def collisions(
        self, repository: str, work: Work, others: Sequence[Work]
    ) -> tuple[Collision, ...]:
        """Return with which of the others a piece of work would conflict if it were merged now.

        Nothing is kept of the trial; a commit that is gone collides with nothing.
        """
        ...

    async def release(self, spec: WorkspaceSpec) -> None:
        """Remove a worktree; what it holds is on a ref before. Missing ones are fine."""
        ...


class Verifier(Protocol):
    """Runs verification steps."""

    async def run_step(
        self, step: VerificationStep, place: StepPlace, beat: Beat
    ) -> tuple[StepResult, str]:
        """Run one step; returns its result and its whole output (capped, the cut marked).

        Never raises for a step that fails, times out or cannot start: that is its result.
        """
        ...


class PortLeases(Protocol):
    """The ports of this host; no two owners ever hold one number."""

    async def lease(self, owner: str, port_id: str) -> int:
        """Return a port free on both address families, the same one when asked again."""
        ...

    async def release(self, owner: str, port_id: str | None = None) -> None:
        """Give back a port of an owner, or all of them; what is not held is fine."""
        ...


class Templates(Protocol):
    """The files under templates/ and their overrides."""

    def template(self, name: str | None, repository: str) -> PlanTemplate:
        """Return a plan template; None is the default one.

        Raises:
            UnknownTemplateError: No such template; the message lists the known ones.
        """
        ...

    def render(self, prompt: Prompt) -> str:
        """Return a prompt's text with its fields put in."""
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
