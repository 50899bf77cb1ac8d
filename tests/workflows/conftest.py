"""A real Temporal server, a worker of ours on fake ports, and a way to open threads."""

import asyncio
import contextlib
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from temporalio.client import Client, WithStartWorkflowOperation, WorkflowHandle
from temporalio.common import WorkflowIDConflictPolicy
from temporalio.service import RPCError
from temporalio.testing import WorkflowEnvironment

from activities.lifecycle import ThreadResources
from activities.threads import Holdings
from adapters.archives.thread_archives import JournalArchives
from adapters.files.plan_files import PlanFileFolders
from adapters.temporal import (
    LostActivities,
    TemporalCommands,
    Terminated,
)
from composition.ports import Ports
from domain.agents.ledger import Ledger
from domain.agents.ports import Costs
from domain.core.approval_commands import Approve, Decide, Reject
from domain.core.approvals import decision_code
from domain.core.command import Answer, Command, Verdict
from domain.core.event import Event
from domain.core.ids import SHARED_QUEUE, SessionId, thread_id
from domain.hosts.ports import Placements
from domain.people.access import ApprovalRules, Deciders
from domain.retention.ports import ThreadArchives
from domain.tasks.agent_commands import ProposePlan
from domain.threads.inputs import ThreadInput
from domain.trackers.ports import Trackers
from queues import cut_turns, workers
from tests import fakes, played_agents, step_fakes
from tests.agent_fakes import PaperBench
from tests.fake_terminals import NoTerminals
from tests.lifecycle_fakes import PaperLifecycle
from tests.publishing_fakes import (
    PaperBases,
    PaperBranches,
    PaperLandings,
    PaperPullRequests,
    PaperRemotes,
    PaperStacks,
)
from tests.temporal_server import temporal_server_with
from workflows import ThreadWorkflow

SHORT_HISTORY = 40


class NoDemos:
    """Repositories of the demo, of which only the paths are noted."""

    def __init__(self) -> None:
        self.made: list[str] = []

    async def make(self, path: str) -> None:
        self.made.append(path)


@pytest.fixture(scope="session")
def server(temporal_server: WorkflowEnvironment) -> WorkflowEnvironment:
    return temporal_server


@dataclass
class House:
    """Everything a test looks at."""

    client: Client
    folder: Path
    journal: fakes.MemoryJournal = field(default_factory=fakes.MemoryJournal)
    runner: played_agents.PlayedRunner = field(default_factory=played_agents.PlayedRunner)
    workspaces: fakes.PaperWorkspaces = field(default_factory=fakes.PaperWorkspaces)
    verifier: step_fakes.ScriptedVerifier = field(default_factory=step_fakes.ScriptedVerifier)
    lifecycle: PaperLifecycle = field(default_factory=PaperLifecycle)
    leases: step_fakes.CountedLeases = field(default_factory=step_fakes.CountedLeases)
    terminals: NoTerminals = field(default_factory=NoTerminals)
    remotes: PaperRemotes = field(default_factory=PaperRemotes)
    stacks: PaperStacks = field(default_factory=PaperStacks)
    forge: PaperPullRequests = field(default_factory=PaperPullRequests)
    branches: PaperBranches = field(default_factory=PaperBranches)
    landings: PaperLandings = field(default_factory=PaperLandings)
    bases: PaperBases = field(default_factory=PaperBases)
    bench: PaperBench = field(default_factory=PaperBench)
    demos: NoDemos = field(default_factory=NoDemos)
    templates: fakes.PlainTemplates = field(default_factory=fakes.PlainTemplates)
    profiles: fakes.OneAgent = field(default_factory=fakes.OneAgent)
    placements: Placements | None = None
    deciders: Deciders | None = None
    approvals: ApprovalRules | None = None
    archives: ThreadArchives | None = None
    trackers: Trackers | None = None
    costs: Costs | None = None
    ledger: Ledger | None = None

    @property
    def door(self) -> TemporalCommands:
        return TemporalCommands(self.client)

    def ports(self) -> Ports:
        return Ports(
            journal=self.journal,
            workspaces=self.workspaces,
            runner=self.runner,
            verifier=self.verifier,
            leases=self.leases,
            fences=fakes.OpenFences(),
            templates=self.templates,
            profiles=self.profiles,
            key=fakes.FixedKey(),
            lost=LostActivities(self.folder),
            remotes=self.remotes,
            stacks=self.stacks,
            forge=self.forge,
            pull_requests=self.forge,
            checker=self.bench,
            past=self.bench,
            demos=self.demos,
            branches=self.branches,
            placements=self.placements,
            deciders=self.deciders,
            approvals=self.approvals,
            landings=self.landings,
            bases=self.bases,
            archives=self.archives,
            trackers=self.trackers,
            costs=self.costs,
            ledger=self.ledger,
            kept=ThreadResources(
                work=self.lifecycle,
                files=self.lifecycle,
                removal=self.lifecycle,
                terminals=self.terminals,
                plan_files=PlanFileFolders(self.folder),
            ),
            terminals=self.terminals,
        )

    @property
    def sweep(self) -> Terminated:
        """What a worker that has just started cleans up with."""
        held = Holdings(self.runner, self.leases, self.terminals)
        return Terminated(self.client, self.journal, held, cut_turns(self.ports(), "test"))

    async def open(
        self, goal: str = "make it so", *, has_plan: bool = True, **more: object
    ) -> WorkflowHandle[ThreadWorkflow, str]:
        """Open a thread and wait until it is open; its planner thinks until `proposed`."""
        name = thread_id(goal, uuid.uuid4().hex[:6])
        if has_plan:
            self.runner.planned[name] = asyncio.Event()
        start = WithStartWorkflowOperation(
            ThreadWorkflow.run,
            ThreadInput(thread_id=name, goal=goal, repository="/repo", agent="fake", **more),
            id=name,
            task_queue=SHARED_QUEUE,
            id_conflict_policy=WorkflowIDConflictPolicy.FAIL,
        )
        await self.client.execute_update_with_start_workflow(
            ThreadWorkflow.open, start_workflow_operation=start
        )
        return await start.workflow_handle()

    async def proposed(
        self, thread: str, plan: dict[str, object], revision: int = 1, **more: str
    ) -> Event:
        """Propose a plan as the planner does, wait until it is shown, and let the turn end."""
        session = SessionId(f"{thread}/session-1")
        await self.send(thread, ProposePlan(session_id=session, plan=plan, **more))
        shown = await self.seen(thread, "plan_proposed", number=revision)
        if thread in self.runner.planned:
            self.runner.planned[thread].set()
        return shown

    async def send(self, workflow_id: str, command: Command) -> Answer:
        """Send a command; one that has a code, or is a decision, goes out with just that code."""
        is_sealed = isinstance(command, Verdict | Decide) or getattr(command, "code", "")
        door = self.door if is_sealed else TemporalCommands(self.client, fakes.FixedKey())
        return await door.send(workflow_id, command)

    async def seen(self, stream: str, kind: str, *, number: int = 1) -> Event:
        """Wait for the n-th event of a kind."""

        def is_there(event: Event) -> bool:
            if event.stream != stream or event.body.kind != kind:
                return False
            same = [e for e in self.journal.events if e.stream == stream and e.body.kind == kind]
            return len(same) >= number and event is same[number - 1]

        return await self.journal.until(is_there)

    def verdict(
        self, workflow_id: str, kind: type[Verdict], request: dict[str, str], **more: object
    ) -> Verdict:
        """Return a decision with its genuine code."""
        choice = "approve" if kind is Approve else "reject"
        request_id, content = request["request_id"], request["content_hash"]
        code = decision_code(b"test key", workflow_id, request_id, choice, content)
        return kind(request_id=request_id, content_hash=content, code=code, by="tester", **more)

    async def approve(self, workflow_id: str, opened: Event) -> Answer:
        """Approve what a plan_proposed or gate_opened event asks."""
        request = opened.body.model_dump()["request"]
        read = {"is_acknowledged": True}
        return await self.send(workflow_id, self.verdict(workflow_id, Approve, request, **read))

    async def reject(self, workflow_id: str, opened: Event, feedback: str) -> Answer:
        request = opened.body.model_dump()["request"]
        return await self.send(
            workflow_id, self.verdict(workflow_id, Reject, request, feedback=feedback)
        )


@asynccontextmanager
async def housed(
    client: Client,
    folder: Path,
    placements: Placements | None = None,
    deciders: Deciders | None = None,
    approvals: ApprovalRules | None = None,
    trackers: Trackers | None = None,
    *,
    forge: PaperPullRequests | None = None,
    prepare: Callable[[House], None] = lambda _: None,
    is_shared: bool = True,
) -> AsyncGenerator[House]:
    """Run a worker on fake ports, or on what `prepare` sets; every workflow task replays from the start.

    Before it stops, what the test left open on a server that it shares is ended: it would be awaited for seconds.
    """
    house = House(client, folder, placements=placements, deciders=deciders, approvals=approvals)
    house.trackers = trackers
    house.forge = forge or house.forge
    house.archives = JournalArchives(house.journal, folder, {})
    prepare(house)
    shared, local = workers(client, house.ports(), "test", max_turns=8)
    async with shared, local:
        yield house
        for planned in house.runner.planned.values():
            planned.set()
        if is_shared:
            await _terminate_all(client, {event.stream for event in house.journal.events})


@pytest.fixture
async def house(server: WorkflowEnvironment, tmp_path: Path) -> AsyncIterator[House]:
    async with housed(server.client, tmp_path) as house:
        yield house


@pytest.fixture(scope="module")
async def hasty_server(
    tmp_path_factory: pytest.TempPathFactory,
) -> AsyncIterator[WorkflowEnvironment]:
    """A server that suggests continuing as new after forty events."""
    suggestion = f"limit.historyCount.suggestContinueAsNew={SHORT_HISTORY}"
    async with temporal_server_with(tmp_path_factory, "--dynamic-config-value", suggestion) as made:
        yield made


@pytest.fixture
async def hasty(hasty_server: WorkflowEnvironment, tmp_path: Path) -> AsyncIterator[House]:
    async with housed(hasty_server.client, tmp_path) as house:
        yield house


async def _terminate_all(client: Client, streams: set[str]) -> None:
    """End what a test left open, listed yet or not, so that the next one's worker gets none of it.

    What was being started by one that was ended is looked for again.
    """
    ended: set[str] = set()
    left = streams | await _running(client)
    while left:
        for name in left:
            with contextlib.suppress(RPCError):
                await client.get_workflow_handle(name).terminate()
        ended |= left
        left = await _running(client) - ended


async def _running(client: Client) -> set[str]:
    return {w.id async for w in client.list_workflows("ExecutionStatus = 'Running'")}
