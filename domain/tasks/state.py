"""What is known of a task's run; how events change it is in domain/tasks/evolution.py."""

from datetime import datetime
from enum import StrEnum

from domain.agents.agents import ContextFill, DoneReport, PromptName, SessionRole
from domain.agents.limits.budgets import Budget, BudgetUse
from domain.agents.offers import AgentOptions
from domain.agents.terminals import AllocatedPort, Terminal
from domain.conversations.questions.state import Questions
from domain.conversations.stats import TaskStats
from domain.core.approvals import ApprovalRequest, Outcome, without_feedback
from domain.core.attachments import Attachment
from domain.core.ids import SessionId, TurnId
from domain.core.wire import Wire
from domain.core.workspaces import Snapshot
from domain.plans.plan import PlannedTask
from domain.plans.templates.template import PlanApproval
from domain.tasks import events as happened
from domain.tasks.learnings import Learning
from domain.tasks.plans import TaskPlan
from domain.verification.judges.policy import JudgePolicy
from domain.verification.reviews import Review
from domain.verification.steps import VerificationAttempt, VerificationStep, reviews_in

MAX_NUDGES = 2


class Phase(StrEnum):
    """Where a run stands; WAITING is for a person's message, AT_PLAN for approval of its plan."""

    NEW = "new"
    PLANNING = "planning"
    REVIEWING = "reviewing"
    AT_PLAN = "at_plan"
    WORKING = "working"
    WAITING = "waiting"
    VERIFYING = "verifying"
    AT_GATE = "at_gate"
    ENDED = "ended"


PLANNING = frozenset({Phase.PLANNING, Phase.REVIEWING, Phase.AT_PLAN})
"""The phases before the work begins."""


class Message(Wire):
    """A person's message that waits for the next turn."""

    message_id: str
    text: str
    attachments: tuple[Attachment, ...] = ()


class Seat(Wire):
    """One agent conversation of a run: its worker, its planner, a reviewer, or one a person opened.

    `is_fresh` tells that its agent knows nothing of the turns before; `messages` are those to a
    session that a person opened; `commit` is what one that only reads has before it.
    """

    session_id: SessionId
    role: SessionRole
    agent: str
    model: str | None = None
    options: AgentOptions = {}
    turns: int = 0
    agent_session: str | None = None
    context: ContextFill | None = None
    compact_command: str = ""
    is_compacting: bool = False
    is_fresh: bool = False
    messages: tuple[Message, ...] = ()
    commit: str | None = None


class Delay(Wire):
    """The running turn waits for its provider."""

    provider: str
    reason: str
    until: datetime


class Planning(Wire):
    """The planning of the task before its work: the newest plan, and what its planner is told next.

    `number` counts proposals, `revisions` those that were sent back by the reviewer, `problems` the
    replies in a row that gave no verdict.
    """

    approval: PlanApproval
    reviewer: str = ""
    reviewer_model: str | None = None
    cue: PromptName = PromptName.TASK_PLAN
    number: int = 0
    plan: TaskPlan | None = None
    is_proposed: bool = False
    is_approved: bool = False
    feedback: str = ""
    nudges: int = 0
    revisions: int = 0
    problems: int = 0
    problem: str = ""


class Reviewing(Wire):
    """The review that is being made: its session, its verdict once there is one, its turns without.

    `problem` is what the newest reply lacks, `work_ms` what its turns took.
    """

    session_id: SessionId
    review: Review | None = None
    missed: int = 0
    problem: str = ""
    work_ms: int = 0


class TaskState(Wire):
    """One run of a task. `cue` names the prompt of the worker's next turn.

    `seats` are its sessions by id; one turn runs at a time, in `running_seat`, with the messages
    `in_turn`. `resumes` is the phase that a message leads back to. `is_review_held` tells that it
    waits for a person because a review could not be made.
    """

    phase: Phase = Phase.NEW
    resumes: Phase = Phase.WORKING
    task: PlannedTask | None = None
    run: int = 1
    session_id: SessionId = SessionId("")
    branch: str | None = None
    max_retries: int = 3
    is_gate_automatic: bool = False
    judge_policy: JudgePolicy | None = None
    planning: Planning | None = None
    seats: dict[str, Seat] = {}
    cue: PromptName = PromptName.TASK
    running_turn: TurnId | None = None
    cut_short: TurnId | None = None
    """The turn that ran when the task ended."""
    running_seat: SessionId = SessionId("")
    is_stop_requested: bool = False
    is_asleep: bool = False
    questions: Questions = Questions()
    delay: Delay | None = None
    refusals: int = 0
    is_urgent: bool = False
    in_turn: tuple[Message, ...] = ()
    nudges: int = 0
    report: DoneReport | None = None
    is_blocked: bool = False
    snapshot: Snapshot | None = None
    doubts: tuple[str, ...] = ()
    reviewed: str | None = None
    """The commit that a person last sent back from the gate."""
    attempts: tuple[VerificationAttempt, ...] = ()
    reviewing: Reviewing | None = None
    is_review_held: bool = False
    code_reviewer: str = ""
    code_reviewer_model: str | None = None
    failed_in_a_row: int = 0
    request: ApprovalRequest | None = None
    outcomes: dict[str, Outcome] = {}
    messages: tuple[Message, ...] = ()
    seen_messages: tuple[str, ...] = ()
    withdrawn: tuple[str, ...] = ()
    ports: dict[str, int] = {}
    allocated: dict[str, AllocatedPort] = {}
    terminals: dict[str, Terminal] = {}
    budget: Budget = Budget()
    spent: BudgetUse = BudgetUse()
    stats: TaskStats = TaskStats()
    output: str = ""
    warnings: tuple[str, ...] = ()
    learned: tuple[Learning, ...] = ()
    end: happened.TaskEnd | None = None
    reason: str = ""
    work_ms: int = 0

    @property
    def worker(self) -> Seat | None:
        """The session that does the task's work."""
        return self.seats.get(self.session_id)

    @property
    def turns(self) -> int:
        """The turns of the worker."""
        return self.worker.turns if self.worker else 0

    @property
    def agent_session(self) -> str | None:
        """The worker's own session id at its agent."""
        return self.worker.agent_session if self.worker else None

    @property
    def attempt(self) -> VerificationAttempt | None:
        """The newest verification attempt."""
        return self.attempts[-1] if self.attempts else None

    @property
    def unresolved(self) -> tuple[str, ...]:
        """The files that still hold conflict markers, after the newest turn."""
        return self.snapshot.unresolved if self.snapshot else ()

    @property
    def steps(self) -> tuple[VerificationStep, ...]:
        """The task's verification steps, in order."""
        return self.task.verification if self.task else ()

    def seat_of(self, role: SessionRole) -> Seat | None:
        """Return the newest session of a role."""
        return next((s for s in reversed(self.seats.values()) if s.role is role), None)

    def without_old_texts(self) -> "TaskState":
        """Return what the next run of the workflow needs: the outputs of the newest attempt only.

        Each step's newest review is kept, too. The journal has the others, and the feedback of
        rejections; many would outgrow a payload.
        """
        kept, reviewed = list(self.attempts[-1:]), reviews_in(self.attempts[-1:])
        for attempt in reversed(self.attempts[:-1]):
            kept.append(attempt.without_outputs(but=reviews_in((attempt,)) - reviewed))
            reviewed |= reviews_in((attempt,))
        return self.model_copy(
            update={
                "attempts": tuple(reversed(kept)),
                "outcomes": without_feedback(self.outcomes),
            }
        )

    @property
    def waiting_for(self) -> str:
        """What a person is asked, in a phrase; empty when nothing is."""
        if self.questions.open:
            return self.questions.waiting_for
        if self.phase is Phase.AT_GATE:
            return "approval of the verified change"
        if self.phase is Phase.AT_PLAN:
            return "approval of the task's plan"
        if self.is_review_held:
            return f"a person: {self.reason}"
        if self.phase is Phase.WAITING:
            return f"a message: {self.reason}"
        return ""

    @property
    def held_by(self) -> str:
        """What the running turn waits for without any work, in a phrase; empty when for nothing."""
        if self.delay is None:
            return ""
        until = self.delay.until.strftime("%Y-%m-%d %H:%M:%S UTC")
        return f"{self.delay.provider} until {until}: {self.delay.reason}"
