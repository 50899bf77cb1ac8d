"""The way of a plan from what was sent to what a person is shown, step by step."""

from typing import Any, NamedTuple

from domain.plans.plan import Plan
from domain.plans.proposals.checks import check_plan
from domain.plans.proposals.completion import by_one_each, complete_plan
from domain.plans.proposals.departures import find_departures
from domain.plans.proposals.limits import FIRST_RULES, PlanRules
from domain.plans.proposals.repair import repair_dependencies
from domain.plans.proposals.shape import shape_plan
from domain.plans.templates.template import PlanTemplate
from domain.plans.warnings import PlanWarning


class Proposal(NamedTuple):
    """A plan that can be shown, and what a person is warned of at its approval."""

    plan: Plan
    warnings: tuple[PlanWarning, ...]


def read_plan(
    raw: Any,
    template: PlanTemplate,
    depth: int = 0,
    goal: str = "",
    rules: PlanRules = FIRST_RULES,
) -> Proposal:
    """Read a plan as it was sent; one that was read before stays as it is.

    `depth` is how many threads stand above the one that plans; `goal` is taken where the plan names
    none.

    Raises:
        InvalidPlanError: With every problem at once, one a line, worded for the planner.
    """
    checked = read_tasks(raw, template, depth, goal, rules)
    plan, removed = repair_dependencies(checked.plan)
    return Proposal(plan, (*removed, *checked.warnings))


def read_tasks(
    raw: Any,
    template: PlanTemplate,
    depth: int = 0,
    goal: str = "",
    rules: PlanRules = FIRST_RULES,
) -> Proposal:
    """Read tasks that join a running plan: what they depend on is not repaired.

    Raises:
        InvalidPlanError: As `read_plan` does.
    """
    sent = shape_plan(raw, rules.limits)
    if not rules.takes_best_of:
        sent, template = by_one_each(sent), template.model_copy(update={"best_of": None})
    plan = complete_plan(sent, template, goal)
    check_plan(plan, sent, template, depth, rules)
    found = find_departures(
        plan, sent, template, names_gates_once=rules.names_gates_once, names_few=rules.names_few
    )
    return Proposal(plan, tuple(found))
