"""Proposals: every problem of a plan at once, the repair of its dependencies, what to warn of."""

from collections import Counter
from collections.abc import Iterable
from itertools import chain, islice
from typing import Any

from pydantic import ValidationError

from domain import graphs
from domain.errors import InvalidPlanError
from domain.ids import TaskId, is_name
from domain.plans import MAX_PORTS, Decision, Plan
from domain.templates import GatePolicy, PlanTemplate, Port
from domain.verification import SUBJECT, StepType, VerificationStep, port_references
from domain.wire import size_bytes

MAX_PROBLEMS = 50
MAX_WORDS = 500
"""Characters of one problem: it may quote what the agent wrote."""

MAX_WARNINGS = 50
MAX_STEPS = 50
MAX_LABEL = 200
MAX_PATH = 12
MAX_TEXT_BYTES = 32 << 10
MAX_PLAN_BYTES = 512 << 10
MAX_VALUES = 30_000


def parse_plan(raw: Any, template: PlanTemplate) -> tuple[Plan, tuple[str, ...]]:
    """Read a plan as an agent sent it, mend its dependencies and complete it from the template.

    Returns the plan and what the person is warned of at approval: each dependency that was removed
    (features.md B4), and each check or question that the planner wants to leave out.

    Raises:
        InvalidPlanError: With every problem at once, one a line, worded for the planner.
    """
    _check_size(raw)
    try:
        plan = Plan.model_validate(raw)
    except ValidationError as error:
        problems = [f"{_place(e['loc'])}: {e['msg']}" for e in error.errors(include_input=False)]
        raise InvalidPlanError(_listed(problems)) from error
    plan = _complete(plan, template)
    _check_size(plan)
    found = chain(_problems(plan, template), _size_problems(plan))
    if problems := list(islice(found, MAX_PROBLEMS + 1)):
        raise InvalidPlanError(_listed(problems))
    plan, removed = _without_bad_dependencies(plan)
    return plan, (*removed, *_left_out(plan, template))


def _left_out(plan: Plan, template: PlanTemplate) -> Iterable[str]:
    """Name what the planner wants to happen without the template's checks or a person's look."""
    for task in plan.tasks:
        if task.gate is GatePolicy.AUTO and template.gate is GatePolicy.ASK:
            yield f"task {task.id!r} will be merged without asking you: the planner wants no gate"
        if task.skips_template_steps and template.verification.steps:
            yield f"task {task.id!r} leaves out the template's verification steps"


def _size_problems(plan: Plan) -> Iterable[str]:
    """A plan lies in histories: what Temporal could not carry is refused at the door."""
    texts = [("summary", plan.summary), ("approach", plan.approach), ("goal", plan.goal)]
    texts += [(f"task {task.id!r}: description", task.description) for task in plan.tasks]
    texts += [(f"task {task.id!r}: title", task.title) for task in plan.tasks]
    for where, text in texts:
        if len(text.encode()) > MAX_TEXT_BYTES:
            yield f"{where}: {len(text.encode())} bytes, at most {MAX_TEXT_BYTES}"


def _check_size(plan: Any) -> None:
    """Refuse a plan that is too large, before its parts are looked at and once it is complete.

    Raises:
        InvalidPlanError: It is, or it is nothing that JSON can hold.
    """
    try:
        size = size_bytes(plan)
    except ValueError as error:
        raise InvalidPlanError(_listed(["plan: too deep, or no valid Unicode"])) from error
    if _is_crowded(plan):
        raise InvalidPlanError(_listed([f"plan: at most {MAX_VALUES} values in all"]))
    if size > MAX_PLAN_BYTES:
        words = f"plan: {size} bytes in all, at most {MAX_PLAN_BYTES}: say less, or split the goal"
        raise InvalidPlanError(_listed([words]))


def _is_crowded(raw: Any) -> bool:
    """Tell whether JSON has so many values that telling what is wrong with each takes a second."""
    waiting, count = [raw], 0
    while waiting and count <= MAX_VALUES:
        value: Any = waiting.pop()
        count += 1
        if isinstance(value, dict | list):
            waiting.extend(value.values() if isinstance(value, dict) else value)  # pyright: ignore[reportUnknownArgumentType] (any JSON)
    return count > MAX_VALUES


def _listed(problems: list[str]) -> str:
    """Word problems for the planner; so many of them, as the text lies in histories."""
    many = f"more than {MAX_PROBLEMS}" if len(problems) > MAX_PROBLEMS else str(len(problems))
    head = f"the plan has {many} problem(s); mend all of them and call propose_plan again:"
    return "\n".join([head, *(f"- {p[:MAX_WORDS]}" for p in problems[:MAX_PROBLEMS])])


def _place(location: tuple[int | str, ...]) -> str:
    return ".".join(str(part) for part in location) or "plan"


def _complete(plan: Plan, template: PlanTemplate) -> Plan:
    defaults = () if not plan.tasks else template.verification.steps
    tasks = tuple(
        task.model_copy(
            update={
                "verification": _numbered(
                    (*(() if task.skips_template_steps else defaults), *task.verification)
                ),
                "ports": _joined(template.resources.default_ports, task.ports),
            }
        )
        for task in plan.tasks
    )
    own = (*template.verification.steps, *plan.verification) if not plan.tasks else ()
    return plan.model_copy(update={"tasks": tasks, "verification": _numbered(own)})


def _numbered(steps: Iterable[VerificationStep]) -> tuple[VerificationStep, ...]:
    return tuple(
        step.model_copy(update={"id": f"step-{n}", "label": step.label or step.subject})
        for n, step in enumerate(steps, 1)
    )


def _joined(defaults: tuple[Port, ...], own: tuple[Port, ...]) -> tuple[Port, ...]:
    named = {port.id for port in own}
    return (*(port for port in defaults if port.id not in named), *own)


def _problems(plan: Plan, template: PlanTemplate) -> Iterable[str]:
    seen: set[str] = set()
    asked = [decision.id for decision in plan.decisions]
    decisions = set(asked)
    for decision in plan.decisions:
        yield from _decision_problems(decision)
    for decision in sorted(d for d, count in Counter(asked).items() if count > 1):
        yield f"decision {decision!r}: duplicate_id: every decision needs an id of its own"
    for task in plan.tasks:
        where = f"task {task.id!r}"
        if not is_name(task.id):
            yield f"{where}: bad_id: use lowercase letters, digits and dashes, at most 63, like 'task-1'"
        if task.id in seen:
            yield f"{where}: duplicate_id: every task needs an id of its own"
        seen.add(task.id)
        if not task.title.strip():
            yield f"{where}: the title is empty"
        if task.decision_id is not None and task.decision_id not in decisions:
            yield f"{where}: unknown_decision {task.decision_id!r}: known are {sorted(decisions)[:MAX_PATH]}"
        yield from _port_problems(where, task.ports)
        yield from _step_problems(where, task.verification, {port.id for port in task.ports})
    ports = {port.id for port in template.resources.default_ports}
    yield from _step_problems("plan", plan.verification, ports)
    if not plan.tasks and not plan.summary.strip():
        yield "plan: without tasks it needs a summary that says what to do"


def _decision_problems(decision: Decision) -> Iterable[str]:
    names = {"id": decision.id, **{f"option {o.label!r}": o.label for o in decision.options}}
    for what, name in names.items():
        if len(name) > MAX_LABEL:
            yield f"decision, {what[:MAX_PATH]}: at most {MAX_LABEL} characters"


def _port_problems(where: str, ports: tuple[Port, ...]) -> Iterable[str]:
    ids = [port.id for port in ports]
    if len(ids) > MAX_PORTS:
        yield f"{where}: {len(ids)} ports: at most {MAX_PORTS} a task"
    for port_id in sorted(i for i, count in Counter(ids).items() if count > 1):
        yield f"{where}: duplicate_port {port_id!r}"
    for port_id in ids:
        if not is_name(port_id):
            yield f"{where}: bad_port_id {port_id!r}: use lowercase letters, digits and dashes"


def _step_problems(
    where: str, steps: tuple[VerificationStep, ...], ports: set[str]
) -> Iterable[str]:
    if len(steps) > MAX_STEPS:
        yield f"{where}: {len(steps)} verification steps: at most {MAX_STEPS}"
    for step in steps:
        place = f"{where}, verification step {step.label or step.type!r}"
        wanted = SUBJECT.get(step.type)
        if step.type in {StepType.PORT_REQUESTED, StepType.REVIEW_AGENT}:
            yield f"{place}: the type {step.type} can't be asked for here"
        elif wanted and not (getattr(step, wanted) or "").strip():
            yield f"{place}: missing_field {wanted!r}"
        for port in port_references(step.subject):
            if port not in ports:
                yield f"{place}: unknown_port {port!r}: declare it in the task's ports"


def _without_bad_dependencies(plan: Plan) -> tuple[Plan, tuple[str, ...]]:
    """Remove unknown, self and circular dependencies, each with a warning (seed 002, B4).

    Raises:
        InvalidPlanError: There are too many to show; such a plan is not one to repair.
    """
    graph: dict[str, list[TaskId]] = {task.id: [] for task in plan.tasks}
    warnings: list[str] = []
    for task in plan.tasks:
        for needed in dict.fromkeys(task.depends_on):
            if needed == task.id:
                warnings.append(f"task {task.id!r} depended on itself: removed")
            elif needed not in graph:
                warnings.append(f"task {task.id!r} depended on unknown {needed!r}: removed")
            else:
                graph[task.id].append(needed)
    closing: set[tuple[str, str]] = set()
    for cycle in graphs.cycles(graph):
        warnings.append(_cycle_warning(cycle))
        closing.add((cycle[-2], cycle[-1]))
        if len(warnings) > MAX_WARNINGS:
            break
    if len(warnings) > MAX_WARNINGS:
        raise InvalidPlanError(_listed(warnings[:MAX_WARNINGS]))
    tasks = tuple(
        t.model_copy(
            update={"depends_on": tuple(d for d in graph[t.id] if (t.id, d) not in closing)}
        )
        for t in plan.tasks
    )
    return plan.model_copy(update={"tasks": tasks}), tuple(w[:MAX_WORDS] for w in warnings)


def _cycle_warning(cycle: list[str]) -> str:
    shown = cycle if len(cycle) <= MAX_PATH else [*cycle[: MAX_PATH - 2], "…", *cycle[-2:]]
    removed = f"the dependency of {cycle[-2]!r} on {cycle[-1]!r} was removed"
    return f"cycle {' → '.join(shown)}: {removed}"
