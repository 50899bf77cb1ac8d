"""Texts of a task's own plan."""

from domain.core.event_text import EventText, error, info, warning
from domain.reading.event_text.phrases import after, decided
from domain.reading.event_text.registry import describe, describes
from domain.tasks import plan_events

describe(
    plan_events.TaskPlanProposed,
    lambda event: info(f"Task plan {event.number} proposed", event.plan.text),
)
describe(
    plan_events.TaskPlanSubmitted, lambda _: "Task plan submitted to the thread's agent for review"
)


@describes(plan_events.TaskPlanReviewed)
def _describe_review(event: plan_events.TaskPlanReviewed) -> EventText:
    if event.problem:
        return error(f"Review of the task plan failed: {event.problem}")
    return info(f"Task plan reviewed by the thread's agent{after(event.verdict)}", event.feedback)


describe(
    plan_events.TaskPlanAsked,
    lambda event: warning(
        f"Task plan waiting for approval: {event.request.title}",
        "\n".join(event.plan.steps),
        milestone="task_plan_proposed",
    ),
)
describe(
    plan_events.TaskPlanDecided, lambda event: decided("Task plan", event.outcome, "task_plan")
)
