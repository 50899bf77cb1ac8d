"""The parameters of a workflow template, put into its goals."""

import re
from collections.abc import Mapping

from domain.core.command import MAX_GOAL
from domain.core.errors import InvalidError
from domain.queue.workflow_templates.template import TemplateGoal, WorkflowTemplate

_REFERENCE = re.compile(r"\$(?P<literal>\$\{)|\$\{(?P<name>[^{}]*)\}")
"""The literal `$${`, then a parameter."""


class ParameterError(InvalidError):
    """The parameters of a workflow template are invalid; the message lists all problems."""

    type = "invalid_parameters"


def mentioned(text: str) -> tuple[str, ...]:
    """Return the names of the parameters in a text, in order."""
    return tuple(found["name"] for found in _REFERENCE.finditer(text) if found["name"] is not None)


def filled(template: WorkflowTemplate, given: Mapping[str, str]) -> tuple[TemplateGoal, ...]:
    """Return the goals with the parameters' values in them; what a value says is never read again.

    Raises:
        ParameterError: One is missing or not known, or a goal becomes too long or empty with them.
    """
    problems = [
        f"there is no parameter {name[:80]!r}" for name in given if name not in template.parameters
    ]
    values: dict[str, str] = {}
    for name, parameter in template.parameters.items():
        value = given.get(name, parameter.default)
        if value is None:
            about = f" ({parameter.description})" if parameter.description else ""
            problems.append(f"{name!r}{about} must be given")
        values[name] = value or ""
    if problems:
        known = ", ".join(template.parameters) or "none"
        raise ParameterError(f"{'; '.join(problems)}. It has the parameters: {known}")
    return tuple(_filled(goal, values) for goal in template.goals)


def _filled(goal: TemplateGoal, values: Mapping[str, str]) -> TemplateGoal:
    text = _REFERENCE.sub(
        lambda found: "${" if found["literal"] else values[found["name"]], goal.goal
    )
    if goal.goal and not text.strip():
        raise ParameterError(f"the goal {goal.id!r} says nothing with these parameters")
    if len(text) > MAX_GOAL:
        raise ParameterError(
            f"the goal {goal.id!r} has {len(text)} characters with these parameters, at most "
            f"{MAX_GOAL} are taken"
        )
    return goal.model_copy(update={"goal": text})
