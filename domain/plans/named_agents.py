"""The agents that a plan names, and what is wrong with them where it is proposed."""

from collections.abc import Callable, Iterator
from typing import Any

from domain.core.errors import InvalidPlanError
from domain.plans.plan import Plan
from domain.plans.proposals.shape import shape_plan

MAX_DOUBTS = 20
MAX_DOUBT = 500


def agents_of(plan: Plan) -> Iterator[tuple[str, str]]:
    """Yield each agent that a plan names, after the place where it does."""
    for step in plan.verification:
        if step.agent:
            yield "the plan's review", step.agent
    for task in plan.tasks:
        if task.agent:
            yield f"task {task.id!r}", task.agent
        for step in task.verification:
            if step.agent:
                yield f"a review of task {task.id!r}", step.agent


def find_doubts(raw: Any, why_not: Callable[[str], str]) -> tuple[str, ...]:
    """Say which agents of a plan can't be used, at most 20; `why_not` is empty for one that can.

    A plan that can't be read has none: it is refused for that.
    """
    try:
        plan = shape_plan(raw)
    except InvalidPlanError:
        return ()
    reasons = {agent: why_not(agent) for _, agent in agents_of(plan)}
    found = (f"{where}: {reasons[agent]}" for where, agent in agents_of(plan) if reasons[agent])
    return tuple(text[:MAX_DOUBT] for text in dict.fromkeys(found))[:MAX_DOUBTS]
