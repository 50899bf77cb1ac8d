"""Events of a thread's stream."""

from typing import Literal

from pydantic import Field

from domain.agents.agents import Prompt, SessionRole
from domain.agents.offers import AgentOptions
from domain.agents.past_sessions import ImportedSession
from domain.core.approvals import ApprovalRequest, Outcome
from domain.core.beside import OpenedBeside
from domain.core.event import EventBody, QuotedBody
from domain.core.four_eyes import FourEyes
from domain.core.ids import SessionId, TaskId
from domain.core.notices import CommandRejected, ResourceWarned
from domain.core.workspaces import BesideRepository, RepositoryFacts
from domain.forges.issues import IssueLink
from domain.plans.ancestry import ParentThread
from domain.plans.plan import Plan
from domain.plans.settings import PlannerSettings
from domain.plans.status import PlanStatus
from domain.plans.templates.template import PlanTemplate
from domain.plans.warnings import PlanWarning
from domain.tasks.results import RunResult
from domain.tasks.status import TaskStatus
from domain.threads.bases.looks import BaseLook
from domain.threads.fork_origin import ForkOrigin
from domain.verification.steps import StepResult


class ThreadOpened(QuotedBody):
    """A person opened a thread on a repository; or a `parent` did, with what its plan says.

    It may have others `beside` it, where it is called `name`. `begins_at` is the commit that its branch began at, `base`
    where the branch was that its work is meant for. One that was `forked_from` another has in `context` what happened
    there until then.
    """

    kind: Literal["thread_opened"] = "thread_opened"
    goal: str
    agent: str
    model: str | None = None
    options: AgentOptions = {}
    facts: RepositoryFacts
    template: PlanTemplate
    branch: str
    host: str = ""
    planner: PlannerSettings = PlannerSettings()
    opened_by: str = ""
    parent: ParentThread | None = None
    context: str = ""
    forked_from: ForkOrigin | None = None
    begins_at: str = ""
    base: BaseLook = Field(default=BaseLook(), exclude_if=lambda base: base == BaseLook())
    recipe: str = ""
    name: str = Field(default="", exclude_if=lambda name: not name)
    beside: tuple[OpenedBeside, ...] = Field(default=(), exclude_if=lambda beside: not beside)
    issue: IssueLink | None = Field(default=None, exclude_if=lambda issue: issue is None)
    promotes: tuple[str, ...] = Field(default=(), exclude_if=lambda ids: not ids)
    """The learnings that it is to bring into AGENTS.md: a person closes its gates, whatever else is set."""
    four_eyes: FourEyes = Field(default=FourEyes(), exclude_if=lambda rule: rule == FourEyes())
    imported: ImportedSession | None = Field(
        default=None, exclude_if=lambda imported: imported is None
    )
    """The session of its agent that it goes on with, and what was said in it."""
    patches: tuple[str, ...] = ()

    def has_patch(self, patch: str) -> bool:
        """Tell whether a change to the rules holds for the thread."""
        return patch in self.patches

    @property
    def others(self) -> tuple[BesideRepository, ...]:
        """What its workspaces must know of the repositories beside."""
        names = BesideRepository.model_fields
        return tuple(
            BesideRepository(**{name: getattr(one, name) for name in names}) for one in self.beside
        )


class SessionOpened(EventBody):
    """A session was opened in the thread."""

    kind: Literal["session_opened"] = "session_opened"
    session_id: SessionId
    role: SessionRole
    agent: str
    model: str | None = None
    options: AgentOptions = {}
    command_id: str = ""
    has_own_worktree: bool = True
    agent_session: str | None = Field(default=None, exclude_if=lambda session: session is None)
    """The agent's own session that it goes on with."""


class SessionsArchived(EventBody):
    """Sessions were put away, still readable."""

    kind: Literal["sessions_archived"] = "sessions_archived"
    session_ids: tuple[SessionId, ...]


class PlanRequested(EventBody):
    """A plan was asked for."""

    kind: Literal["plan_requested"] = "plan_requested"
    goal: str
    session_id: SessionId


class PlanProposed(QuotedBody):
    """A planner proposed a plan, or the person `by` changed one; `handoff` is for fresh agents."""

    kind: Literal["plan_proposed"] = "plan_proposed"
    revision: int
    session_id: SessionId
    plan: Plan
    warnings: tuple[PlanWarning, ...] = ()
    handoff: str = ""
    by: str = ""
    request: ApprovalRequest


class PlanRefused(EventBody):
    """A proposal was not valid; the planner was told every problem."""

    kind: Literal["plan_refused"] = "plan_refused"
    session_id: SessionId
    problems: str


class PlanningFailed(EventBody):
    """The planner ended without a plan; the thread waits for a person."""

    kind: Literal["planning_failed"] = "planning_failed"
    session_id: SessionId
    reason: str


class PlanDecided(EventBody):
    """A person approved or rejected a plan."""

    kind: Literal["plan_decided"] = "plan_decided"
    revision: int
    outcome: Outcome


class PlanStarted(EventBody):
    """The approved plan runs; context was reset. One without tasks is the work of the session `session_id`."""

    kind: Literal["plan_started"] = "plan_started"
    plan_id: str
    goal: str
    tasks: tuple[TaskId, ...]
    session_id: SessionId | None = None


class PlanStatusChanged(EventBody):
    """The plan was paused, resumed or cancelled."""

    kind: Literal["plan_status_changed"] = "plan_status_changed"
    plan_id: str
    status: PlanStatus
    by: str = ""
    reason: str = ""


class TaskUpdated(EventBody):
    """A task changed its status; a failure keeps its reason in `notes`."""

    kind: Literal["task_updated"] = "task_updated"
    plan_id: str
    task_id: TaskId
    old_status: TaskStatus
    new_status: TaskStatus
    notes: str = ""
    run: int = 0


class PromptQueued(EventBody):
    """Treadle has something to say to a session; with neither prompt nor role it is to be closed.

    With a `role` the session has that from here on, and with `is_reset` a fresh context. One that comes
    back from the plan's work has taken so many `turns`.
    """

    kind: Literal["prompt_queued"] = "prompt_queued"
    key: str
    session_id: SessionId
    prompt: Prompt | None = None
    role: SessionRole | None = None
    is_reset: bool = False
    turns: int | None = None


class PromptDelivered(EventBody):
    """The session has it."""

    kind: Literal["prompt_delivered"] = "prompt_delivered"
    key: str


class TaskAbortRequested(EventBody):
    """Somebody asked to abort a task; one of all that run keeps what waits for it pending.

    A `reason` is that of the thread's agent, where the thread allows it to abort tasks.
    """

    kind: Literal["task_abort_requested"] = "task_abort_requested"
    task_id: TaskId
    by: str = ""
    is_of_all: bool = False
    reason: str = ""


class TaskReported(RunResult, EventBody):
    """A run of a task ended; accepted work waits for its merge, in this order."""

    kind: Literal["task_reported"] = "task_reported"


class TaskSettled(EventBody):
    """A run of a task holds nothing any more: merged or not, its workspace is released."""

    kind: Literal["task_settled"] = "task_settled"
    task_id: TaskId
    run: int


class MergeStepEnded(EventBody):
    """A verification step ran on the tree that a merge would make, before the branch moved."""

    kind: Literal["merge_step_ended"] = "merge_step_ended"
    task_id: TaskId
    run: int
    tree: str
    result: StepResult


class TaskMerged(EventBody):
    """A task's work is on the thread's branch."""

    kind: Literal["task_merged"] = "task_merged"
    task_id: TaskId
    commit: str
    branch: str
    attempts: int = 1
    duration_ms: int = 0


class PlanCompleted(EventBody):
    """The plan ended; `failures` are the tasks that did not complete, with their reasons and what fixes them."""

    kind: Literal["plan_completed"] = "plan_completed"
    plan_id: str
    final_status: PlanStatus
    summary: str
    failures: dict[TaskId, str] = {}
    remedies: dict[TaskId, str] = {}

    @property
    def words(self) -> str:
        """How it ended: `Plan completed: 3 of 3 tasks merged into …`."""
        is_said = self.summary.startswith(f"{self.final_status}:")
        return f"Plan {self.summary if is_said else f'{self.final_status}: {self.summary}'}"


ThreadEvent = (
    ThreadOpened
    | SessionOpened
    | SessionsArchived
    | PlanRequested
    | PlanProposed
    | PlanRefused
    | PlanningFailed
    | PlanDecided
    | PlanStarted
    | PlanStatusChanged
    | TaskUpdated
    | PromptQueued
    | PromptDelivered
    | TaskAbortRequested
    | TaskReported
    | TaskSettled
    | MergeStepEnded
    | TaskMerged
    | ResourceWarned
    | PlanCompleted
    | CommandRejected
)
