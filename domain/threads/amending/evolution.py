"""How the events of amendments change a thread."""

from domain.core.approvals import ApprovalRequest
from domain.core.ids import RequestId, SessionId
from domain.plans.warnings import WarningKind
from domain.threads.amending import events as amending_events
from domain.threads.amending.state import (
    MAX_VERSIONS,
    AmendedVersion,
    Amending,
    LostAmendment,
    OpenAmendment,
)
from domain.threads.registry import THREAD_RULES
from domain.threads.running.candidates import with_candidates
from domain.threads.running.state import PlanDecision, ThreadTask
from domain.threads.state import ThreadState


def _with(state: ThreadState, **changes: object) -> ThreadState:
    amending = state.amending.model_copy(update=changes)
    return state.model_copy(update={"amending": amending})


@THREAD_RULES.evolves
def apply_amendment_requested(
    event: amending_events.AmendmentRequested, state: ThreadState
) -> ThreadState:
    return _with(state, planners={**state.amending.planners, event.session_id: 0})


@THREAD_RULES.evolves
def apply_amendment_proposed(
    event: amending_events.AmendmentProposed, state: ThreadState
) -> ThreadState:
    request = event.request
    waiting = OpenAmendment(
        number=event.number,
        session_id=event.session_id,
        amendment=event.amendment,
        request=request,
        doubts=tuple(w for w in event.warnings if w.kind is WarningKind.UNKNOWN_AGENT),
        by=event.by,
    )
    left = _open_without(state.amending, *event.replaces)
    requests = _requests_without(state, *event.replaces)
    after = _with(
        _quiet(state, event.session_id),
        count=event.number,
        open={**left, request.request_id: waiting},
    )
    return after.model_copy(update={"requests": {**requests, request.request_id: request}})


def _open_without(amending: Amending, *names: str) -> dict[RequestId, OpenAmendment]:
    return {name: each for name, each in amending.open.items() if name not in names}


def _requests_without(state: ThreadState, *names: str) -> dict[str, ApprovalRequest]:
    return {name: request for name, request in state.requests.items() if name not in names}


def _quiet(state: ThreadState, session_id: SessionId | None) -> ThreadState:
    """Return the state once a session has proposed: it is asked no more, and has not failed."""
    amending = state.amending
    if session_id is None or session_id not in amending.planners:
        return state
    failures = {s: reason for s, reason in amending.failures.items() if s != session_id}
    return _with(state, planners={**amending.planners, session_id: 0}, failures=failures)


@THREAD_RULES.evolves
def apply_amendment_nudged(
    event: amending_events.AmendmentNudged, state: ThreadState
) -> ThreadState:
    nudges = state.amending.planners.get(event.session_id, 0) + 1
    return _with(state, planners={**state.amending.planners, event.session_id: nudges})


@THREAD_RULES.evolves
def apply_amendment_failed(
    event: amending_events.AmendmentFailed, state: ThreadState
) -> ThreadState:
    return _with(state, failures={**state.amending.failures, event.session_id: event.reason})


@THREAD_RULES.evolves
def apply_amendment_decided(
    event: amending_events.AmendmentDecided, state: ThreadState
) -> ThreadState:
    outcome = event.outcome
    after = _with(state, open=_open_without(state.amending, outcome.request_id))
    return after.model_copy(
        update={
            "requests": _requests_without(state, outcome.request_id),
            "outcomes": {**state.outcomes, outcome.request_id: outcome},
        }
    )


@THREAD_RULES.evolves
def apply_amendment_closed(
    event: amending_events.AmendmentClosed, state: ThreadState
) -> ThreadState:
    why = LostAmendment(type=event.type, reason=event.reason)
    return state.model_copy(
        update={
            "amending": state.amending.without(event.request_id, why),
            "requests": _requests_without(state, event.request_id),
        }
    )


@THREAD_RULES.evolves
def apply_plan_amended(event: amending_events.PlanAmended, state: ThreadState) -> ThreadState:
    """Fold a new version: a task that was there keeps all that its runs have come to."""
    changed = {task.id: task for task in event.tasks}
    tasks = {
        name: state.tasks[name].model_copy(
            update={"task": changed.get(name, state.tasks[name].task)}
        )
        if name in state.tasks
        else ThreadTask(task=changed[name])
        for name in event.order
    }
    made = AmendedVersion(
        version=event.version,
        amendment_id=event.amendment_id,
        by=event.by,
        counts=event.counts,
    )
    versions = (*state.amending.versions, made)[-MAX_VERSIONS:]
    asked = {decision.id: PlanDecision(decision=decision) for decision in event.decisions}
    return _with(state, version=event.version, versions=versions).model_copy(
        update={
            "tasks": with_candidates(tasks, state.tasks),
            "contests": {
                name: contest
                for name, contest in state.contests.items()
                if name in tasks and tasks[name].task == state.tasks[name].task
            },
            "decisions": {**state.decisions, **asked},
            "merges": state.merges.without(event.removed),
        }
    )
