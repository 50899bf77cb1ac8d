"""What is known of a task's run, and how each event changes it."""

from enum import StrEnum
from functools import singledispatch

from domain.agents import DoneReport, PromptName, StopReason
from domain.approvals import ApprovalRequest, Choice, Outcome, without_feedback
from domain.events import EventBody
from domain.events import task as happened
from domain.ids import SessionId, TurnId
from domain.plans import PlannedTask
from domain.verification import VerificationAttempt, VerificationStep
from domain.wire import Wire
from domain.workspaces import Snapshot

MAX_NUDGES = 2


class Phase(StrEnum):
    """Where a run stands; WAITING is for a person's message."""

    NEW = "new"
    WORKING = "working"
    WAITING = "waiting"
    VERIFYING = "verifying"
    AT_GATE = "at_gate"
    ENDED = "ended"


class Message(Wire):
    """A person's message that waits for the next turn."""

    message_id: str
    text: str


class TaskState(Wire):
    """One run of a task. `cue` names the prompt of the next turn."""

    phase: Phase = Phase.NEW
    task: PlannedTask | None = None
    run: int = 1
    session_id: SessionId = SessionId("")
    agent: str = ""
    branch: str | None = None
    max_retries: int = 3
    is_gate_automatic: bool = False
    cue: PromptName = PromptName.TASK
    turns: int = 0
    running_turn: TurnId | None = None
    is_stop_requested: bool = False
    agent_session: str | None = None
    nudges: int = 0
    report: DoneReport | None = None
    is_blocked: bool = False
    snapshot: Snapshot | None = None
    attempts: tuple[VerificationAttempt, ...] = ()
    failed_in_a_row: int = 0
    request: ApprovalRequest | None = None
    outcomes: dict[str, Outcome] = {}
    messages: tuple[Message, ...] = ()
    seen_messages: tuple[str, ...] = ()
    ports: dict[str, int] = {}
    end: happened.TaskEnd | None = None
    reason: str = ""
    work_ms: int = 0

    @property
    def attempt(self) -> VerificationAttempt | None:
        """The newest verification attempt."""
        return self.attempts[-1] if self.attempts else None

    @property
    def steps(self) -> tuple[VerificationStep, ...]:
        """The task's verification steps, in order."""
        return self.task.verification if self.task else ()

    def without_old_texts(self) -> "TaskState":
        """Return what the next run of the workflow needs: the outputs of the newest attempt only.

        The journal has the others, and the feedback of rejections; many would outgrow a payload.
        """
        earlier = (attempt.without_outputs() for attempt in self.attempts[:-1])
        return self.model_copy(
            update={
                "attempts": (*earlier, *self.attempts[-1:]),
                "outcomes": without_feedback(self.outcomes),
            }
        )

    @property
    def waiting_for(self) -> str:
        """What a person is asked, in a phrase; empty when nothing is."""
        if self.phase is Phase.AT_GATE:
            return "approval of the verified change"
        if self.phase is Phase.WAITING:
            return f"a message: {self.reason}"
        return ""


def evolve(state: TaskState, event: EventBody) -> TaskState:
    """Fold one event into a state; events of other streams change nothing."""
    return _evolve(event, state)


@singledispatch
def _evolve(event: EventBody, state: TaskState) -> TaskState:
    del event
    return state


@_evolve.register
def _(event: happened.TaskOpened, state: TaskState) -> TaskState:
    del state
    return TaskState(
        phase=Phase.WORKING,
        task=event.task,
        run=event.run,
        session_id=event.session_id,
        agent=event.agent,
        branch=event.branch,
        max_retries=event.max_retries,
        is_gate_automatic=event.is_gate_automatic,
    )


@_evolve.register
def _(event: happened.TaskTurnStarted, state: TaskState) -> TaskState:
    is_message = state.cue is PromptName.MESSAGE
    return state.model_copy(
        update={
            "turns": event.number,
            "running_turn": event.turn_id,
            "is_stop_requested": False,
            "report": None,
            "is_blocked": False,
            "reason": "",
            "messages": () if is_message else state.messages,
        }
    )


@_evolve.register
def _(event: happened.ReportReceived, state: TaskState) -> TaskState:
    return state.model_copy(update={"report": event.report, "is_blocked": event.is_blocked})


@_evolve.register
def _(event: happened.TaskStopRequested, state: TaskState) -> TaskState:
    del event
    return state.model_copy(update={"is_stop_requested": True})


@_evolve.register
def _(event: happened.TaskTurnEnded, state: TaskState) -> TaskState:
    changes = {
        "running_turn": None,
        "is_stop_requested": False,
        "agent_session": event.agent_session or state.agent_session,
        "snapshot": event.snapshot or state.snapshot,
        "work_ms": state.work_ms + event.duration_ms,
    }
    if state.messages:
        changes |= {"cue": PromptName.MESSAGE}
    elif event.stop_reason == StopReason.CANCELLED:
        changes |= {"phase": Phase.WAITING, "reason": "the turn was stopped"}
    elif state.is_blocked and state.report is not None:
        changes |= {"phase": Phase.WAITING, "reason": state.report.summary}
    elif state.report is None:
        changes |= {"cue": PromptName.REPORT_MISSING, "nudges": state.nudges + 1}
    return state.model_copy(update=changes)


@_evolve.register
def _(event: happened.VerificationStarted, state: TaskState) -> TaskState:
    attempt = VerificationAttempt(attempt=event.attempt, tree=event.tree)
    return state.model_copy(
        update={"phase": Phase.VERIFYING, "attempts": (*state.attempts, attempt), "nudges": 0}
    )


@_evolve.register
def _(event: happened.VerificationStepEnded, state: TaskState) -> TaskState:
    *earlier, attempt = state.attempts
    attempt = attempt.model_copy(update={"steps": (*attempt.steps, event.result)})
    return state.model_copy(update={"attempts": (*earlier, attempt)})


@_evolve.register
def _(event: happened.VerificationEnded, state: TaskState) -> TaskState:
    *earlier, attempt = state.attempts
    attempt = attempt.model_copy(update={"is_finished": True})
    changes: dict[str, object] = {"attempts": (*earlier, attempt)}
    if not event.passed:
        changes |= {
            "phase": Phase.WORKING,
            "cue": PromptName.VERIFICATION_FAILED,
            "failed_in_a_row": state.failed_in_a_row + 1,
        }
    elif state.messages:
        changes |= {"phase": Phase.WORKING, "cue": PromptName.MESSAGE, "failed_in_a_row": 0}
    return state.model_copy(update=changes)


@_evolve.register
def _(event: happened.GateOpened, state: TaskState) -> TaskState:
    return state.model_copy(update={"phase": Phase.AT_GATE, "request": event.request})


@_evolve.register
def _(event: happened.GateDecided, state: TaskState) -> TaskState:
    outcome = event.outcome
    changes: dict[str, object] = {
        "request": None,
        "outcomes": {**state.outcomes, outcome.request_id: outcome},
    }
    if outcome.choice is Choice.REJECT:
        changes |= {
            "phase": Phase.WORKING,
            "cue": PromptName.GATE_REJECTED,
            "failed_in_a_row": 0,
            "reason": outcome.feedback,
        }
    return state.model_copy(update=changes)


@_evolve.register
def _(event: happened.TaskMessageQueued, state: TaskState) -> TaskState:
    message = Message(message_id=event.message_id, text=event.text)
    changes: dict[str, object] = {
        "messages": (*state.messages, message),
        "seen_messages": (*state.seen_messages, event.message_id),
    }
    if state.phase is Phase.WAITING:
        changes |= {"phase": Phase.WORKING, "cue": PromptName.MESSAGE}
    return state.model_copy(update=changes)


@_evolve.register
def _(event: happened.PortLeased, state: TaskState) -> TaskState:
    return state.model_copy(update={"ports": {**state.ports, event.port_id: event.number}})


@_evolve.register
def _(event: happened.TaskEnded, state: TaskState) -> TaskState:
    return state.model_copy(
        update={
            "phase": Phase.ENDED,
            "end": event.end,
            "reason": event.reason,
            "request": None,
            "running_turn": None,
        }
    )
