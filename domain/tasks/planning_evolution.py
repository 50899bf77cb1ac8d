"""How the planning of a task changes what is known of it."""

from domain.agents.agents import PromptName
from domain.core.approvals import Choice
from domain.plans.templates.template import PlanApproval
from domain.tasks import plan_events
from domain.tasks.registry import TASK_RULES
from domain.tasks.state import Phase, TaskState


def _with_planning(state: TaskState, **changes: object) -> dict[str, object]:
    planning = state.planning
    return {"planning": planning.model_copy(update=changes) if planning else None}


@TASK_RULES.evolves
def apply_task_plan_proposed(event: plan_events.TaskPlanProposed, state: TaskState) -> TaskState:
    changes = _with_planning(
        state,
        number=event.number,
        plan=event.plan,
        is_proposed=True,
        nudges=0,
        problems=0,
        problem="",
    )
    return state.model_copy(update=changes)


@TASK_RULES.evolves(plan_events.TaskPlanSubmitted)
def apply_task_plan_submitted(state: TaskState) -> TaskState:
    return state.model_copy(update={"phase": Phase.REVIEWING})


@TASK_RULES.evolves
def apply_task_plan_reviewed(event: plan_events.TaskPlanReviewed, state: TaskState) -> TaskState:
    problems = state.planning.problems + 1 if state.planning and event.problem else 0
    return state.model_copy(update=_with_planning(state, problem=event.problem, problems=problems))


@TASK_RULES.evolves
def apply_task_plan_asked(event: plan_events.TaskPlanAsked, state: TaskState) -> TaskState:
    return state.model_copy(update={"phase": Phase.AT_PLAN, "request": event.request})


@TASK_RULES.evolves
def apply_task_plan_decided(event: plan_events.TaskPlanDecided, state: TaskState) -> TaskState:
    outcome = event.outcome
    changes: dict[str, object] = {
        "request": None,
        "outcomes": {**state.outcomes, outcome.request_id: outcome},
    }
    if outcome.choice is Choice.APPROVE:
        changes |= {"phase": Phase.WORKING, **_with_planning(state, is_approved=True)}
        return state.model_copy(update=changes)
    revisions = state.planning.revisions if state.planning else 0
    is_auto = state.planning is not None and state.planning.approval is PlanApproval.AUTO
    changes |= {
        "phase": Phase.PLANNING,
        **_with_planning(
            state,
            next_prompt=PromptName.TASK_PLAN_FEEDBACK,
            feedback=outcome.feedback,
            revisions=revisions + (1 if is_auto else 0),
        ),
    }
    return state.model_copy(update=changes)
