"""Events of a task's stream."""

from datetime import datetime
from enum import StrEnum
from typing import Literal

from domain.agents.agents import ContextFill, DoneReport, SessionRole, Usage
from domain.agents.limits.budgets import Budget
from domain.agents.offers import AgentOptions
from domain.agents.spending import Taken
from domain.core.approvals import ApprovalRequest, Outcome
from domain.core.attachments import Attachment
from domain.core.event import EventBody
from domain.core.ids import SessionId, TurnId
from domain.core.workspaces import Snapshot
from domain.plans.plan import PlannedTask
from domain.plans.templates.template import PlanApproval
from domain.tasks.conflicts import ConflictWork
from domain.tasks.learnings import Learning
from domain.verification.judges.policy import JudgePolicy
from domain.verification.steps import StepResult


class TaskEnd(StrEnum):
    """How a run of a task ended; `accepted` work is merged by its thread."""

    ACCEPTED = "accepted"
    FAILED = "failed"
    CANCELLED = "cancelled"


class TaskOpened(EventBody):
    """A run of a task began; retries are runs 2, 3 … with a session of their own.

    One with a `conflict` resolves that of an earlier run. With a `plan_approval` the task is planned
    first; `learnings` are those that its agents are told.
    """

    kind: Literal["task_opened"] = "task_opened"
    task: PlannedTask
    run: int
    session_id: SessionId
    agent: str
    model: str | None = None
    branch: str | None
    max_retries: int
    is_gate_automatic: bool = False
    judge_policy: JudgePolicy | None = None
    conflict: ConflictWork | None = None
    plan_approval: PlanApproval | None = None
    reviewer: str = ""
    reviewer_model: str | None = None
    code_reviewer: str = ""
    code_reviewer_model: str | None = None
    budget: Budget = Budget()
    learnings: tuple[Learning, ...] = ()


class TaskTurnStarted(EventBody):
    """The task's agent works; what it says is in the session's stream."""

    kind: Literal["task_turn_started"] = "task_turn_started"
    turn_id: TurnId
    number: int
    attempt: int
    prompt_name: str
    session_id: SessionId = SessionId("")


class TaskTurnDelayed(EventBody):
    """The provider refused the running turn; nothing is lost, it goes on at the time named."""

    kind: Literal["task_turn_delayed"] = "task_turn_delayed"
    turn_id: TurnId
    provider: str
    reason: str
    until: datetime
    refusals: int
    agent_session: str | None = None
    taken: Taken | None = None


class TaskTurnResumed(EventBody):
    """The wait is over: the time has come, or a person skipped it."""

    kind: Literal["task_turn_resumed"] = "task_turn_resumed"
    turn_id: TurnId
    is_skipped: bool = False
    by: str = ""


class TaskAgentSwitched(EventBody):
    """A person gave a session of the task another agent or model; it starts with a fresh context."""

    kind: Literal["task_agent_switched"] = "task_agent_switched"
    session_id: SessionId
    agent: str
    model: str | None = None
    options: AgentOptions = {}
    by: str = ""


class TaskSessionOpened(EventBody):
    """One more session of the task: one that a person opened, a planner's, or a reviewer's.

    `commit` is what a reviewer of the work has before it.
    """

    kind: Literal["task_session_opened"] = "task_session_opened"
    session_id: SessionId
    role: SessionRole = SessionRole.CHAT
    agent: str
    model: str | None = None
    options: AgentOptions = {}
    commit: str | None = None
    by: str = ""


class TaskContextCompacted(EventBody):
    """A session's context was nearly full: its agent compacts it, or a fresh one goes on."""

    kind: Literal["task_context_compacted"] = "task_context_compacted"
    session_id: SessionId
    used: int
    size: int
    command: str = ""


class TaskWarned(EventBody):
    """Something of the task runs short."""

    kind: Literal["task_warned"] = "task_warned"
    message: str


class TaskTurnEnded(EventBody):
    """The agent's turn is over."""

    kind: Literal["task_turn_ended"] = "task_turn_ended"
    turn_id: TurnId
    agent: str = ""
    model: str | None = None
    stop_reason: str
    agent_session: str | None = None
    failure: str | None = None
    snapshot: Snapshot | None = None
    duration_ms: int = 0
    usage: Usage | None = None
    context: ContextFill | None = None
    compact_command: str = ""
    tool_calls: int = 0
    tool_failures: int = 0
    output: str = ""
    discarded: tuple[str, ...] = ()


class ReportReceived(EventBody):
    """The agent reported done, or that it is blocked."""

    kind: Literal["report_received"] = "report_received"
    report: DoneReport
    is_blocked: bool = False


class VerificationStarted(EventBody):
    """An attempt is being verified, on this tree."""

    kind: Literal["verification_started"] = "verification_started"
    attempt: int
    tree: str | None = None


class VerificationStepEnded(EventBody):
    """One step ran."""

    kind: Literal["verification_step_ended"] = "verification_step_ended"
    attempt: int
    result: StepResult


class VerificationEnded(EventBody):
    """The verdict on an attempt; with `held` a person is asked, since a review was not made."""

    kind: Literal["verification_ended"] = "verification_ended"
    attempt: int
    passed: bool
    held: str = ""


class VerificationChecked(EventBody):
    """The agent had the steps run on its files as they were; informational, no attempt counts it.

    `is_cut_off` tells that its turn ended before all had run.
    """

    kind: Literal["verification_checked"] = "verification_checked"
    turn_id: TurnId
    steps: tuple[StepResult, ...] = ()
    passed: bool = False
    is_cut_off: bool = False


class GateOpened(EventBody):
    """Verified work waits for a person; the snapshot and `doubts` are what they are shown."""

    kind: Literal["gate_opened"] = "gate_opened"
    request: ApprovalRequest
    snapshot: Snapshot | None = None
    doubts: tuple[str, ...] = ()


class GateWithdrawn(EventBody):
    """The work changed while it waited for approval; it is verified again first."""

    kind: Literal["gate_withdrawn"] = "gate_withdrawn"
    request_id: str


class GateDecided(EventBody):
    """A person, or the policy, decided at the gate."""

    kind: Literal["gate_decided"] = "gate_decided"
    outcome: Outcome


class TaskMessageQueued(EventBody):
    """A person's message to the task's agent waits for the next turn."""

    kind: Literal["task_message_queued"] = "task_message_queued"
    message_id: str
    text: str
    attachments: tuple[Attachment, ...] = ()
    by: str = ""
    session_id: SessionId = SessionId("")


class TaskStopRequested(EventBody):
    """A person stopped the running turn; the task then waits for a message."""

    kind: Literal["task_stop_requested"] = "task_stop_requested"
    turn_id: TurnId
    by: str = ""


class PortLeased(EventBody):
    """The agent asked for a declared port and got a number."""

    kind: Literal["port_leased"] = "port_leased"
    port_id: str
    number: int
    at: datetime | None = None


class PortReleased(EventBody):
    """The agent gave a port back before the task's end, where all are given back."""

    kind: Literal["port_released"] = "port_released"
    port_id: str


class TaskAborted(EventBody):
    """A person aborted the task."""

    kind: Literal["task_aborted"] = "task_aborted"
    by: str = ""


class TaskEnded(EventBody):
    """The run of the task is over."""

    kind: Literal["task_ended"] = "task_ended"
    end: TaskEnd
    reason: str = ""


TaskEvent = (
    TaskOpened
    | TaskTurnStarted
    | TaskTurnDelayed
    | TaskTurnResumed
    | TaskTurnEnded
    | TaskAgentSwitched
    | TaskSessionOpened
    | TaskContextCompacted
    | TaskWarned
    | ReportReceived
    | VerificationStarted
    | VerificationStepEnded
    | VerificationEnded
    | VerificationChecked
    | GateOpened
    | GateWithdrawn
    | GateDecided
    | TaskMessageQueued
    | TaskStopRequested
    | PortLeased
    | PortReleased
    | TaskAborted
    | TaskEnded
)
