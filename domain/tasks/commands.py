"""What the task's own workflow tells its rules; what people and agents ask is in the modules *_commands."""

from datetime import datetime

from domain.agents.limits.budgets import Budget
from domain.core.approvals import Outcome
from domain.core.ids import RequestId, SessionId
from domain.core.wire import Wire
from domain.core.workspaces import Snapshot
from domain.plans.plan import PlannedTask
from domain.plans.templates.template import PlanApproval
from domain.tasks.conflicts import ConflictWork
from domain.tasks.learnings import Learning
from domain.verification.judges.policy import JudgePolicy
from domain.verification.steps import StepResult


class OpenTask(Wire):
    """Begin a run."""

    task: PlannedTask
    run: int
    session_id: SessionId
    turns_before: int = 0
    agent: str
    model: str | None = None
    branch: str | None
    max_retries: int
    is_gate_automatic: bool
    gate_approvals: int = 1
    judge_policy: JudgePolicy | None = None
    keeps_asking: bool = False
    conflict: ConflictWork | None = None
    composed: Snapshot | None = None
    plan_approval: PlanApproval | None = None
    reviewer: str = ""
    reviewer_model: str | None = None
    code_reviewer: str = ""
    code_reviewer_model: str | None = None
    budget: Budget = Budget()
    learnings: tuple[Learning, ...] = ()


class EndStep(Wire):
    """A verification step gave its result."""

    attempt: int
    result: StepResult


class DecideCandidate(Wire):
    """The thread tells a candidate what was decided of its work, at the gate that was shown."""

    request_id: RequestId
    content_hash: str
    outcome: Outcome


class LeaveHost(Wire):
    """The run goes on at another host: its ports and terminals are void."""


class GrantPort(Wire):
    """A declared port has its number."""

    port_id: str
    number: int
    at: datetime | None = None
