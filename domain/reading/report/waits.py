"""What waits in a stream, and which events end it."""

from datetime import datetime

from domain.conversations import events as session
from domain.conversations.questions import events as questions
from domain.conversations.questions.question import QuestionKind
from domain.core.approvals import Decider, Outcome
from domain.reading.report.causes import WaitCause
from domain.reading.report.state import StreamState, counts
from domain.tasks import events as tasks
from domain.tasks import plan_events as task_plans
from domain.tasks.running_commands import ConflictChoice
from domain.threads import events as thread
from domain.threads.amending import events as amending
from domain.threads.children import events as child_threads
from domain.threads.merging import events as conflicts
from domain.threads.planning import events as planning
from domain.threads.running import decision_events as decisions

_ASKED = {
    thread.PlanProposed: WaitCause.PLAN,
    planning.PlanningSuggested: WaitCause.SUGGESTION,
    amending.AmendmentProposed: WaitCause.AMENDMENT,
    tasks.GateOpened: WaitCause.GATE,
    task_plans.TaskPlanAsked: WaitCause.TASK_PLAN,
}
_QUESTIONS = {
    QuestionKind.PERMISSION: WaitCause.PERMISSION,
    QuestionKind.DECISION: WaitCause.DECISION,
}


# --- requests for approval


@counts(*_ASKED)
def _request(
    state: StreamState,
    event: thread.PlanProposed
    | planning.PlanningSuggested
    | amending.AmendmentProposed
    | tasks.GateOpened
    | task_plans.TaskPlanAsked,
    at: datetime,
) -> None:
    state.begin(event.request.request_id, _ASKED[type(event)], at)


@counts(
    thread.PlanDecided,
    planning.SuggestionDecided,
    amending.AmendmentDecided,
    tasks.GateDecided,
    task_plans.TaskPlanDecided,
)
def _decided(
    state: StreamState,
    event: thread.PlanDecided
    | planning.SuggestionDecided
    | amending.AmendmentDecided
    | tasks.GateDecided
    | task_plans.TaskPlanDecided,
    at: datetime,
) -> None:
    outcome: Outcome = event.outcome
    if outcome.decider is Decider.PERSON:
        state.end(outcome.request_id, at)
    else:
        state.waits.pop(outcome.request_id, None)  # nobody was asked


@counts(planning.PlanSuperseded, amending.AmendmentClosed, tasks.GateWithdrawn)
def _not_asked_any_more(
    state: StreamState,
    event: planning.PlanSuperseded | amending.AmendmentClosed | tasks.GateWithdrawn,
    at: datetime,
) -> None:
    state.end(event.request_id, at)


@counts(amending.AmendmentProposed)
def _replaces(state: StreamState, event: amending.AmendmentProposed, at: datetime) -> None:
    for request in event.replaces:
        state.end(request, at)


# --- decisions, questions of agents, reviews that were not made


@counts(decisions.DecisionAsked)
def _decision_asked(state: StreamState, event: decisions.DecisionAsked, at: datetime) -> None:
    state.begin(f"decision {event.decision_id}", WaitCause.DECISION, at)


@counts(decisions.DecisionMade)
def _decision_made(state: StreamState, event: decisions.DecisionMade, at: datetime) -> None:
    state.end(f"decision {event.decision_id}", at)


@counts(questions.QuestionAsked)
def _question_asked(state: StreamState, event: questions.QuestionAsked, at: datetime) -> None:
    asked = event.question
    state.begin(f"question {asked.question_id}", _QUESTIONS[asked.kind], at)


@counts(questions.QuestionAnswered, questions.QuestionWithdrawn)
def _question_over(
    state: StreamState,
    event: questions.QuestionAnswered | questions.QuestionWithdrawn,
    at: datetime,
) -> None:
    state.end(f"question {event.question_id}", at)


@counts(tasks.VerificationEnded)
def _review_missing(state: StreamState, event: tasks.VerificationEnded, at: datetime) -> None:
    if event.held:
        state.begin("review", WaitCause.REVIEW, at)


@counts(tasks.VerificationStarted, session.TurnStarted, tasks.GateOpened)
def _goes_on(state: StreamState, event: object, at: datetime) -> None:
    del event
    state.end("review", at)


# --- conflicts


@counts(conflicts.ConflictFound)
def _conflict_found(state: StreamState, event: conflicts.ConflictFound, at: datetime) -> None:
    state.begin(f"conflict {event.conflict.task_id}", WaitCause.CONFLICT, at)


@counts(conflicts.ConflictAnswered)
def _conflict_answered(state: StreamState, event: conflicts.ConflictAnswered, at: datetime) -> None:
    if event.how not in {ConflictChoice.BY_HAND, ConflictChoice.DONE}:
        state.end(f"conflict {event.task_id}", at)


@counts(conflicts.ConflictResolved, conflicts.ConflictDropped)
def _conflict_over(
    state: StreamState, event: conflicts.ConflictResolved | conflicts.ConflictDropped, at: datetime
) -> None:
    state.end(f"conflict {event.task_id}", at)


# --- limits of providers


@counts(session.TurnDelayed)
def _delayed(state: StreamState, event: session.TurnDelayed, at: datetime) -> None:
    state.begin(f"limit {event.turn_id}", WaitCause.RATE_LIMIT, at)
    state.book.at(at).repeats["provider_refusals"] += 1


@counts(session.TurnResumed, session.TurnEnded, session.AgentSwitched)
def _no_delay(state: StreamState, event: object, at: datetime) -> None:
    """End the wait for a provider: a stream has one running turn, another agent does not wait."""
    del event
    state.end_all(at, WaitCause.RATE_LIMIT)


# --- ends of several


@counts(thread.PlanRequested, planning.PlanningCancelled, child_threads.ChildStopped)
def _plans_dropped(state: StreamState, event: object, at: datetime) -> None:
    """End the waits for proposals: planning begins anew, or is over."""
    del event
    state.end_all(at, WaitCause.PLAN, WaitCause.SUGGESTION)


@counts(thread.PlanCompleted)
def _plan_over(state: StreamState, event: thread.PlanCompleted, at: datetime) -> None:
    del event
    state.end_all(at, WaitCause.AMENDMENT, WaitCause.DECISION, WaitCause.CONFLICT)


@counts(tasks.TaskEnded, session.ConversationClosed)
def _over(state: StreamState, event: object, at: datetime) -> None:
    del event
    state.end_all(at)
