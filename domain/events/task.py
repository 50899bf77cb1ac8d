"""Events of a task's stream."""

from enum import StrEnum
from typing import Literal

from domain.agents import DoneReport
from domain.approvals import ApprovalRequest, Outcome
from domain.ids import SessionId, TurnId
from domain.plans import PlannedTask
from domain.verification import StepResult
from domain.wire import Wire
from domain.workspaces import Snapshot


class TaskEnd(StrEnum):
    """How a run of a task ended; `accepted` work is merged by its thread."""

    ACCEPTED = "accepted"
    FAILED = "failed"
    CANCELLED = "cancelled"


class TaskOpened(Wire):
    """A run of a task began; retries are runs 2, 3 … with a session of their own."""

    kind: Literal["task_opened"] = "task_opened"
    task: PlannedTask
    run: int
    session_id: SessionId
    agent: str
    model: str | None = None
    branch: str | None
    max_retries: int
    is_gate_automatic: bool = False


class TaskTurnStarted(Wire):
    """The task's agent works; what it says is in the session's stream."""

    kind: Literal["task_turn_started"] = "task_turn_started"
    turn_id: TurnId
    number: int
    attempt: int
    prompt_name: str


class TaskTurnEnded(Wire):
    """The agent's turn is over."""

    kind: Literal["task_turn_ended"] = "task_turn_ended"
    turn_id: TurnId
    stop_reason: str
    agent_session: str | None = None
    failure: str | None = None
    snapshot: Snapshot | None = None
    duration_ms: int = 0


class ReportReceived(Wire):
    """The agent reported done, or that it is blocked."""

    kind: Literal["report_received"] = "report_received"
    report: DoneReport
    is_blocked: bool = False


class VerificationStarted(Wire):
    """An attempt is being verified, on this tree."""

    kind: Literal["verification_started"] = "verification_started"
    attempt: int
    tree: str | None = None


class VerificationStepEnded(Wire):
    """One step ran."""

    kind: Literal["verification_step_ended"] = "verification_step_ended"
    attempt: int
    result: StepResult


class VerificationEnded(Wire):
    """The verdict on an attempt."""

    kind: Literal["verification_ended"] = "verification_ended"
    attempt: int
    passed: bool


class GateOpened(Wire):
    """Verified work waits for a person; the snapshot is what they are shown."""

    kind: Literal["gate_opened"] = "gate_opened"
    request: ApprovalRequest
    snapshot: Snapshot | None = None


class GateDecided(Wire):
    """A person, or the policy, decided at the gate."""

    kind: Literal["gate_decided"] = "gate_decided"
    outcome: Outcome


class TaskMessageQueued(Wire):
    """A person's message to the task's agent waits for the next turn."""

    kind: Literal["task_message_queued"] = "task_message_queued"
    message_id: str
    text: str
    by: str = ""


class TaskStopRequested(Wire):
    """A person stopped the running turn; the task then waits for a message."""

    kind: Literal["task_stop_requested"] = "task_stop_requested"
    turn_id: TurnId
    by: str = ""


class PortLeased(Wire):
    """The agent asked for a declared port and got a number."""

    kind: Literal["port_leased"] = "port_leased"
    port_id: str
    number: int


class TaskAborted(Wire):
    """A person aborted the task."""

    kind: Literal["task_aborted"] = "task_aborted"
    by: str = ""


class TaskEnded(Wire):
    """The run of the task is over."""

    kind: Literal["task_ended"] = "task_ended"
    end: TaskEnd
    reason: str = ""


TaskEvent = (
    TaskOpened
    | TaskTurnStarted
    | TaskTurnEnded
    | ReportReceived
    | VerificationStarted
    | VerificationStepEnded
    | VerificationEnded
    | GateOpened
    | GateDecided
    | TaskMessageQueued
    | TaskStopRequested
    | PortLeased
    | TaskAborted
    | TaskEnded
)
