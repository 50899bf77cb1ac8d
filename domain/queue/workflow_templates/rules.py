"""What a workflow template must not say; checked when its file is read."""

import re
from collections.abc import Iterator, Mapping

from domain.core.command import MAX_GOAL
from domain.core.graphs import cycles
from domain.core.ids import is_name
from domain.plans.templates.rules import Fault
from domain.queue.workflow_templates.filling import mentioned
from domain.queue.workflow_templates.template import Parameter, TemplateGoal, WorkflowTemplate

MAX_GOALS = 100
MAX_PARAMETERS = 50
MAX_WORDS = 1_000
_PARAMETER = re.compile(r"[a-z][a-z0-9_-]{0,62}", re.ASCII)
_PLAIN = ("flow", "template", "agent", "model")
"""What no parameter stands in."""


def faults(template: WorkflowTemplate) -> Iterator[Fault]:
    """Yield everything that a template must not say, goal by goal, then of all of them together."""
    if len(template.description) > MAX_WORDS:
        yield Fault(("description",), "too_long", f"at most {MAX_WORDS} characters")
    yield from _faults_of_parameters(template.parameters)
    if not template.goals:
        yield Fault(("goals",), "empty", "give at least one goal")
    if len(template.goals) > MAX_GOALS:
        yield Fault(("goals",), "too_many", f"at most {MAX_GOALS} goals")
        return
    seen: set[str] = set()
    for number, goal in enumerate(template.goals):
        for field, type_name, words in _faults_of_goal(goal, template, seen):
            yield Fault(("goals", number, field), type_name, words)
        seen.add(goal.id)
    yield from _faults_of_order(template.goals)


def _faults_of_parameters(parameters: Mapping[str, Parameter]) -> Iterator[Fault]:
    if len(parameters) > MAX_PARAMETERS:
        yield Fault(("parameters",), "too_many", f"at most {MAX_PARAMETERS} parameters")
    for name, parameter in parameters.items():
        if not _PARAMETER.fullmatch(name):
            words = f"{name[:80]!r}: use lowercase letters, digits, '_' and '-', at most 63"
            yield Fault(("parameters", name), "bad_name", words)
        if len(parameter.description) > MAX_WORDS:
            place = ("parameters", name, "description")
            yield Fault(place, "too_long", f"at most {MAX_WORDS} characters")
        if len(parameter.default or "") > MAX_GOAL:
            place = ("parameters", name, "default")
            yield Fault(place, "too_long", f"at most {MAX_GOAL} characters")


def _faults_of_goal(
    goal: TemplateGoal, template: WorkflowTemplate, seen: set[str]
) -> Iterator[tuple[str, str, str]]:
    """Yield what is wrong with one goal: which field, the name of the kind, and words."""
    if not is_name(goal.id):
        yield "id", "bad_name", f"{goal.id[:80]!r}: use lowercase letters, digits and dashes"
    elif goal.id in seen:
        yield "id", "duplicate_id", f"{goal.id!r} is there twice"
    if bool(goal.goal.strip()) is bool(goal.flow.strip()):
        yield "goal", "goal_or_flow", "give either a goal or the name of a flow"
    if len(goal.goal) > MAX_GOAL:
        yield "goal", "too_long", f"at most {MAX_GOAL} characters"
    for name in mentioned(goal.goal):
        if name not in template.parameters:
            words = f"there is no parameter {name[:80]!r}; for the letters themselves write $${{…}}"
            yield "goal", "unknown_parameter", words
    for field in _PLAIN:
        if mentioned(getattr(goal, field) or ""):
            yield field, "parameter_not_here", "parameters stand in goals only"
    if goal.flow and goal.template:
        yield "template", "conflict", "a flow has no plan template"


def _faults_of_order(goals: tuple[TemplateGoal, ...]) -> Iterator[Fault]:
    """Yield dependencies on what is not there, bases that have no branch, and circles."""
    numbers = {goal.id: number for number, goal in enumerate(goals)}
    for number, goal in enumerate(goals):
        for needed in goal.needs:
            if needed not in numbers:
                field = "after" if needed in goal.after else "base"
                words = f"there is no goal {needed[:80]!r} in this template"
                yield Fault(("goals", number, field), "unknown_goal", words)
        base = goals[numbers[goal.base]] if goal.base in numbers else None
        if base is not None and (goal.flow or base.flow):
            words = "flows have branches of their own: only a goal begins at another goal's"
            yield Fault(("goals", number, "base"), "no_branch", words)
    for cycle in cycles({goal.id: goal.needs for goal in goals}):
        words = f"these wait for each other: {' → '.join(cycle)}"[:MAX_WORDS]
        yield Fault(("goals", numbers[cycle[0]], "after"), "cycle", words)
