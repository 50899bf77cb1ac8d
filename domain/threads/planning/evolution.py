"""How the events of planning change a thread."""

from domain.core.approvals import ApprovalRequest, Choice, Subject
from domain.core.ids import SessionId
from domain.threads import events as thread_events
from domain.threads.autonomy import inherited
from domain.threads.evolution import without_request
from domain.threads.patches import PLANNING_AGAIN
from domain.threads.planning import events as planning_events
from domain.threads.planning.state import Critique, Planner, Planning, ProposedPlan, Suggestion
from domain.threads.registry import THREAD_RULES
from domain.threads.state import ThreadState

MAX_REFUSAL = 400
"""Characters of a refusal that a thread carries along; its event has them all."""

_OF_PLANNING = frozenset({Subject.PLAN, Subject.SUGGESTION})


def _with(state: ThreadState, planning: Planning, **more: object) -> ThreadState:
    return state.model_copy(update={"planning": planning, **more})


@THREAD_RULES.evolves
def apply_plan_requested(event: thread_events.PlanRequested, state: ThreadState) -> ThreadState:
    planning = state.planning.model_copy(
        update={"planners": {event.session_id: Planner()}, "critics": {}, "suggestion": None}
    )
    others = {n: r for n, r in state.requests.items() if r.subject not in _OF_PLANNING}
    title = state.first_title or _title_to_keep(event, state)
    return _with(state, planning, goal=event.goal, requests=others, first_title=title)


def _title_to_keep(event: thread_events.PlanRequested, state: ThreadState) -> str:
    """Return what the thread was called where it is planned again, for another goal."""
    is_again = bool(state.plans or state.planning.planners) and event.goal != state.goal
    return state.goal if is_again and state.has_patch(PLANNING_AGAIN) else ""


@THREAD_RULES.evolves
def apply_planner_added(event: planning_events.PlannerAdded, state: ThreadState) -> ThreadState:
    planners = {**state.planning.planners, event.session_id: Planner()}
    return _with(state, state.planning.model_copy(update={"planners": planners}))


@THREAD_RULES.evolves(planning_events.PlanningCancelled)
def apply_planning_cancelled(state: ThreadState) -> ThreadState:
    """End planning; a thread that never had a plan, and no chat to go on with, is cancelled."""
    planning = state.planning.model_copy(update={"planners": {}, "critics": {}, "suggestion": None})
    others = {n: r for n, r in state.requests.items() if r.subject not in _OF_PLANNING}
    has_chat = any(
        session.is_chat and not session.is_archived for session in state.sessions.values()
    )
    is_over = state.plan_status is thread_events.PlanStatus.IDLE and not has_chat
    status = thread_events.PlanStatus.CANCELLED if is_over else state.plan_status
    return _with(state, planning, requests=others, plan_status=status)


@THREAD_RULES.evolves
def apply_plan_proposed(event: thread_events.PlanProposed, state: ThreadState) -> ThreadState:
    fields = {name: getattr(event, name) for name in type(event).model_fields if name != "kind"}
    planning = state.planning.with_planner(
        event.session_id, nudges=0, failure="", refusal="", is_answered=not event.by
    )
    requests: dict[str, ApprovalRequest] = {
        **state.requests,
        event.request.request_id: event.request,
    }
    plans = (*state.plans, ProposedPlan.model_validate(fields))
    return _with(state, planning, plans=plans, requests=requests)


@THREAD_RULES.evolves
def apply_plan_refused(event: thread_events.PlanRefused, state: ThreadState) -> ThreadState:
    why = " ".join(event.problems.split())[:MAX_REFUSAL]
    return _with(state, state.planning.with_planner(event.session_id, refusal=why))


@THREAD_RULES.evolves
def apply_plan_superseded(event: planning_events.PlanSuperseded, state: ThreadState) -> ThreadState:
    plans = tuple(
        plan.model_copy(update={"superseded_by": event.by_revision})
        if plan.revision == event.revision
        else plan
        for plan in state.plans
    )
    requests = without_request(state, event.request_id)
    return state.model_copy(update={"plans": plans, "requests": requests})


@THREAD_RULES.evolves
def apply_planner_nudged(event: planning_events.PlannerNudged, state: ThreadState) -> ThreadState:
    planner = state.planning.planners.get(event.session_id, Planner())
    return _with(state, state.planning.with_planner(event.session_id, nudges=planner.nudges + 1))


@THREAD_RULES.evolves
def apply_planning_failed(event: thread_events.PlanningFailed, state: ThreadState) -> ThreadState:
    return _with(state, state.planning.with_planner(event.session_id, failure=event.reason))


@THREAD_RULES.evolves
def apply_plan_decided(event: thread_events.PlanDecided, state: ThreadState) -> ThreadState:
    outcome = event.outcome
    is_approved = outcome.choice is Choice.APPROVE
    return state.model_copy(
        update={
            "requests": without_request(state, outcome.request_id),
            "outcomes": {**state.outcomes, outcome.request_id: outcome},
            "approved": event.revision if is_approved else state.approved,
            "autonomy": outcome.autonomy or inherited(state.opened)
            if is_approved
            else state.autonomy,
        }
    )


@THREAD_RULES.evolves
def apply_planning_suggested(
    event: planning_events.PlanningSuggested, state: ThreadState
) -> ThreadState:
    suggestion = Suggestion(session_id=event.session_id, goal=event.goal, request=event.request)
    planning = state.planning.model_copy(
        update={"suggestion": suggestion, "suggested": state.planning.suggested + 1}
    )
    requests = {**state.requests, event.request.request_id: event.request}
    return _with(state, planning, requests=requests)


@THREAD_RULES.evolves
def apply_suggestion_decided(
    event: planning_events.SuggestionDecided, state: ThreadState
) -> ThreadState:
    outcome = event.outcome
    return _with(
        state,
        state.planning.model_copy(update={"suggestion": None}),
        requests=without_request(state, outcome.request_id),
        outcomes={**state.outcomes, outcome.request_id: outcome},
    )


@THREAD_RULES.evolves
def apply_critique_requested(
    event: planning_events.CritiqueRequested, state: ThreadState
) -> ThreadState:
    critics = {**state.planning.critics, event.session_id: event.revision}
    after = _with(state, state.planning.model_copy(update={"critics": critics}))
    return _criticised(after, event.revision, Critique(session_id=event.session_id))


@THREAD_RULES.evolves
def apply_plan_critiqued(event: planning_events.PlanCritiqued, state: ThreadState) -> ThreadState:
    critique = Critique(
        session_id=event.session_id, turn=event.turn, text=event.text, failure=event.failure
    )
    return _criticised(state, event.revision, critique)


def _criticised(state: ThreadState, revision: int, critique: Critique) -> ThreadState:
    plans = tuple(
        plan.with_critique(critique) if plan.revision == revision else plan for plan in state.plans
    )
    return state.model_copy(update={"plans": plans})


@THREAD_RULES.evolves
def apply_planner_wrote(event: planning_events.PlannerWrote, state: ThreadState) -> ThreadState:
    flagged: dict[SessionId, int] = {**state.planning.flagged, event.session_id: event.turn}
    return _with(state, state.planning.model_copy(update={"flagged": flagged}))
