"""Events of a task's stream."""

from datetime import datetime
from enum import StrEnum
from typing import Literal

from pydantic import Field

from domain.agents.agents import DoneReport
from domain.agents.limits.budgets import Budget
from domain.core.approvals import ApprovalRequest, Outcome
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

    The work of a plan without tasks goes on in a session of the thread, after the `turns_before`.

    One with a `conflict` resolves that of an earlier run. What a person had `composed` of others' work is verified at once. With a `plan_approval` the task is planned
    first; `learnings` are those that its agents are told.
    """

    kind: Literal["task_opened"] = "task_opened"
    task: PlannedTask
    run: int
    session_id: SessionId
    turns_before: int = 0
    agent: str
    model: str | None = None
    branch: str | None
    max_retries: int
    is_gate_automatic: bool = False
    gate_approvals: int = Field(default=1, exclude_if=lambda count: count == 1)
    judge_policy: JudgePolicy | None = None
    keeps_asking: bool = Field(default=False, exclude_if=lambda keeps: not keeps)
    conflict: ConflictWork | None = None
    composed: Snapshot | None = Field(default=None, exclude_if=lambda composed: composed is None)
    plan_approval: PlanApproval | None = None
    reviewer: str = ""
    reviewer_model: str | None = None
    code_reviewer: str = ""
    code_reviewer_model: str | None = None
    budget: Budget = Budget()
    learnings: tuple[Learning, ...] = ()


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
    """The verdict on an attempt; with `held` a person is asked, since a review was not made.

    Without steps nothing was verified: it passed, but nothing speaks for it.
    """

    kind: Literal["verification_ended"] = "verification_ended"
    attempt: int
    passed: bool
    held: str = ""
    has_steps: bool = True


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
    """Verified work waits for a person; the snapshot and `doubts` are what they are shown.

    One that `is_automatic` waits for nobody: it is approved by the next event. That of a candidate waits until
    one of several is chosen; a policy may choose it where it `passes`.
    """

    kind: Literal["gate_opened"] = "gate_opened"
    request: ApprovalRequest
    snapshot: Snapshot | None = None
    doubts: tuple[str, ...] = ()
    is_automatic: bool = False
    passes: bool = Field(default=False, exclude_if=lambda passes: not passes)


class GateWithdrawn(EventBody):
    """The work changed while it waited for approval; it is verified again first."""

    kind: Literal["gate_withdrawn"] = "gate_withdrawn"
    request_id: str


class GateDecided(EventBody):
    """A person, or the policy, decided at the gate."""

    kind: Literal["gate_decided"] = "gate_decided"
    outcome: Outcome


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
    | ReportReceived
    | VerificationStarted
    | VerificationStepEnded
    | VerificationEnded
    | VerificationChecked
    | GateOpened
    | GateWithdrawn
    | GateDecided
    | PortLeased
    | PortReleased
    | TaskAborted
    | TaskEnded
)
