"""Fake ports for workflow tests: they do what the test says and remember what they were asked."""

import asyncio
import hashlib
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from domain.agents.agents import Prompt
from domain.agents.profiles import AgentProfile
from domain.core.errors import (
    NotFoundError,
    RepositoryError,
    TreadleError,
    UnknownAgentError,
    UnknownTemplateError,
    WorkspaceError,
)
from domain.core.event import Event, EventBody, Headline, JournaledEvent
from domain.core.ids import EventId, StreamId
from domain.core.suggestions import Suggestion
from domain.core.workspaces import (
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
from domain.hosts.lost_work import WorkLostError
from domain.plans.templates.template import PlanTemplate
from domain.queue.status import ENDS
from domain.threads.calls import SettleCall
from tests.step_fakes import WithCheckouts


class MemoryJournal:
    """The journal as a list."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.shown: dict[str, Headline] = {}
        self.texts: dict[str, str] = {}
        self._ids: set[str] = set()
        self._changed = asyncio.Condition()

    async def append(self, events: Sequence[Event], headlines: Sequence[Headline] = ()) -> None:
        for event in events:
            if event.id not in self._ids:
                self._ids.add(event.id)
                self.events.append(event)
        for headline in headlines:
            self.shown.pop(headline.stream, None)
            self.shown[headline.stream] = headline
        async with self._changed:
            self._changed.notify_all()

    async def append_before(self, event: Event, end: str, *, after: int) -> None:
        if not any(e.stream == event.stream and e.body.kind == end for e in self.events[after:]):
            await self.append([event])

    async def event(self, event_id: EventId) -> Event | None:
        return next((e for e in self.events if e.id == event_id), None)

    def bodies(self, stream: str) -> list[EventBody]:
        return [e.body for e in self.events if e.stream == stream]

    def kinds(self, stream: str) -> list[str]:
        return [body.kind for body in self.bodies(stream)]

    async def until(self, seen: Callable[[Event], bool]) -> Event:
        """Wait until an event has been appended."""
        async with self._changed:
            while True:
                for event in self.events:
                    if seen(event):
                        return event
                await self._changed.wait()

    async def read(
        self,
        stream: StreamId | None = None,
        *,
        after: int = 0,
        limit: int = 500,
        below: bool = False,
    ) -> list[JournaledEvent]:
        numbered = (JournaledEvent(position=n, event=e) for n, e in enumerate(self.events, 1))
        return [
            j
            for j in numbered
            if j.position > after and (stream is None or j.event.stream == stream or below)
        ][:limit]

    async def position(self) -> int:
        return len(self.events)

    async def follow(
        self, stream: StreamId | None = None, *, after: int = 0, below: bool = False
    ) -> AsyncIterator[JournaledEvent]:
        for event in await self.read(stream, after=after, below=below):
            yield event

    async def headlines(
        self, kind: str | None = None, *, below: StreamId | None = None
    ) -> list[Headline]:
        lines = (h for h in reversed(self.shown.values()) if kind is None or h.kind == kind)
        return [h for h in lines if below is None or f"{h.stream}/".startswith(f"{below}/")]

    async def streams(self, top: StreamId) -> list[StreamId]:
        found = dict.fromkeys(event.stream for event in self.events)
        return [name for name in found if f"{name}/".startswith(f"{top}/")]

    async def open_headlines(self, named: Collection[str]) -> list[Headline]:
        tops = [h for h in self.shown.values() if h.kind in {"thread", "flow"}]
        return [h for h in tops if h.stream in named or h.status not in ENDS]

    async def put_text(self, text: str) -> str:
        reference = hashlib.sha256(text.encode()).hexdigest()
        self.texts[reference] = text
        return reference

    async def text(self, reference: str) -> str | None:
        return self.texts.get(reference)


class PaperWorkspaces(WithCheckouts):
    """Worktrees without files."""

    def __init__(self) -> None:
        self.commits: list[CommitSpec] = []
        self.put: list[dict[str, tuple[str, ...]]] = []
        self.merged: list[str] = []
        self.settled: list[SettleCall] = []
        self.released: list[str] = []
        self.conflicts: dict[str, tuple[str, ...]] = {}
        self.refusals: dict[str, str] = {}
        self.candidates: dict[str, MergeCandidate] = {}
        self.discarded: tuple[str, ...] = ()
        self.colliding: dict[frozenset[str], tuple[str, ...]] = {}
        self.unresolved: list[tuple[str, ...]] = []
        self.failures = 0
        self.lost = ""
        self.unusable: str | None = None
        self.bases: dict[str, str] = {}
        self.remotes: dict[str, str] = {}
        self.listed: tuple[str, ...] = ()
        self.edits: list[tuple[str, tuple[Suggestion, ...]]] = []
        self.edit_failure: TreadleError | None = None

    async def keep_sweeping(self) -> None: ...

    async def inspect(self, repository: str) -> RepositoryFacts:
        if self.unusable is not None:
            raise RepositoryError(self.unusable)
        return RepositoryFacts(
            root=repository, head="0" * 40, head_branch="main", remotes=self.remotes
        )

    async def create_branch(self, repository: str, branch: str, base: str) -> str:
        self.bases[branch] = base
        return base

    async def create_branches(self, branch: str, bases: Mapping[str, str]) -> tuple[str, ...]:
        self.bases[branch] = next(iter(bases.values()))
        return tuple(bases.values())

    async def prepare(self, spec: WorkspaceSpec) -> Path:
        return Path("/nowhere")

    async def commit(self, spec: WorkspaceSpec, commit: CommitSpec) -> Snapshot:
        self.commits.append(commit)
        name = hashlib.sha1(commit.key.encode(), usedforsecurity=False).hexdigest()
        left = self.unresolved.pop(0) if spec.merging and self.unresolved else ()
        return Snapshot(
            commit=name,
            tree=name[::-1],
            base="0" * 40,
            insertions=2,
            deletions=1,
            is_changed=True,
            unresolved=left,
        )

    async def diff(self, repository: str, base: str, commit: str, beside=()) -> str:
        return f"diff {base}..{commit}"

    async def put_together(self, spec: WorkspaceSpec, parts: Mapping[str, Sequence[str]]) -> Path:
        self.put.append({name: tuple(files) for name, files in parts.items()})
        return Path("/nowhere")

    async def check_out(self, spec: WorkspaceSpec, commit: str) -> Path:
        if self.lost:
            lost, self.lost = self.lost, ""
            raise WorkLostError(lost)
        return Path("/nowhere")

    async def altered(self, spec: WorkspaceSpec, commit: str) -> tuple[str, ...]:
        return ()

    async def edit(
        self, spec: WorkspaceSpec, commit: str, suggestions: Sequence[Suggestion]
    ) -> None:
        if self.edit_failure is not None:
            raise self.edit_failure
        self.edits.append((commit, tuple(suggestions)))

    async def take_back(self, spec, commit, suggestions, key) -> None:
        self.edits.append((f"{commit} without {key}", tuple(suggestions)))

    async def files(self, spec: WorkspaceSpec) -> tuple[str, ...]:
        if self.unusable is not None:
            raise RepositoryError(self.unusable)
        return self.listed

    async def place(self, spec: WorkspaceSpec, file: str) -> str:
        if file and file not in self.listed:
            raise NotFoundError("there is no such file in the worktree now")
        return f"/worktrees/{spec.workspace_id}/{file}".rstrip("/")

    async def discard(self, spec: WorkspaceSpec) -> tuple[str, ...]:
        return self.discarded

    async def settle(
        self, call: SettleCall, verified: Collection[str] | None = None
    ) -> MergeResult | MergeCandidate:
        self.settled.append(call)
        if self.failures:
            self.failures -= 1
            raise WorkspaceError("the branch is checked out: switch that checkout to another one")
        if call.commit is None:
            return MergeResult()
        if refusal := self.refusals.pop(call.task_id, None):
            return MergeResult(failure=refusal)
        if conflicts := self.conflicts.pop(call.task_id, None):
            return MergeResult(conflicts=conflicts)
        candidate = self.candidates.get(call.task_id)
        if candidate is not None and verified is not None and candidate.tree not in verified:
            return candidate
        if call.task_id not in self.merged:
            self.merged.append(call.task_id)
        return MergeResult(commit=call.commit)

    async def collisions(
        self, repository: str, work: Work, others: Sequence[Work]
    ) -> tuple[Collision, ...]:
        found = {
            other.name: self.colliding.get(frozenset({work.name, other.name})) for other in others
        }
        return tuple(Collision(first=n, second=work.name, files=f) for n, f in found.items() if f)

    async def release(self, spec: WorkspaceSpec) -> None:
        self.released.append(spec.workspace_id)


class OpenFences:
    """Fences that let everybody in."""

    @asynccontextmanager
    async def held(self, workspace_id: str, claim: Claim) -> AsyncGenerator["OpenFences"]:
        yield self

    def refuse_stale(self) -> None: ...


class PlainTemplates:
    """One template and prompts that are their own names."""

    def __init__(self) -> None:
        self.default = PlanTemplate(name="default")

    def template(self, name: str | None, repository: str) -> PlanTemplate:
        if name not in {None, "default"}:
            raise UnknownTemplateError(f"no template {name!r}; known: default")
        return self.default

    def render(self, prompt: Prompt) -> str:
        return f"{prompt.name}: {prompt.fields}"


class OneAgent:
    """A registry of agents that are alike, `fake` and those that a test adds."""

    def __init__(self) -> None:
        self.names = {"fake"}

    def profile(self, name: str, repository: str | None = None) -> AgentProfile:
        if name not in self.names:
            raise UnknownAgentError(f"no agent {name!r}; known: fake")
        return AgentProfile(name=name, command=("true",))


class FixedKey:
    """A key for decision codes."""

    def read(self) -> bytes:
        return b"test key"
