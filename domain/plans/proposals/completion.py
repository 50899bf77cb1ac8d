"""A plan completed by what its template says of every task."""

from collections.abc import Iterable, Iterator

from domain.core.ids import TaskId
from domain.plans.plan import Plan, PlannedTask, RunsAs
from domain.plans.proposals.template_steps import fill_step, is_same, step_key
from domain.plans.templates.template import PlanTemplate, Port, step_name
from domain.verification.steps import VerificationStep, without_reviews

WHOLE_GOAL = TaskId("the-goal")
"""The id of the one task that a plan without tasks is, where several agents do it at once."""

MAX_TITLE = 200


def complete_plan(sent: Plan, template: PlanTemplate, goal: str) -> Plan:
    """Return a plan with a goal, and with the template's steps and ports at its tasks."""
    update: dict[str, object] = {"goal": sent.goal or goal}
    if not sent.tasks and template.best_of is not None and template.best_of.agents:
        sent = _as_one_task(sent, sent.goal or goal)
        update["verification"] = ()
    if sent.tasks:
        update["tasks"] = tuple(_with_defaults(task, template) for task in sent.tasks)
    else:
        steps = _joined(template.verification.steps, sent.verification)
        update["verification"] = _numbered(steps)
    return sent.model_copy(update=update)


def by_one_each(plan: Plan) -> Plan:
    """Return a plan of which each task is done by one agent."""
    tasks = tuple(task.model_copy(update={"best_of": None}) for task in plan.tasks)
    return plan.model_copy(update={"tasks": tasks})


def _as_one_task(plan: Plan, goal: str) -> Plan:
    """Return a plan without tasks as one task: a session can't be lent to several agents at once."""
    task = PlannedTask(
        id=WHOLE_GOAL,
        title=goal[:MAX_TITLE] or plan.summary[:MAX_TITLE],
        description="\n\n".join(part for part in (plan.summary, plan.approach) if part),
        verification=plan.verification,
    )
    return plan.model_copy(update={"tasks": (task,)})


def _with_defaults(task: PlannedTask, template: PlanTemplate) -> PlannedTask:
    named = {port.id for port in task.ports}
    added = (port for port in template.resources.default_ports if port.id not in named)
    ports: tuple[Port, ...] = (*added, *task.ports)
    steps = _numbered(_joined(_wanted(task, template), task.verification))
    update: dict[str, object] = {"verification": steps, "ports": ports}
    if task.best_of is None and task.runs_as is RunsAs.TASK:
        update["best_of"] = template.best_of
    return task.model_copy(update=update)


def _wanted(task: PlannedTask, template: PlanTemplate) -> tuple[VerificationStep, ...]:
    """Return the template's steps without those that do not fit the task.

    The tasks of a child thread have the template's reviews, not what is merged of it as a whole.
    """
    if task.skips_template_steps:
        return ()
    steps = template.verification.steps
    if task.runs_as is RunsAs.THREAD:
        steps = without_reviews(steps)
    skipped = {step_key(label) for label in task.skip_steps}
    return tuple(s for s in steps if step_key(step_name(s)) not in skipped)


def _joined(
    defaults: Iterable[VerificationStep], own: tuple[VerificationStep, ...]
) -> Iterator[VerificationStep]:
    """Yield the template's steps, replaced by own ones that are the same, then the other own ones."""
    left = list(own)
    for step in defaults:
        same = next((each for each in left if is_same(each, step)), None)
        if same is not None:
            left.remove(same)
            same = fill_step(same, step)
        yield same or step
    yield from left


def _numbered(steps: Iterable[VerificationStep]) -> tuple[VerificationStep, ...]:
    return tuple(
        step.model_copy(update={"id": f"step-{n}", "label": step_name(step)})
        for n, step in enumerate(steps, 1)
    )
