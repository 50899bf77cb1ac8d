"""Where a plan departs from what its planner wrote or its template asks for: a person is warned."""

from collections.abc import Iterator

from domain.core.text import counted
from domain.plans.plan import Plan, PlannedTask, TaskPlanApproval
from domain.plans.proposals.best_of import find_best_of_departures
from domain.plans.proposals.git_departures import find_git_departures
from domain.plans.proposals.shape import CUT
from domain.plans.proposals.template_steps import find_replaced_steps
from domain.plans.templates.template import GatePolicy, PlanApproval, PlanTemplate, step_name
from domain.plans.warnings import PlanWarning, WarningKind

_MAX_WORDS = 500
_MAX_NAMED = 12


def find_departures(
    plan: Plan,
    sent: Plan,
    template: PlanTemplate,
    *,
    names_gates_once: bool = False,
    names_few: bool = False,
) -> Iterator[PlanWarning]:
    """Yield a warning for each text that was cut, and for each gate and step that is left out.

    With `names_gates_once` all tasks without a gate are in one warning, with `names_few` the first of them by name.
    """
    yield from _cut_texts(plan)
    yield from find_git_departures(sent, template)
    yield from find_best_of_departures(sent, template)
    if names_gates_once:
        yield from _without_gates(sent, template, _MAX_NAMED if names_few else len(sent.tasks))
    yield from _left_out(sent, template, names_gates=not names_gates_once)
    for step in find_replaced_steps(sent, template):
        if step.is_other:
            own, name = step.own, step_name(step.default)
            by = f" ({own.agent or own.model})" if own.agent or own.model else ""
            words = f"{step.where} replaces the template's step {name!r} by: {own.subject}{by}"
            yield PlanWarning(kind=WarningKind.STEPS_LEFT_OUT, text=words[:_MAX_WORDS])


def _cut_texts(plan: Plan) -> Iterator[PlanWarning]:
    texts = [("the plan's goal", plan.goal), ("the approach", plan.approach)]
    texts += [("the summary", plan.summary)]
    texts += [(f"the description of task {task.id!r}", task.description) for task in plan.tasks]
    for what, text in texts:
        if text.endswith(CUT):
            yield PlanWarning(kind=WarningKind.CUT, text=f"{what} was too long and is cut")


def _without_gates(sent: Plan, template: PlanTemplate, most: int) -> Iterator[PlanWarning]:
    found = [task.id for task in sent.tasks if _has_no_gate(task, template)]
    if found:
        more = f" and {len(found) - most} more" if len(found) > most else ""
        names = ", ".join(found[:most]) + more
        words = f"{counted(len(found), 'task')} will be merged without your approval: {names}"
        yield PlanWarning(kind=WarningKind.NO_GATE, text=words[:_MAX_WORDS])


def _has_no_gate(task: PlannedTask, template: PlanTemplate) -> bool:
    return task.gate is GatePolicy.AUTO and template.gate is GatePolicy.ASK


def _left_out(sent: Plan, template: PlanTemplate, *, names_gates: bool) -> Iterator[PlanWarning]:
    for task in sent.tasks:
        if names_gates and _has_no_gate(task, template):
            words = f"task {task.id!r} will be merged without asking you: the planner wants no gate"
            yield PlanWarning(kind=WarningKind.NO_GATE, text=words)
        is_unplanned = task.plan_approval is TaskPlanApproval.NONE
        if is_unplanned and template.plan_approval is PlanApproval.USER:
            words = f"you are not asked for the plan of task {task.id!r}, as the template wants"
            yield PlanWarning(kind=WarningKind.NO_GATE, text=words)
        if task.skips_template_steps and template.verification.steps:
            words = f"task {task.id!r} leaves out all verification steps of the template"
            yield PlanWarning(kind=WarningKind.STEPS_LEFT_OUT, text=words)
        for label in () if task.skips_template_steps else dict.fromkeys(task.skip_steps):
            words = f"task {task.id!r} leaves out the template's step {label!r}"
            yield PlanWarning(kind=WarningKind.STEPS_LEFT_OUT, text=words)
