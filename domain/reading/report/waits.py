"""What waits in a stream, and which events end it."""

from datetime import datetime

from domain.agents.limits.money import HOLDS
from domain.conversations import events as session_events
from domain.conversations.questions import events as question_events
from domain.conversations.questions.question import QuestionKind
from domain.core.approvals import Decider, Outcome
from domain.reading.report.causes import WaitCause
from domain.reading.report.state import StreamState, counts
from domain.tasks import events as task_events
from domain.tasks import plan_events
from domain.tasks.running_commands import ConflictChoice
from domain.threads import events as thread_events
from domain.threads.amending import events as amending_events
from domain.threads.children import events as child_events
from domain.threads.merging import events as merging_events
from domain.threads.planning import events as planning_events
from domain.threads.running import decision_events

_ASKED = {
    thread_events.PlanProposed: WaitCause.PLAN,
    planning_events.PlanningSuggested: WaitCause.SUGGESTION,
    amending_events.AmendmentProposed: WaitCause.AMENDMENT,
    task_events.GateOpened: WaitCause.GATE,
    plan_events.TaskPlanAsked: WaitCause.TASK_PLAN,
}
_QUESTIONS = {
    QuestionKind.PERMISSION: WaitCause.PERMISSION,
    QuestionKind.DECISION: WaitCause.DECISION,
}


# --- requests for approval


@counts(*_ASKED)
def _request(
    state: StreamState,
    event: thread_events.PlanProposed
    | planning_events.PlanningSuggested
    | amending_events.AmendmentProposed
    | task_events.GateOpened
    | plan_events.TaskPlanAsked,
    at: datetime,
) -> None:
    state.begin(event.request.request_id, _ASKED[type(event)], at)


@counts(
    thread_events.PlanDecided,
    planning_events.SuggestionDecided,
    amending_events.AmendmentDecided,
    task_events.GateDecided,
    plan_events.TaskPlanDecided,
)
def _decided(
    state: StreamState,
    event: thread_events.PlanDecided
    | planning_events.SuggestionDecided
    | amending_events.AmendmentDecided
    | task_events.GateDecided
    | plan_events.TaskPlanDecided,
    at: datetime,
) -> None:
    outcome: Outcome = event.outcome
    if outcome.decider is Decider.PERSON:
        state.end(outcome.request_id, at)
    else:
        state.waits.pop(outcome.request_id, None)  # nobody was asked


@counts(planning_events.PlanSuperseded, amending_events.AmendmentClosed, task_events.GateWithdrawn)
def _not_asked_any_more(
    state: StreamState,
    event: planning_events.PlanSuperseded
    | amending_events.AmendmentClosed
    | task_events.GateWithdrawn,
    at: datetime,
) -> None:
    state.end(event.request_id, at)


@counts(amending_events.AmendmentProposed)
def _replaces(state: StreamState, event: amending_events.AmendmentProposed, at: datetime) -> None:
    for request in event.replaces:
        state.end(request, at)


# --- decisions, questions of agents, reviews that were not made


@counts(decision_events.DecisionAsked)
def _decision_asked(state: StreamState, event: decision_events.DecisionAsked, at: datetime) -> None:
    state.begin(f"decision {event.decision_id}", WaitCause.DECISION, at)


@counts(decision_events.DecisionMade)
def _decision_made(state: StreamState, event: decision_events.DecisionMade, at: datetime) -> None:
    state.end(f"decision {event.decision_id}", at)


@counts(question_events.QuestionAsked)
def _question_asked(state: StreamState, event: question_events.QuestionAsked, at: datetime) -> None:
    asked = event.question
    state.begin(f"question {asked.question_id}", _QUESTIONS[asked.kind], at)


@counts(question_events.QuestionAnswered, question_events.QuestionWithdrawn)
def _question_over(
    state: StreamState,
    event: question_events.QuestionAnswered | question_events.QuestionWithdrawn,
    at: datetime,
) -> None:
    state.end(f"question {event.question_id}", at)


@counts(task_events.VerificationEnded)
def _review_missing(state: StreamState, event: task_events.VerificationEnded, at: datetime) -> None:
    if event.held:
        state.begin("review", WaitCause.REVIEW, at)


@counts(task_events.VerificationStarted, session_events.TurnStarted, task_events.GateOpened)
def _goes_on(state: StreamState, event: object, at: datetime) -> None:
    del event
    state.end("review", at)


# --- conflicts


@counts(merging_events.ConflictFound)
def _conflict_found(state: StreamState, event: merging_events.ConflictFound, at: datetime) -> None:
    state.begin(f"conflict {event.conflict.subject}", WaitCause.CONFLICT, at)


@counts(merging_events.ConflictAnswered)
def _conflict_answered(
    state: StreamState, event: merging_events.ConflictAnswered, at: datetime
) -> None:
    if event.how not in {ConflictChoice.BY_HAND, ConflictChoice.DONE}:
        state.end(f"conflict {event.subject}", at)


@counts(merging_events.ResolutionProposed)
def _resolution_proposed(
    state: StreamState, event: merging_events.ResolutionProposed, at: datetime
) -> None:
    state.begin(f"conflict {event.subject}", WaitCause.CONFLICT, at)


@counts(merging_events.ConflictUnresolved)
def _unresolved(state: StreamState, event: merging_events.ConflictUnresolved, at: datetime) -> None:
    if event.session_id:
        state.begin(f"conflict {event.subject}", WaitCause.CONFLICT, at)


@counts(merging_events.ConflictResolved, merging_events.ConflictDropped)
def _conflict_over(
    state: StreamState,
    event: merging_events.ConflictResolved | merging_events.ConflictDropped,
    at: datetime,
) -> None:
    state.end(f"conflict {event.subject}", at)


# --- limits of providers


@counts(session_events.TurnDelayed)
def _delayed(state: StreamState, event: session_events.TurnDelayed, at: datetime) -> None:
    is_money = event.provider in HOLDS
    cause = WaitCause.MONEY if is_money else WaitCause.RATE_LIMIT
    state.begin(f"limit {event.turn_id}", cause, at)
    state.book.at(at).repeats["provider_refusals"] += not is_money


@counts(session_events.TurnResumed, session_events.TurnEnded, session_events.AgentSwitched)
def _no_delay(state: StreamState, event: object, at: datetime) -> None:
    """End the wait for a provider: a stream has one running turn, another agent does not wait."""
    del event
    state.end_all(at, WaitCause.RATE_LIMIT, WaitCause.MONEY)


# --- ends of several


@counts(thread_events.PlanRequested, planning_events.PlanningCancelled, child_events.ChildStopped)
def _plans_dropped(state: StreamState, event: object, at: datetime) -> None:
    """End the waits for proposals: planning begins anew, or is over."""
    del event
    state.end_all(at, WaitCause.PLAN, WaitCause.SUGGESTION)


@counts(thread_events.PlanCompleted)
def _plan_over(state: StreamState, event: thread_events.PlanCompleted, at: datetime) -> None:
    del event
    state.end_all(at, WaitCause.AMENDMENT, WaitCause.DECISION, WaitCause.CONFLICT)


@counts(task_events.TaskEnded, session_events.ConversationClosed)
def _over(state: StreamState, event: object, at: datetime) -> None:
    del event
    state.end_all(at)
