"""Rules of the approval of plans: by a person, who acknowledges warnings, or by their standing word."""

from collections.abc import Iterable

from domain.agents.agents import Prompt, PromptName
from domain.core.approval_commands import Approve
from domain.core.approvals import ApprovalRequest, Choice, Decider, Outcome, Subject
from domain.core.command import Verdict
from domain.core.decisions import Decided
from domain.core.errors import WarningsNotAcknowledgedError, WrongStateError
from domain.core.event import EventBody
from domain.core.ids import SessionId
from domain.core.text import bullets
from domain.threads import events as thread_events
from domain.threads.evolution import tasks_of
from domain.threads.patches import WORK_IN_SESSION
from domain.threads.planning.proposing import quoted, superseded
from domain.threads.planning.state import ProposedPlan
from domain.threads.registry import THREAD_RULES
from domain.threads.running.decision_events import DecisionAsked
from domain.threads.sessions import end_planning
from domain.threads.state import ThreadState


@THREAD_RULES.decides(Subject.PLAN)
def decide_plan(
    verdict: Verdict, request: ApprovalRequest, outcome: Outcome, state: ThreadState
) -> Decided:
    proposed = _proposed(request.request_id, state)
    if outcome.choice is Choice.REJECT:
        return Decided(_sent_back(proposed, outcome))
    unread = [warning.text for warning in proposed.warnings if warning.needs_acknowledgement]
    if unread and not (isinstance(verdict, Approve) and verdict.is_acknowledged):
        listed = bullets(unread)
        raise WarningsNotAcknowledgedError(
            f"plan {proposed.revision} has warnings to acknowledge before it starts:\n{listed}"
        )
    if busy := _busy(state):
        raise WrongStateError(
            f"the cancelled plan's {', '.join(busy)} are still ending: approve again then"
        )
    return Decided(started(proposed, outcome, state))


def _proposed(request_id: str, state: ThreadState) -> ProposedPlan:
    return next(p for p in state.plans if p.request.request_id == request_id)


def _busy(state: ThreadState) -> list[str]:
    return [name for name, _ in state.tasks.at_work()]


def _sent_back(proposed: ProposedPlan, outcome: Outcome) -> tuple[EventBody, ...]:
    """Give a rejected plan back to its planner, with the text that a person wrote, if one did."""
    fields = {
        "feedback": outcome.feedback,
        "revision": str(proposed.revision),
        "plan": quoted(proposed.plan) if proposed.by else "",
    }
    prompt = thread_events.PromptQueued(
        key=f"{proposed.session_id}/{outcome.request_id}",
        session_id=proposed.session_id,
        prompt=Prompt(name=PromptName.PLANNER_FEEDBACK, fields=fields),
    )
    return (thread_events.PlanDecided(revision=proposed.revision, outcome=outcome), prompt)


def started(proposed: ProposedPlan, outcome: Outcome, state: ThreadState) -> tuple[EventBody, ...]:
    """Return the start of an approved plan: rivals are closed, planners and critics put away."""
    plan_id = f"{state.thread_id}/plan-{proposed.revision}"
    tasks = tuple(task.id for task in tasks_of(proposed.plan, state))
    working = _working_session(proposed, state)
    rivals = (
        superseded(other, proposed.revision)
        for other in state.plans
        if other.request.request_id in state.requests and other.revision != proposed.revision
    )
    questions = (
        DecisionAsked(
            plan_id=plan_id,
            decision_id=d.id,
            header=d.header,
            question=d.question,
            options=d.options,
            multi_select=d.multi_select,
        )
        for d in proposed.plan.decisions
    )
    return (
        thread_events.PlanDecided(revision=proposed.revision, outcome=outcome),
        *rivals,
        *end_planning(state, is_reset=True, but=working),
        thread_events.PlanStarted(
            plan_id=plan_id, goal=proposed.plan.goal, tasks=tasks, session_id=working
        ),
        *questions,
    )


def _working_session(proposed: ProposedPlan, state: ThreadState) -> SessionId | None:
    """Return the session that carries out a plan without tasks: the one that planned it."""
    session = state.sessions.get(proposed.session_id)
    is_there = session is not None and not session.is_archived
    if proposed.plan.tasks or not is_there or not state.has_patch(WORK_IN_SESSION):
        return None
    return proposed.session_id


@THREAD_RULES.reacts
def approve_plan_automatically(state: ThreadState) -> Iterable[EventBody]:
    """Start a plan by itself where a person said so; with warnings or rivals they are asked."""
    waiting = [p for p in state.plans if p.request.request_id in state.requests]
    is_sure = len(waiting) == 1 and len(state.planning.planners) == 1
    is_ready = not (state.plan_status.is_live or _busy(state))
    if state.opened is not None and state.opened.four_eyes.plan_by_another:
        return  # a standing word is that of one person
    if not state.is_auto or not is_sure or not is_ready or state.lifecycle.is_deletion_requested:
        return
    (proposed,) = waiting
    if proposed.warnings:
        return
    outcome = Outcome(
        request_id=proposed.request.request_id,
        choice=Choice.APPROVE,
        content_hash=proposed.request.content_hash,
        by=f"auto, set by {state.auto_by or 'a setting'}",
        decider=Decider.POLICY,
    )
    yield from started(proposed, outcome, state)
