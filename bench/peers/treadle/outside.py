"""The outside world of the benchmarked worker: no agent, no git, no commands, only marks.

Everything between these ports is the product's own: workflows, activities, journal, codes, prompts.
What a run does is written in its goal (for the planner) and in its tasks' titles (for the rest).
"""

import asyncio
import hashlib
import time
from pathlib import Path

from peerlib import astep
from pydantic import BaseModel

from adapters.temporal import TemporalCommands
from domain.agents.agents import AgentAnswer, AgentCall, DoneReport, SessionRole, StopReason
from domain.agents.profiles import AgentProfile
from domain.conversations.events import AgentNotice, AgentSessionOpened
from domain.core.ids import SessionId
from domain.core.ports import Beat, Record
from domain.core.workspaces import (
    CommitSpec,
    MergeResult,
    RepositoryFacts,
    Snapshot,
    Work,
    WorkspaceSpec,
)
from domain.tasks.agent_commands import ProposePlan
from domain.threads.calls import SettleCall
from domain.verification.checkouts import Checkout
from domain.verification.ports import StepPlace
from domain.verification.steps import StepResult, VerificationStep


class Step(BaseModel):
    """What a task does, as its title says it."""

    key: str
    ms: int = 0
    last: str = "finalize"
    is_marked: bool = False
    events: int = 0
    event_bytes: int = 0
    rate: int = 0


class NoAgents:
    """Turns that end at once: the planner proposes the plan that the goal is, tasks report done."""

    def __init__(self, door: TemporalCommands, marks: Path, plan) -> None:
        self._door, self._marks, self._plan = door, marks, plan

    async def run_turn(self, call: AgentCall, record: Record, beat: Beat) -> AgentAnswer:
        turn = call.turn
        await record(AgentSessionOpened(turn_id=turn.turn_id, agent_session=turn.session_id))
        fields = turn.prompt.fields
        if turn.role is SessionRole.PLANNER:
            plan = self._plan(fields["goal"])
            await self._door.send(
                turn.thread_id, ProposePlan(session_id=turn.session_id, plan=plan)
            )
            return AgentAnswer(stop_reason=StopReason.END_TURN, agent_session=turn.session_id)
        if turn.role is not SessionRole.TASK:  # the thread's agent, told that a part of the plan is over
            return AgentAnswer(stop_reason=StopReason.END_TURN, agent_session=turn.session_id)
        step = Step.model_validate_json(fields["title"])
        await mark(self._marks, step, "execute")
        await _talk(step, turn.turn_id, record)
        return AgentAnswer(
            stop_reason=StopReason.END_TURN,
            agent_session=turn.session_id,
            report=DoneReport(summary="done"),
        )

    async def close(self, session_id: SessionId) -> None: ...


async def mark(marks: Path, step: Step, name: str) -> None:
    """Do nothing for as long as the run says, between two marks."""
    await astep(str(marks) if step.is_marked else None, f"{step.key}.{name}", step.ms)


async def _talk(step: Step, turn_id, record: Record) -> None:
    """Emit events that hold the time they were emitted at."""
    began = time.monotonic()
    for number in range(1, step.events + 1):
        text = f"{time.monotonic_ns()} ".ljust(step.event_bytes, "x")
        await record(AgentNotice(turn_id=turn_id, message=text))
        if step.rate:
            await asyncio.sleep(max(0, began + number / step.rate - time.monotonic()))
        elif number % 100 == 0:
            await asyncio.sleep(0)


class NoWorkspaces:
    """Worktrees without files; a commit is the hash of its key."""

    def __init__(self, marks: Path) -> None:
        self._marks = marks

    async def inspect(self, repository: str) -> RepositoryFacts:
        return RepositoryFacts(root=repository, head="0" * 40, head_branch="main")

    async def create_branch(self, repository: str, branch: str, base: str) -> str:
        return base

    async def prepare(self, spec: WorkspaceSpec) -> Path:
        return Path("/")

    async def commit(self, spec: WorkspaceSpec, commit: CommitSpec) -> Snapshot:
        name = hashlib.sha1(commit.key.encode()).hexdigest()
        return Snapshot(commit=name, tree=name, base="0" * 40, is_changed=True)

    async def diff(self, repository: str, base: str, commit: str) -> str:
        return f"diff {base}..{commit}"

    async def check_out(self, spec: WorkspaceSpec, commit: str) -> Path:
        return Path("/")

    async def altered(self, spec: WorkspaceSpec, commit: str) -> tuple[str, ...]:
        return ()

    async def discard(self, spec: WorkspaceSpec) -> tuple[str, ...]:
        return ()

    async def collisions(self, repository: str, work: Work, others) -> tuple[()]:
        return ()

    async def settle(self, call: SettleCall, verified=None) -> MergeResult:
        step = Step.model_validate_json(call.title)
        await mark(self._marks, step, step.last)
        return MergeResult(commit=call.commit)

    async def release(self, spec: WorkspaceSpec) -> None: ...

    @property
    def checkouts(self) -> "NoCheckouts":
        return NoCheckouts()


class NoCheckouts:
    """Clean checkouts without files."""

    async def open(self, spec: WorkspaceSpec, commit: str, recipe) -> Checkout:
        return Checkout(Path("/"), Path("/"), commit, is_prepared=True)

    async def prepared(self, spec: WorkspaceSpec) -> None: ...

    async def watch(self, spec: WorkspaceSpec, commit: str, step: VerificationStep) -> "NoWatch":
        return NoWatch()

    async def altered(self, spec: WorkspaceSpec, commit: str) -> tuple[str, ...]:
        return ()

    async def discard(self, spec: WorkspaceSpec) -> None: ...


class NoWatch:
    """Sees nothing opened."""

    def end(self) -> tuple[()]:
        return ()

    def close(self) -> None: ...


class NoCommands:
    """Verification steps that pass."""

    def __init__(self, marks: Path) -> None:
        self._marks = marks

    async def run_step(
        self, step: VerificationStep, place: StepPlace, beat: Beat
    ) -> tuple[StepResult, str]:
        await mark(self._marks, Step.model_validate_json(step.command or ""), "verify")
        return StepResult(step_id=step.id, label=step.label, passed=True), ""


class NoTerminals:
    """A host on which none was opened."""

    async def end_all(self, owner: str, note: str) -> None: ...


class AnyAgent:
    """A registry where every name is an agent."""

    def profile(self, name: str, repository: str | None = None) -> AgentProfile:
        return AgentProfile(name=name, command=("true",))
