"""How each event of a task's stream changes what is known of it."""

from domain.agents.agents import DoneReport, PromptName, SessionRole
from domain.agents.terminals import AllocatedPort
from domain.conversations.conversation import Conversation, message_of
from domain.conversations.events import MessageQueued
from domain.core.approvals import Choice
from domain.core.four_eyes import ApprovalGiven, with_given
from domain.tasks import events as task_events
from domain.tasks.learnings import LearningRecorded
from domain.tasks.registry import TASK_RULES
from domain.tasks.stages import Planning
from domain.tasks.state import Phase, TaskState
from domain.verification.side_by_side import in_order
from domain.verification.steps import VerificationAttempt


@TASK_RULES.evolves
def apply_task_opened(event: task_events.TaskOpened) -> TaskState:
    work, approval = event.conflict, event.plan_approval
    planning = None
    if approval is not None:
        planning = Planning(
            approval=approval, reviewer=event.reviewer, reviewer_model=event.reviewer_model
        )
    by_hand = DoneReport(summary="resolved by hand") if work and work.resolved else None
    if event.composed is not None:
        by_hand = DoneReport(summary="put together from the work of several candidates")
    worker = Conversation(
        session_id=event.session_id,
        role=SessionRole.TASK,
        agent=event.agent,
        model=event.model,
        turns=event.turns_before,
        turns_before=event.turns_before,
    )
    return TaskState(
        phase=Phase.PLANNING if approval else Phase.WORKING,
        planning=planning,
        conversations={worker.session_id: worker},
        next_prompt=PromptName.CONFLICT if work else PromptName.TASK,
        snapshot=work.resolved if work else event.composed,
        report=by_hand,
        task=event.task,
        run=event.run,
        session_id=event.session_id,
        branch=event.branch,
        max_retries=event.max_retries,
        is_gate_automatic=event.is_gate_automatic,
        gate_approvals=event.gate_approvals,
        judge_policy=event.judge_policy,
        keeps_asking=event.keeps_asking,
        code_reviewer=event.code_reviewer,
        code_reviewer_model=event.code_reviewer_model,
        budget=event.budget,
    )


@TASK_RULES.evolves
def apply_report_received(event: task_events.ReportReceived, state: TaskState) -> TaskState:
    return state.model_copy(update={"report": event.report, "is_blocked": event.is_blocked})


@TASK_RULES.evolves
def apply_verification_started(
    event: task_events.VerificationStarted, state: TaskState
) -> TaskState:
    attempt = VerificationAttempt(attempt=event.attempt, tree=event.tree)
    return state.model_copy(
        update={
            "phase": Phase.VERIFYING,
            "attempts": (*state.attempts, attempt),
            "nudges": 0,
            "doubts": (),
            "reviewing": None,
            "is_review_held": False,
        }
    )


@TASK_RULES.evolves
def apply_verification_step_ended(
    event: task_events.VerificationStepEnded, state: TaskState
) -> TaskState:
    *earlier, attempt = state.attempts
    results = in_order(state.steps, (*attempt.steps, event.result))
    attempt = attempt.model_copy(update={"steps": results})
    return state.model_copy(update={"attempts": (*earlier, attempt), "reviewing": None})


@TASK_RULES.evolves
def apply_verification_ended(event: task_events.VerificationEnded, state: TaskState) -> TaskState:
    *earlier, attempt = state.attempts
    attempt = attempt.model_copy(update={"is_finished": True, "held": event.held})
    changes: dict[str, object] = {"attempts": (*earlier, attempt)}
    if event.held:
        changes |= {
            "phase": Phase.WAITING,
            "resumes": Phase.WORKING,
            "reason": event.held,
            "is_review_held": True,
        }
    elif not event.passed:
        changes |= {
            "phase": Phase.WORKING,
            "next_prompt": PromptName.VERIFICATION_FAILED,
            "failed_in_a_row": state.failed_in_a_row + (not attempt.is_lost),
        }
    elif state.messages:
        changes |= {"phase": Phase.WORKING, "next_prompt": PromptName.MESSAGE, "failed_in_a_row": 0}
    return state.model_copy(update=changes)


@TASK_RULES.evolves
def apply_gate_opened(event: task_events.GateOpened, state: TaskState) -> TaskState:
    changes = {"phase": Phase.AT_GATE, "request": event.request, "doubts": event.doubts}
    return state.model_copy(update={**changes, "is_passing": event.passes})


@TASK_RULES.evolves(task_events.GateWithdrawn)
def apply_gate_withdrawn(state: TaskState) -> TaskState:
    # a candidate that policy may choose waits for the others, not for a person
    is_asked = state.keeps_asking and not state.is_passing
    is_automatic = state.is_gate_automatic and not is_asked
    return state.model_copy(update={"request": None, "is_gate_automatic": is_automatic})


@TASK_RULES.evolves
def apply_approval_given(event: ApprovalGiven, state: TaskState) -> TaskState:
    return state.model_copy(update={"given": with_given(state.given, event)})


@TASK_RULES.evolves
def apply_gate_decided(event: task_events.GateDecided, state: TaskState) -> TaskState:
    outcome = event.outcome
    changes: dict[str, object] = {
        "request": None,
        "outcomes": {**state.outcomes, outcome.request_id: outcome},
    }
    if outcome.choice is Choice.REJECT:
        changes |= {
            "phase": Phase.WORKING,
            "next_prompt": PromptName.GATE_REJECTED,
            "failed_in_a_row": 0,
            "reason": outcome.full_feedback,
            "reviewed": state.snapshot.commit if state.snapshot else None,
        }
    return state.model_copy(update=changes)


@TASK_RULES.evolves
def apply_message_queued(event: MessageQueued, state: TaskState) -> TaskState:
    message = message_of(event)
    chat = state.conversation_of(event.session_id)
    if chat is not None and chat.role is SessionRole.CHAT:
        own = chat.model_copy(update={"messages": (*chat.messages, message)})
        return state.with_conversation(own)
    changes: dict[str, object] = {"messages": (*state.messages, message)}
    if state.phase is Phase.WAITING:
        changes |= {"phase": state.resumes, "is_review_held": False}
        if state.resumes is Phase.WORKING:
            changes |= {"next_prompt": PromptName.MESSAGE}
        elif state.planning is not None:
            planning = state.planning.model_copy(update={"next_prompt": PromptName.MESSAGE})
            changes |= {"planning": planning}
    return state.model_copy(update=changes)


@TASK_RULES.evolves
def apply_port_leased(event: task_events.PortLeased, state: TaskState) -> TaskState:
    described = {port.id: port.description for port in state.task.ports} if state.task else {}
    allocated = AllocatedPort(
        id=event.port_id,
        port=event.number,
        description=described.get(event.port_id, ""),
        allocated_at=event.at,
    )
    changes = {
        "ports": {**state.ports, event.port_id: event.number},
        "allocated": {**state.allocated, event.port_id: allocated},
    }
    return state.model_copy(update=changes)


@TASK_RULES.evolves
def apply_port_released(event: task_events.PortReleased, state: TaskState) -> TaskState:
    ports = {port: number for port, number in state.ports.items() if port != event.port_id}
    given = state.allocated[event.port_id].model_copy(update={"status": "released"})
    changes = {"ports": ports, "allocated": {**state.allocated, event.port_id: given}}
    return state.model_copy(update=changes)


@TASK_RULES.evolves
def apply_learning_recorded(event: LearningRecorded, state: TaskState) -> TaskState:
    return state.model_copy(update={"learned": (*state.learned, event.learning)})


@TASK_RULES.evolves
def apply_task_ended(event: task_events.TaskEnded, state: TaskState) -> TaskState:
    return state.model_copy(
        update={
            "phase": Phase.ENDED,
            "end": event.end,
            "reason": event.reason,
            "request": None,
            "turn": None,
            "cut_short": state.turn,
            "is_review_held": False,
        }
    )
