"""Events of a task's own planning, in its stream."""

from typing import Literal

from domain.core.approvals import ApprovalRequest, Outcome
from domain.core.event import EventBody
from domain.tasks.plans import TaskPlan


class TaskPlanProposed(EventBody):
    """The task's planner proposed a plan."""

    kind: Literal["task_plan_proposed"] = "task_plan_proposed"
    number: int
    plan: TaskPlan


class TaskPlanSubmitted(EventBody):
    """A task's plan goes to the thread's agent for review."""

    kind: Literal["task_plan_submitted"] = "task_plan_submitted"
    number: int


class TaskPlanReviewed(EventBody):
    """The thread's agent looked at a task's plan; a `problem` means that it gave no verdict."""

    kind: Literal["task_plan_reviewed"] = "task_plan_reviewed"
    number: int
    verdict: str = ""
    feedback: str = ""
    problem: str = ""


class TaskPlanAsked(EventBody):
    """A person is asked for approval of a task's plan."""

    kind: Literal["task_plan_asked"] = "task_plan_asked"
    request: ApprovalRequest
    plan: TaskPlan


class TaskPlanDecided(EventBody):
    """A task's plan was approved, or its planner revises it; by a person or the thread's agent."""

    kind: Literal["task_plan_decided"] = "task_plan_decided"
    outcome: Outcome


TaskPlanEvent = (
    TaskPlanProposed | TaskPlanSubmitted | TaskPlanReviewed | TaskPlanAsked | TaskPlanDecided
)
