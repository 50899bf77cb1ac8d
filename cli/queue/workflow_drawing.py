"""Workflow templates as they are drawn on a terminal."""

from collections.abc import Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cli.core.console import plain
from cli.core.tables import table_of
from domain.core.text import counted
from domain.queue.workflow_templates.template import FoundWorkflow, TemplateGoal, WorkflowTemplate

START = "Start one: treadle workflow start NAME --set PARAMETER=VALUE"


def listing(found: list[FoundWorkflow]) -> RenderableType:
    """Draw templates as a table, with the problems of broken ones below it."""
    table = table_of("workflow", "from", "", "goals", "about")
    for each in found:
        state, style = _state(each)
        about = each.template.description if each.template else each.path
        goals = str(len(each.template.goals)) if each.template else ""
        scope = plain(each.scope.label.lower())
        table.add_row(plain(each.name), scope, plain(state, style), goals, plain(about, "dim"))
    parts: list[RenderableType] = [table, plain("")]
    for each in found:
        parts += _problems(each)
    return Group(*parts, plain(START, "dim"))


def page(found: FoundWorkflow) -> RenderableType:
    """Draw one template: its parameters, its goals and their dependencies."""
    state, style = _state(found)
    parts: list[RenderableType] = [
        Text.assemble(plain(found.name, "bold"), "  ", plain(state, style)),
        plain(found.path, "dim"),
        *_problems(found),
    ]
    if found.template is not None:
        parts += [plain(""), *_template(found.template)]
    return Group(*parts)


def started(entries: Sequence[dict[str, Any]]) -> RenderableType:
    """Draw the queued goals."""
    headings = ("goal", "id", "depends on")
    table = table_of(*headings, folded=headings)
    for each in entries:
        needs = ", ".join(each["after"])
        table.add_row(plain(each["goal"]), plain(each["entry_id"]), plain(needs, "dim"))
    return table


def _template(template: WorkflowTemplate) -> list[RenderableType]:
    parts: list[RenderableType] = []
    if template.description:
        parts += [plain(template.description), plain("")]
    if template.parameters:
        grid = Table.grid(padding=(0, 2))
        for name, parameter in template.parameters.items():
            given = "required" if parameter.default is None else f"default {parameter.default!r}"
            grid.add_row(plain(f"--set {name}="), plain(parameter.description), plain(given, "dim"))
        parts += [grid, plain("")]
    for goal in template.goals:
        parts += [plain(goal.id, "bold"), *_goal(goal), plain("")]
    return parts


def _goal(goal: TemplateGoal) -> list[RenderableType]:
    notes = [f"priority {goal.priority}"]
    notes += [f"after {', '.join(goal.needs)}"] if goal.needs else []
    notes += [f"starts from the branch of {goal.base}"] if goal.base else []
    notes += [f"template {goal.template}"] if goal.template else []
    notes += [f"agent {goal.agent}"] if goal.agent else []
    what = f"flow {goal.flow}" if goal.flow else goal.goal.strip()
    return [
        plain(f"  {', '.join(notes)}", "dim"),
        *(plain(f"  {row}") for row in what.splitlines()),
    ]


def _problems(found: FoundWorkflow) -> list[RenderableType]:
    if not found.problems:
        return []
    count = counted(len(found.problems), "problem")
    lines = [plain(f"✗ {found.path}: {count}", "red")]
    return [*lines, *(plain(f"    {problem.message}") for problem in found.problems), plain("")]


def _state(found: FoundWorkflow) -> tuple[str, str]:
    if found.problems:
        return "broken", "red"
    return ("hidden", "yellow") if found.is_hidden else ("", "")
