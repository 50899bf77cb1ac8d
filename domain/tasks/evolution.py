"""How each event of a task's stream changes what is known of it."""

from domain.agents.agents import DoneReport, PromptName, SessionRole
from domain.agents.terminals import AllocatedPort
from domain.conversations import conversation as conversations
from domain.conversations.conversation import Conversation, message_of
from domain.conversations.events import MessageQueued, MessageWithdrawn
from domain.conversations.messages import with_withdrawn
from domain.conversations.questions.state import folded
from domain.core.approvals import Choice
from domain.core.event import EventBody
from domain.tasks import events as task_events
from domain.tasks import planning_evolution, review_evolution, terminals, turn_evolution
from domain.tasks.dispatch import evolves, fold
from domain.tasks.learnings import LearningRecorded
from domain.tasks.state import Phase, Planning, TaskState
from domain.verification.steps import VerificationAttempt

MODULES = (planning_evolution, review_evolution, terminals, turn_evolution)
"""The others that register what their events change."""


def evolve(state: TaskState, event: EventBody) -> TaskState:
    """Return a run after one event; events of other streams change nothing."""
    state = fold(event, state)
    questions = folded(state.questions, event)
    if questions is state.questions:
        return state
    return state.model_copy(update={"questions": questions})


@evolves
def _apply_task_opened(event: task_events.TaskOpened, state: TaskState) -> TaskState:
    del state
    work, approval = event.conflict, event.plan_approval
    planning = None
    if approval is not None:
        planning = Planning(
            approval=approval, reviewer=event.reviewer, reviewer_model=event.reviewer_model
        )
    by_hand = DoneReport(summary="resolved by hand") if work and work.resolved else None
    worker = Conversation(
        session_id=event.session_id,
        role=SessionRole.TASK,
        agent=event.agent,
        model=event.model,
    )
    return TaskState(
        phase=Phase.PLANNING if approval else Phase.WORKING,
        planning=planning,
        conversations={worker.session_id: worker},
        next_prompt=PromptName.CONFLICT if work else PromptName.TASK,
        snapshot=work.resolved if work else None,
        report=by_hand,
        task=event.task,
        run=event.run,
        session_id=event.session_id,
        branch=event.branch,
        max_retries=event.max_retries,
        is_gate_automatic=event.is_gate_automatic,
        judge_policy=event.judge_policy,
        code_reviewer=event.code_reviewer,
        code_reviewer_model=event.code_reviewer_model,
        budget=event.budget,
    )


@evolves
def _apply_report_received(event: task_events.ReportReceived, state: TaskState) -> TaskState:
    return state.model_copy(update={"report": event.report, "is_blocked": event.is_blocked})


@evolves
def _apply_verification_started(
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


@evolves
def _apply_verification_step_ended(
    event: task_events.VerificationStepEnded, state: TaskState
) -> TaskState:
    *earlier, attempt = state.attempts
    attempt = attempt.model_copy(update={"steps": (*attempt.steps, event.result)})
    return state.model_copy(update={"attempts": (*earlier, attempt), "reviewing": None})


@evolves
def _apply_verification_ended(event: task_events.VerificationEnded, state: TaskState) -> TaskState:
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
            "failed_in_a_row": state.failed_in_a_row + 1,
        }
    elif state.messages:
        changes |= {"phase": Phase.WORKING, "next_prompt": PromptName.MESSAGE, "failed_in_a_row": 0}
    return state.model_copy(update=changes)


@evolves
def _apply_gate_opened(event: task_events.GateOpened, state: TaskState) -> TaskState:
    changes = {"phase": Phase.AT_GATE, "request": event.request, "doubts": event.doubts}
    return state.model_copy(update=changes)


@evolves
def _apply_gate_withdrawn(event: task_events.GateWithdrawn, state: TaskState) -> TaskState:
    del event
    return state.model_copy(update={"request": None})


@evolves
def _apply_gate_decided(event: task_events.GateDecided, state: TaskState) -> TaskState:
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


@evolves
def _apply_message_queued(event: MessageQueued, state: TaskState) -> TaskState:
    message = message_of(event)
    changes: dict[str, object] = {"seen_messages": (*state.seen_messages, event.message_id)}
    chat = state.conversations.get(event.session_id)
    if chat is not None and chat.role is SessionRole.CHAT:
        own = chat.model_copy(update={"messages": (*chat.messages, message)})
        changes["conversations"] = {**state.conversations, own.session_id: own}
        return state.model_copy(update=changes)
    changes["messages"] = (*state.messages, message)
    if state.phase is Phase.WAITING:
        changes |= {"phase": state.resumes, "is_review_held": False}
        if state.resumes is Phase.WORKING:
            changes |= {"next_prompt": PromptName.MESSAGE}
        elif state.planning is not None:
            planning = state.planning.model_copy(update={"next_prompt": PromptName.MESSAGE})
            changes |= {"planning": planning}
    return state.model_copy(update=changes)


@evolves
def _apply_message_withdrawn(event: MessageWithdrawn, state: TaskState) -> TaskState:
    left = {
        name: each.model_copy(update={"messages": conversations.without(each.messages, event)})
        for name, each in state.conversations.items()
    }
    return state.model_copy(
        update={
            "messages": conversations.without(state.messages, event),
            "conversations": left,
            "withdrawn": with_withdrawn(state.withdrawn, event.message_id),
        }
    )


@evolves
def _apply_port_leased(event: task_events.PortLeased, state: TaskState) -> TaskState:
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


@evolves
def _apply_port_released(event: task_events.PortReleased, state: TaskState) -> TaskState:
    ports = {port: number for port, number in state.ports.items() if port != event.port_id}
    given = state.allocated[event.port_id].model_copy(update={"status": "released"})
    changes = {"ports": ports, "allocated": {**state.allocated, event.port_id: given}}
    return state.model_copy(update=changes)


@evolves
def _apply_learning_recorded(event: LearningRecorded, state: TaskState) -> TaskState:
    return state.model_copy(update={"learned": (*state.learned, event.learning)})


@evolves
def _apply_task_ended(event: task_events.TaskEnded, state: TaskState) -> TaskState:
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
