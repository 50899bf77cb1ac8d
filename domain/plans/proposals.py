"""Proposals: a plan as it came becomes a plan that can be shown, or every problem at once."""

from collections.abc import Iterable, Iterator
from itertools import chain, islice
from typing import Any, NamedTuple

from domain.plans.plan import Plan, PlannedTask, RunsAs
from domain.plans.problems import MAX_PROBLEMS, Problem, ProblemType, refusal
from domain.plans.reading import CUT, check_size, cut_texts, read
from domain.plans.repair import repaired
from domain.plans.rules import broken_rules, broken_steps
from domain.plans.templates.template import GatePolicy, PlanTemplate, Port, step_name
from domain.plans.warnings import PlanWarning, WarningKind
from domain.verification.steps import VerificationStep, without_reviews

_SHOWN = 200


class Proposal(NamedTuple):
    """A plan that can be shown, and what a person is warned of at its approval."""

    plan: Plan
    warnings: tuple[PlanWarning, ...]


def read_plan(raw: Any, template: PlanTemplate, depth: int = 0) -> Proposal:
    """Read a plan as it was sent, fix its dependencies and complete it from the template.

    `depth` is how many threads stand above the one that plans. A plan that was completed before
    stays as it is.

    Raises:
        InvalidPlanError: With every problem at once, one a line, worded for the planner.
    """
    sent = read(cut_texts(raw))
    plan = _complete(sent, template)
    check_size(plan)
    ports = [port.id for port in template.resources.default_ports]
    found = chain(
        _lost_steps(sent, template),
        broken_rules(plan, depth),
        broken_steps("plan", () if plan.tasks else plan.verification, ports),
    )
    if problems := list(islice(found, MAX_PROBLEMS + 1)):
        raise refusal(problems)
    plan, removed = repaired(plan)
    return Proposal(plan, (*removed, *_cut(plan), *_left_out(sent, template)))


def _complete(plan: Plan, template: PlanTemplate) -> Plan:
    if not plan.tasks:
        steps = _joined(template.verification.steps, plan.verification)
        return plan.model_copy(update={"verification": _numbered(steps)})
    tasks = tuple(
        task.model_copy(
            update={
                "verification": _numbered(_joined(_wanted(task, template), task.verification)),
                "ports": _with_defaults(template.resources.default_ports, task.ports),
            }
        )
        for task in plan.tasks
    )
    return plan.model_copy(update={"tasks": tasks})


def _wanted(task: PlannedTask, template: PlanTemplate) -> tuple[VerificationStep, ...]:
    """Return the template's steps without those that do not fit the task.

    The tasks of a child thread have the template's reviews, not what is merged of it as a whole.
    """
    if task.skips_template_steps:
        return ()
    steps = template.verification.steps
    if task.runs_as is RunsAs.THREAD:
        steps = without_reviews(steps)
    skipped = {_key(label) for label in task.skip_steps}
    return tuple(s for s in steps if _key(step_name(s)) not in skipped)


def _joined(
    defaults: Iterable[VerificationStep], own: tuple[VerificationStep, ...]
) -> Iterator[VerificationStep]:
    """Yield the template's steps, replaced by own ones that are the same, then the other own ones."""
    left = list(own)
    for step in defaults:
        same = next((each for each in left if _is_same(each, step)), None)
        if same is not None:
            left.remove(same)
            same = _filled(same, step)
        yield same or step
    yield from left


def _filled(own: VerificationStep, default: VerificationStep) -> VerificationStep:
    """Return a step with what it does not say of itself as the template says it."""
    names = ("label", "agent", "model")
    return own.model_copy(update={n: getattr(own, n) or getattr(default, n) for n in names})


def _is_same(own: VerificationStep, default: VerificationStep) -> bool:
    """Tell whether a planner wrote a template's step again: by its label, or by what it runs."""
    does_same = (own.type, own.subject) == (default.type, default.subject)
    is_named_so = bool(own.label) and _key(own.label) == _key(step_name(default))
    return does_same or is_named_so


def _is_other(own: VerificationStep, default: VerificationStep) -> bool:
    """Tell whether a step in the place of the template's does something else, or has another do it."""
    own = _filled(own, default)
    does = (own.type, own.subject, own.agent, own.model)
    return does != (default.type, default.subject, default.agent, default.model)


def _key(label: str) -> str:
    return label.strip().casefold()


def _numbered(steps: Iterable[VerificationStep]) -> tuple[VerificationStep, ...]:
    return tuple(
        step.model_copy(update={"id": f"step-{n}", "label": step_name(step)})
        for n, step in enumerate(steps, 1)
    )


def _with_defaults(defaults: tuple[Port, ...], own: tuple[Port, ...]) -> tuple[Port, ...]:
    named = {port.id for port in own}
    return (*(port for port in defaults if port.id not in named), *own)


def _replaced(
    sent: Plan, template: PlanTemplate
) -> Iterator[tuple[str, VerificationStep, VerificationStep]]:
    """Yield a place, the template's step there, and what the planner wrote in its stead."""
    places = [(f"task {task.id!r}", task.verification) for task in sent.tasks]
    for where, own in places or [("plan", sent.verification)]:
        for default in template.verification.steps:
            for step in own:
                if _is_same(step, default):
                    yield where, default, step


def _lost_steps(sent: Plan, template: PlanTemplate) -> Iterator[Problem]:
    """Yield steps that may not be left out, required ones made optional, and unknown names."""
    kept = {_key(name) for name in template.verification.kept}
    for where, default, step in _replaced(sent, template):
        is_other = _is_other(step, default)
        is_weaker = default.required and not step.required
        if is_weaker or (is_other and _key(step_name(default)) in kept):
            words = f"{step_name(default)!r} is required by the template: leave it as it is"
            yield Problem(where, ProblemType.REQUIRED_STEP_REMOVED, words)
    names = [step_name(step) for step in template.verification.steps]
    known = {_key(name) for name in names}
    for task in sent.tasks:
        where = f"task {task.id!r}"
        for name in names if task.skips_template_steps else task.skip_steps:
            if _key(name) not in known:
                words = f"{name[:_SHOWN]!r} in skip_steps; the template has: {names}"
                yield Problem(where, ProblemType.UNKNOWN_STEP, words)
            elif _key(name) in kept:
                words = f"{name!r} is required by the template: it can't be left out"
                yield Problem(where, ProblemType.REQUIRED_STEP_REMOVED, words)


def _cut(plan: Plan) -> Iterator[PlanWarning]:
    texts = [("the plan's goal", plan.goal), ("the approach", plan.approach)]
    texts += [("the summary", plan.summary)]
    texts += [(f"the description of task {task.id!r}", task.description) for task in plan.tasks]
    for what, text in texts:
        if text.endswith(CUT):
            yield PlanWarning(kind=WarningKind.CUT, text=f"{what} was too long and is cut")


def _left_out(sent: Plan, template: PlanTemplate) -> Iterator[PlanWarning]:
    """Name what the planner wants to happen without the template's steps or a person's look."""
    for task in sent.tasks:
        if task.gate is GatePolicy.AUTO and template.gate is GatePolicy.ASK:
            words = f"task {task.id!r} will be merged without asking you: the planner wants no gate"
            yield PlanWarning(kind=WarningKind.NO_GATE, text=words)
        if task.skips_template_steps and template.verification.steps:
            words = f"task {task.id!r} leaves out all verification steps of the template"
            yield PlanWarning(kind=WarningKind.STEPS_LEFT_OUT, text=words)
        for label in () if task.skips_template_steps else dict.fromkeys(task.skip_steps):
            words = f"task {task.id!r} leaves out the template's step {label!r}"
            yield PlanWarning(kind=WarningKind.STEPS_LEFT_OUT, text=words)
    for where, default, step in _replaced(sent, template):
        if _is_other(step, default):
            by = f" ({step.agent or step.model})" if step.agent or step.model else ""
            name = step_name(default)
            words = f"{where} replaces the template's step {name!r} by: {step.subject}{by}"
            yield PlanWarning(kind=WarningKind.STEPS_LEFT_OUT, text=words[:500])
