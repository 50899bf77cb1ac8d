"""Rules of a task's own planning: who plans, who reviews, who decides."""

from domain.agents.agents import SessionRole, TurnResult
from domain.conversations.checks import check_agent
from domain.conversations.events import ConversationOpened
from domain.core.agent_json import read_fenced_json
from domain.core.approvals import ApprovalRequest, Choice, Decider, Outcome, Subject, content_hash
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import InvalidPlanError, WrongStateError
from domain.core.event import EventBody
from domain.core.ids import RequestId, SessionId
from domain.core.wire import Wire
from domain.plans.templates.template import PlanApproval
from domain.tasks import plan_events
from domain.tasks.agent_commands import ProposeTaskPlan
from domain.tasks.commands import OpenTask
from domain.tasks.outcomes import failed
from domain.tasks.plans import TaskPlan, read_review, read_task_plan
from domain.tasks.registry import TASK_RULES
from domain.tasks.reports import too_early
from domain.tasks.stages import Planning
from domain.tasks.state import MAX_NUDGES, Phase, TaskState

MAX_REVISIONS = 3
"""So often the thread's agent sends a plan back; then a person is asked."""


class PlanContent(Wire):
    """What the approval of a task's plan binds to."""

    task_id: str
    run: int
    number: int
    plan: TaskPlan


def open_planner(task: OpenTask) -> ConversationOpened:
    """Return the opening of the session that plans a run."""
    return ConversationOpened(
        session_id=SessionId(f"{task.session_id}-plan"),
        role=SessionRole.TASK_PLANNER,
        agent=task.agent,
        model=task.model,
        by="treadle",
    )


@TASK_RULES.handles
def propose_task_plan(command: ProposeTaskPlan, state: TaskState) -> Decided:
    check_agent(command, state)
    planner = state.newest(SessionRole.TASK_PLANNER)
    if planner is None or command.session_id != planner.session_id or state.planning is None:
        raise WrongStateError("only the planner of a task proposes its plan")
    plan = read_task_plan(command.plan)
    if (refused := too_early(command, state)) is not None:
        return refused
    answer = Answer(message="Proposed. End your turn: it is looked at then.")
    if state.planning.is_proposed and state.planning.plan == plan:
        return Decided(answer=answer)
    number = state.planning.number + 1
    return Decided((plan_events.TaskPlanProposed(number=number, plan=plan),), answer)


def after_planner(state: TaskState, result: TurnResult) -> tuple[EventBody, ...]:
    """Return what follows a planner's turn: a review, a question to a person, or another turn."""
    planning = state.planning
    if planning is None or state.phase is not Phase.PLANNING or state.messages:
        return ()
    if not planning.is_proposed:
        plan = _in_reply(result.text)
        if plan is None:
            return _unplanned(planning)
        proposed = plan_events.TaskPlanProposed(number=planning.number + 1, plan=plan)
        return (proposed, *_shown(TASK_RULES.fold(state, [proposed])))
    return _shown(state)


def _unplanned(planning: Planning) -> tuple[EventBody, ...]:
    if planning.nudges <= MAX_NUDGES:
        return ()
    return (failed(f"the task's planner ended {planning.nudges} turns without a plan"),)


def _in_reply(reply: str) -> TaskPlan | None:
    """Return the plan of a planner that cannot call tools, from the one fenced block of its reply."""
    found = read_fenced_json(reply)
    if not found.is_there:
        return None
    try:
        return read_task_plan(found.value)
    except InvalidPlanError:
        return None


def _shown(state: TaskState) -> tuple[EventBody, ...]:
    planning = state.planning
    if planning is None or planning.plan is None:
        return ()
    if planning.approval is PlanApproval.USER or planning.revisions >= MAX_REVISIONS:
        return (_asked(state, planning.plan),)
    submitted = plan_events.TaskPlanSubmitted(number=planning.number)
    if state.newest(SessionRole.REVIEWER) is not None:
        return (submitted,)
    reviewer = ConversationOpened(
        session_id=SessionId(f"{state.session_id}-review"),
        role=SessionRole.REVIEWER,
        agent=planning.reviewer,
        model=planning.reviewer_model,
        by="treadle",
    )
    return (reviewer, submitted)


def _request(state: TaskState, plan: TaskPlan) -> ApprovalRequest:
    task_id = state.task.id if state.task else ""
    number = state.planning.number if state.planning else 0
    content = PlanContent(task_id=task_id, run=state.run, number=number, plan=plan)
    return ApprovalRequest(
        request_id=RequestId(f"{task_id}/plan-{state.run}-{number}"),
        subject=Subject.TASK_PLAN,
        title=state.task.title if state.task else "",
        content_hash=content_hash(content),
    )


def _asked(state: TaskState, plan: TaskPlan) -> plan_events.TaskPlanAsked:
    return plan_events.TaskPlanAsked(request=_request(state, plan), plan=plan)


def after_reviewer(state: TaskState, result: TurnResult) -> tuple[EventBody, ...]:
    """Return what follows a review: the decision, the same question again, or one to a person."""
    planning = state.planning
    if planning is None or planning.plan is None or state.phase is not Phase.REVIEWING:
        return ()
    review = result.failure if result.failure is not None else read_review(result.text)
    if isinstance(review, str):
        reviewed = plan_events.TaskPlanReviewed(number=planning.number, problem=review[:2_000])
        is_enough = result.failure is not None or planning.problems > 0
        return (reviewed, _asked(state, planning.plan)) if is_enough else (reviewed,)
    reviewed = plan_events.TaskPlanReviewed(
        number=planning.number, verdict=review.verdict, feedback=review.feedback
    )
    request = _request(state, planning.plan)
    reviewer = state.newest(SessionRole.REVIEWER)
    outcome = Outcome(
        request_id=request.request_id,
        choice=Choice.APPROVE if review.verdict == "approve" else Choice.REJECT,
        content_hash=request.content_hash,
        by=reviewer.session_id if reviewer else "",
        decider=Decider.AGENT,
        feedback=review.feedback,
    )
    return (reviewed, plan_events.TaskPlanDecided(outcome=outcome))
