"""What a task's workflow starts with and ends with."""

from pydantic import Field

from domain.agents.agents import READERS
from domain.agents.limits.budgets import Budget
from domain.agents.limits.money import TurnLimits
from domain.agents.offers import AgentOptions
from domain.conversations.conversation import Conversation
from domain.conversations.sessions.rules import QueuePrompt
from domain.core.event import Event, Headline
from domain.core.ids import (
    EventId,
    SessionId,
    ThreadId,
    TurnId,
    run_workspace_id,
    session_stream,
    task_workflow_id,
)
from domain.core.inputs import WorkflowInput
from domain.core.listing import Listing
from domain.core.task_names import typed_task
from domain.core.wire import Wire
from domain.core.workspaces import (
    BesideRepository,
    CommitSpec,
    Snapshot,
    WorkspaceKind,
    WorkspaceSpec,
)
from domain.plans.plan import PlannedTask
from domain.plans.templates.template import PlanApproval
from domain.tasks.commands import OpenTask
from domain.tasks.conflicts import ConflictWork
from domain.tasks.learnings import Learning
from domain.tasks.results import RunResult
from domain.tasks.stages import Editing
from domain.tasks.state import TaskState
from domain.verification.checkouts import Recipe
from domain.verification.judges.policy import JudgePolicy


class TaskBrief(Wire):
    """What a task is told beside itself: the plan's handoff packet, and what came before it.

    `amended` are the tasks of the plan as they are now, where it was changed since the packet was made;
    `context` is what the thread added for it, `decisions` are all that were made, with the answers.
    `quotes` are the events that have those of the texts that are not here, by their names.
    """

    quotes: dict[str, EventId] = {}
    handoff: str = ""
    amended: str = ""
    project_map: str = ""
    upstream: str = ""
    context: str = ""
    decisions: str = ""
    learnings: tuple[Learning, ...] = ()


class TaskInput(WorkflowInput):
    """One run of a task. `carried` is the state of a run that continued as new.

    `judge_policy` is None in runs that began before there was one. So `keeps_asking` is False: a gate that waited for
    a person was passed by policy where a chat then changed the files that made it wait.

    One that carries out a plan without tasks takes the turns of the thread's `session`, after `turns_before`;
    `said` is what people have said to that, and it begins with.

    `generation` counts the hosts before this one, `unleased` are ports that the run held on the last of them.

    `begins_with` is the checkpoint whose files it begins with, where that is not its base. `options` are for its own agent, in all of its sessions that were given none.
    """

    thread_id: ThreadId
    project: str
    repository: str
    host: str
    base: str
    branch: str | None
    task: PlannedTask
    run: int
    session: SessionId | None = None
    turns_before: int = 0
    said: tuple[QueuePrompt, ...] = ()
    begins_with: str | None = None
    agent: str
    model: str | None = None
    options: AgentOptions = {}
    max_retries: int = 3
    is_gate_automatic: bool = False
    gate_approvals: int = Field(default=1, exclude_if=lambda count: count == 1)
    judge_policy: JudgePolicy | None = None
    keeps_asking: bool = False
    conflict: ConflictWork | None = None
    composed: Snapshot | None = Field(default=None, exclude_if=lambda composed: composed is None)
    """Work that a person had put together from that of others: the run begins with its verification."""
    plan_approval: PlanApproval | None = None
    reviewer: str = ""
    reviewer_model: str | None = None
    code_reviewer: str = ""
    code_reviewer_model: str | None = None
    max_context_tokens: int | None = None
    has_plan_files: bool = False
    recipe: Recipe = Recipe()
    hosts: tuple[str, ...] = ()
    set_up: str = ""
    brief: TaskBrief = TaskBrief()
    name: str = Field(default="", exclude_if=lambda name: not name)
    beside: tuple[BesideRepository, ...] = Field(default=(), exclude_if=lambda beside: not beside)
    carries_progress: bool = False
    generation: int = Field(default=0, exclude_if=lambda generation: not generation)
    unleased: tuple[str, ...] = Field(default=(), exclude_if=lambda ports: not ports)
    money: TurnLimits | None = Field(default=None, exclude_if=lambda limits: limits is None)
    person: str = ""
    template: str = ""
    carried: TaskState | None = None

    @property
    def listing(self) -> Listing:
        """What Temporal's lists show of it."""
        return Listing(
            kind="task",
            status="running",
            title=self.task.title,
            project=self.project,
            person=self.person,
            template=self.template,
            agent=self.agent,
            look=f"treadle show {self.thread_id}{typed_task(self.task.id)}",
        )

    @property
    def workflow_id(self) -> str:
        """The task's workflow id and stream."""
        return task_workflow_id(self.thread_id, self.task.id)

    @property
    def session_id(self) -> SessionId:
        """The session of this run."""
        return self.session or session_stream(self.workflow_id, self.run)

    @property
    def workspace(self) -> WorkspaceSpec:
        """The worktree of this run."""
        return WorkspaceSpec(
            workspace_id=run_workspace_id(self.thread_id, self.task.id, self.run),
            kind=WorkspaceKind.TASK,
            repository=self.repository,
            thread_id=self.thread_id,
            task_id=self.task.id,
            base=self.base,
            branch=self.branch,
            begins_with=self.begins_with,
            merging=self.conflict.commit if self.conflict else None,
            hosts=self.hosts,
            recipe=self.set_up,
            name=self.name,
            beside=self.beside,
        )

    def opening(self) -> OpenTask:
        """Return the command that begins the run; conflict work was planned with its task."""
        return OpenTask(
            task=self.task,
            run=self.run,
            session_id=self.session_id,
            turns_before=self.turns_before,
            agent=self.agent,
            model=self.model,
            branch=self.branch,
            max_retries=self.max_retries,
            is_gate_automatic=self.is_gate_automatic,
            gate_approvals=self.gate_approvals,
            judge_policy=self.judge_policy,
            keeps_asking=self.keeps_asking,
            conflict=self.conflict,
            composed=self.composed,
            plan_approval=None if self.conflict or self.composed else self.plan_approval,
            reviewer=self.reviewer or self.agent,
            reviewer_model=self.reviewer_model if self.reviewer else self.model,
            code_reviewer=self.code_reviewer,
            code_reviewer_model=self.code_reviewer_model,
            budget=Budget(
                turns=self.task.max_turns,
                tokens=self.task.max_tokens,
                context_tokens=self.max_context_tokens,
            ),
            learnings=self.brief.learnings,
        )

    def workspace_of(self, conversation: Conversation) -> WorkspaceSpec:
        """Return where a session works: those that only read have a view of their own."""
        if conversation.role not in READERS:
            return self.workspace
        return WorkspaceSpec(
            workspace_id=conversation.session_id,
            kind=WorkspaceKind.PLANNING,
            repository=self.repository,
            thread_id=self.thread_id,
            task_id=self.task.id,
            base=conversation.commit or self.begins_with or self.base,
            hosts=self.hosts,
            name=self.name,
            beside=self.beside,
        )

    def commit_spec(self, turn_id: TurnId, attempt: int) -> CommitSpec:
        """Return how a turn's changes are committed."""
        number = turn_id.removeprefix(self.session_id)
        number = number.replace("/turn-", "-").lstrip("-")
        return CommitSpec(
            key=turn_id,
            title=self.task.title,
            trailers=self.trailers(attempt),
            checkpoint_ref=f"refs/treadle/{self.workflow_id}/{self.run}/{number}",
        )

    def edit_spec(self, editing: Editing, attempt: int) -> CommitSpec:
        """Return how a person's suggestions are committed."""
        by = ("Treadle-Suggestions-By", " ".join(editing.by.split()))
        return CommitSpec(
            key=f"{self.workflow_id}/{self.run}/edits-{editing.number}",
            title=f"Apply suggestions to: {self.task.title}",
            trailers=(*self.trailers(attempt), by),
            checkpoint_ref=f"refs/treadle/{self.workflow_id}/{self.run}/edits-{editing.number}",
        )

    def trailers(self, attempt: int) -> tuple[tuple[str, str], ...]:
        """Return what marks a commit as this run's."""
        return (
            ("Treadle-Thread", self.thread_id),
            ("Treadle-Task", self.task.id),
            ("Treadle-Attempt", f"{self.run}.{attempt}"),
        )


class TaskResult(RunResult):
    """What a task's workflow ends with; `events` and `headlines` are those that nobody has journaled yet.

    `unread` are the messages to the thread's session that no turn has taken.
    """

    unread: tuple[QueuePrompt, ...] = ()
    events: tuple[Event, ...] = ()
    headlines: tuple[Headline, ...] = ()
