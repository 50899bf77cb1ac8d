"""Texts of plans: proposals, critiques, approvals, and a plan's start and end."""

from domain.core.event_text import EventText, error, highlight, info, success, warning
from domain.core.task_names import task_name
from domain.core.text import counted
from domain.plans.handoff import WHOLE_PLAN
from domain.plans.status import PlanStatus
from domain.reading.event_text.phrases import after, by, decided, quoted, session_name
from domain.reading.event_text.registry import describe, describes
from domain.threads import events as thread_events
from domain.threads.planning import events as planning_events

_STATUSES = {
    PlanStatus.PAUSED: "paused",
    PlanStatus.ACTIVE: "resumed",
    PlanStatus.CANCELLED: "cancelled",
}

describe(thread_events.PlanRequested, lambda event: quoted("Plan requested", event.goal))


@describes(thread_events.PlanProposed)
def _describe_proposal(event: thread_events.PlanProposed) -> EventText:
    plan = event.plan
    count = counted(len(plan.tasks), "task") if plan.tasks else "one unit of work"
    goal = plan.goal or plan.summary
    listed = [f"{task.id}  {task.title}" for task in plan.tasks[:WHOLE_PLAN]]
    left = len(plan.tasks) - len(listed)
    tasks = "\n".join([*listed, *([f"… and {left:,} more"] if left else [])])
    summary = f"Plan {event.revision} proposed{by(event.by)}, {count}{after(goal)}"
    return warning(summary, tasks, milestone="plan_proposed")


describe(
    thread_events.PlanRefused,
    lambda event: warning("Proposed plan was invalid; the planner got the reasons", event.problems),
)
describe(
    thread_events.PlanningFailed,
    lambda event: error(f"Planning failed: {event.reason}", milestone="planning_failed"),
)
describe(
    thread_events.PlanDecided,
    lambda event: decided(f"Plan {event.revision}", event.outcome, "plan"),
)


@describes(thread_events.PlanStarted)
def _describe_start(event: thread_events.PlanStarted) -> EventText:
    count = counted(len(event.tasks), "task")
    how = f"in {session_name(event.session_id)}" if event.session_id else count
    return highlight(
        f"Plan started with a fresh context, {how}: {event.goal}", milestone="context_reset"
    )


@describes(thread_events.PlanStatusChanged)
def _describe_status(event: thread_events.PlanStatusChanged) -> EventText:
    word = _STATUSES.get(event.status, str(event.status))
    milestone = f"plan_{word}" if event.status in _STATUSES else ""
    return highlight(f"Plan {word}{by(event.by)}{after(event.reason)}", milestone=milestone)


@describes(thread_events.PlanCompleted)
def _describe_plan_end(event: thread_events.PlanCompleted) -> EventText:
    tone = success if event.final_status is PlanStatus.COMPLETED else warning
    failures = "\n".join(
        f"{task_name(task, '')} failed: {why}" for task, why in event.failures.items()
    )
    return tone(event.words, failures, milestone="plan_ended")


describe(
    planning_events.PlannerAdded,
    lambda event: f"Planner {session_name(event.session_id)} added{by(event.by)}",
)
describe(
    planning_events.PlanSuperseded,
    lambda event: f"Plan {event.revision} superseded by plan {event.by_revision}",
)
describe(
    planning_events.PlanningSuggested,
    lambda event: warning(
        f"Planning suggested: {event.goal}", event.reason, milestone="planning_suggested"
    ),
)
describe(
    planning_events.SuggestionDecided,
    lambda event: decided("Suggestion to plan first", event.outcome, "planning"),
)
describe(
    planning_events.CritiqueRequested,
    lambda event: f"Critique of plan {event.revision} requested{by(event.by)}",
)
describe(
    planning_events.PlanCritiqued,
    lambda event: (
        warning(f"Critique of plan {event.revision} failed: {event.failure}")
        if event.failure
        else info(f"Plan {event.revision} critiqued", event.text)
    ),
)
describe(
    planning_events.PlannerWrote,
    lambda event: warning(
        f"Planner changed {counted(len(event.files), 'file')}; the changes were discarded",
        "\n".join(event.files),
    ),
)
describe(
    planning_events.PlanningCancelled,
    lambda event: info(f"Planning cancelled{by(event.by)}", milestone="planning_cancelled"),
)
describe(
    planning_events.PlannerNudged,
    lambda _: "Planner ended its turn without a plan and is asked again",
)
