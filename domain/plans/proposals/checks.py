"""The rules that a plan must keep to be shown to a person; each broken one is a problem."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain, islice

from domain.agents.terminals import MAX_LABEL as MAX_TERMINAL_LABEL
from domain.agents.terminals import MAX_RUNNING
from domain.core.ids import WORK, is_name
from domain.core.text import counted
from domain.plans.plan import (
    MAX_DEPTH,
    MAX_OPTIONS,
    MAX_PORTS,
    MIN_OPTIONS,
    Decision,
    Plan,
    PlannedTask,
    RunsAs,
)
from domain.plans.proposals.best_of import find_best_of_problems
from domain.plans.proposals.git_departures import find_git_problems
from domain.plans.proposals.health_urls import find_url_problems
from domain.plans.proposals.limits import PlanRules
from domain.plans.proposals.problems import MAX_PROBLEMS, Problem, ProblemType, refusal
from domain.plans.proposals.secret_names import find_secret_names
from domain.plans.proposals.shape import MAX_TEXT_BYTES, PROPOSED_STEPS, find_size_problems
from domain.plans.proposals.template_steps import find_replaced_steps, step_key
from domain.plans.templates.template import PlanTemplate, Port, step_name
from domain.verification.pictures import picture_faults
from domain.verification.side_by_side import group_faults
from domain.verification.steps import (
    SUBJECT,
    StepType,
    VerificationStep,
    doubtful_references,
    port_references,
    without_reviews,
)

MAX_STEPS = 50
MAX_REVIEWS = 4
MAX_LABEL = 200
MAX_COMMAND = 10_000
MAX_LIST = 100
_SHOWN = 12
_ID = "use lowercase letters, digits and dashes, at most 63, like 'task-1'"
_DECISION_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,62}", re.ASCII)
_SUBJECTS = ("command", "path", "url", "prompt")


def check_plan(
    plan: Plan, sent: Plan, template: PlanTemplate, depth: int, rules: PlanRules
) -> None:
    """Check a plan, completed from its template, against every rule.

    `depth` is how many threads stand above the one that plans.

    Raises:
        InvalidPlanError: With all that it breaks.
    """
    found = chain(
        find_size_problems(plan, rules.limits),
        _lost_steps(sent, template),
        _long_texts(plan),
        _decisions(plan),
        _tasks(plan, depth),
        _single_unit(plan, template),
        _repositories(plan, rules.beside),
        find_best_of_problems(plan, template),
        find_git_problems(plan, template),
        find_url_problems(plan) if rules.checks_health_urls else (),
        find_secret_names(plan) if rules.checks_secret_names else (),
    )
    if problems := list(islice(found, MAX_PROBLEMS + 1)):
        raise refusal(problems)


def _tasks(plan: Plan, depth: int) -> Iterable[Problem]:
    decisions = {decision.id for decision in plan.decisions}
    seen: set[str] = {WORK}
    for task in plan.tasks:
        yield from _task(task, decisions, depth)
        if task.id in seen:
            words = "every task needs an id of its own"
            yield Problem(f"task {task.id!r}", ProblemType.DUPLICATE_ID, words)
        seen.add(task.id)
    if plan.tasks and plan.verification:
        words = "verification: a plan with tasks has it at its tasks"
        yield Problem("plan", ProblemType.CONFLICT, words)


def _repositories(plan: Plan, known: Sequence[str]) -> Iterable[Problem]:
    """Yield names of repositories that the thread has not beside its own: their changes would be lost."""
    listed = ", ".join(known) or "none"
    for task in plan.tasks:
        for name in task.repositories[:MAX_LIST]:
            if name not in known:
                words = f"repository {name[:MAX_LABEL]!r}; beside this one there are: {listed}"
                yield Problem(f"task {task.id[:MAX_LABEL]!r}", ProblemType.BAD_VALUE, words)


def _single_unit(plan: Plan, template: PlanTemplate) -> Iterable[Problem]:
    if plan.tasks:
        return
    if not plan.summary.strip():
        words = "without tasks it needs a summary that says what to do"
        yield Problem("plan", ProblemType.MISSING_FIELD, words)
    ports = [port.id for port in template.resources.default_ports]
    yield from _steps("plan", plan.verification, ports)


def _lost_steps(sent: Plan, template: PlanTemplate) -> Iterable[Problem]:
    """Yield steps that may not be left out, required ones made optional, and unknown names."""
    kept = {step_key(name) for name in template.verification.kept}
    for step in find_replaced_steps(sent, template):
        name = step_name(step.default)
        if step.is_weaker or (step.is_other and step_key(name) in kept):
            words = f"{name!r} is required by the template: leave it as it is"
            yield Problem(step.where, ProblemType.REQUIRED_STEP_REMOVED, words)
    names = [step_name(step) for step in template.verification.steps]
    known = {step_key(name) for name in names}
    for task in sent.tasks:
        where = f"task {task.id!r}"
        for name in names if task.skips_template_steps else task.skip_steps:
            if step_key(name) not in known:
                words = f"{name[:MAX_LABEL]!r} in skip_steps; the template has: {names}"
                yield Problem(where, ProblemType.UNKNOWN_STEP, words)
            elif step_key(name) in kept:
                words = f"{name!r} is required by the template: it can't be left out"
                yield Problem(where, ProblemType.REQUIRED_STEP_REMOVED, words)


def _steps(
    where: str, steps: Sequence[VerificationStep], ports: Iterable[str]
) -> Iterable[Problem]:
    """Yield what is wrong with the verification steps of a task, or of a plan without tasks."""
    if len(steps) > MAX_STEPS:
        words = f"{len(steps)} verification steps, at most {MAX_STEPS}"
        yield Problem(where, ProblemType.TOO_MANY, words)
    declared = set(ports)
    reviews = [step for step in steps if step.type is StepType.REVIEW_AGENT]
    if len(reviews) > MAX_REVIEWS:
        words = f"{len(reviews)} review_agent steps, at most {MAX_REVIEWS}: one can look at several things"
        yield Problem(where, ProblemType.TOO_MANY, words)
    for step in steps:
        name = (step.label or step.type)[:MAX_LABEL]
        yield from _step(f"{where}, verification step {name!r}", step, declared)
    for _, kind, words in group_faults(steps):
        yield Problem(where, ProblemType(kind), words)


def _long_texts(plan: Plan) -> Iterable[Problem]:
    texts = [("plan, key_risk", plan.key_risk)]
    texts += [("plan, considerations", text) for text in plan.considerations]
    texts += [(f"task {task.id!r}, title", task.title) for task in plan.tasks]
    for where, text in texts:
        if (size := len(text.encode())) > MAX_TEXT_BYTES:
            words = f"{size} bytes, at most {MAX_TEXT_BYTES}"
            yield Problem(where, ProblemType.TOO_LONG, words)


def _decisions(plan: Plan) -> Iterable[Problem]:
    ids = Counter(decision.id for decision in plan.decisions)
    for name in sorted(name for name, count in ids.items() if count > 1):
        words = "every decision needs an id of its own"
        yield Problem(f"decision {name!r}", ProblemType.DUPLICATE_ID, words)
    for decision in plan.decisions:
        yield from _decision(f"decision {decision.id[:MAX_LABEL]!r}", decision)


def _decision(where: str, decision: Decision) -> Iterable[Problem]:
    labels = [option.label for option in decision.options]
    if not _DECISION_ID.fullmatch(decision.id):
        words = "use lowercase letters, digits, dashes and underscores, at most 63, like 'database'"
        yield Problem(where, ProblemType.BAD_ID, words)
    if not decision.question.strip():
        yield Problem(where, ProblemType.MISSING_FIELD, "the question is empty")
    if len(labels) < MIN_OPTIONS:
        words = f"{counted(len(labels), 'option')}: a person needs at least {MIN_OPTIONS} to choose from"
        yield Problem(where, ProblemType.TOO_FEW, words)
    if len(labels) > MAX_OPTIONS:
        words = f"{len(labels)} options, at most {MAX_OPTIONS}"
        yield Problem(where, ProblemType.TOO_MANY, words)
    for label in sorted(label for label, count in Counter(labels).items() if count > 1):
        words = f"{label[:MAX_LABEL]!r}: each option needs a label of its own"
        yield Problem(where, ProblemType.DUPLICATE_OPTION, words)
    for text in (decision.header, *labels):
        if len(text) > MAX_LABEL:
            words = f"{text[:_SHOWN]!r}…: at most {MAX_LABEL} characters"
            yield Problem(where, ProblemType.TOO_LONG, words)
    if decision.safe_default is not None and decision.safe_default not in labels:
        words = f"safe_default {decision.safe_default[:MAX_LABEL]!r}; options: {labels[:_SHOWN]}"
        yield Problem(where, ProblemType.UNKNOWN_OPTION, words)


def _task(task: PlannedTask, decisions: set[str], depth: int) -> Iterable[Problem]:
    where = f"task {task.id[:MAX_LABEL]!r}"
    if not is_name(task.id):
        yield Problem(where, ProblemType.BAD_ID, _ID)
    if not task.title.strip():
        yield Problem(where, ProblemType.MISSING_FIELD, "the title is empty")
    if task.decision_id is not None and task.decision_id not in decisions:
        words = f"{task.decision_id[:MAX_LABEL]!r}; known are {sorted(decisions)[:_SHOWN]}"
        yield Problem(where, ProblemType.UNKNOWN_DECISION, words)
    if task.runs_as is RunsAs.THREAD and depth >= MAX_DEPTH:
        words = f"{depth} threads stand above this one, at most {MAX_DEPTH}: run it as a task"
        yield Problem(where, ProblemType.TOO_DEEP, words)
    if task.runs_as is RunsAs.THREAD and len(without_reviews(task.verification)) < len(
        task.verification
    ):
        words = "a thread's work is reviewed task by task: say in its description what to review"
        yield Problem(where, ProblemType.CONFLICT, words)
    yield from _area(where, task)
    for tool in (*task.allowed_tools[:MAX_LIST], *task.denied_tools[:MAX_LIST]):
        if not tool.strip() or len(tool) > MAX_LABEL:
            words = f"tool {tool[:_SHOWN]!r}: give its name"
            yield Problem(where, ProblemType.BAD_VALUE, words)
    for tools in (task.allowed_tools, task.denied_tools):
        if len(tools) > MAX_LIST:
            words = f"{len(tools)} tools, at most {MAX_LIST}"
            yield Problem(where, ProblemType.TOO_MANY, words)
    yield from _ports(where, task.ports)
    yield from _terminals(where, task.terminals)
    yield from _steps(where, task.verification, (port.id for port in task.ports))


def _area(where: str, task: PlannedTask) -> Iterable[Problem]:
    if len(task.area) > MAX_LIST:
        words = f"area: {len(task.area)} globs, at most {MAX_LIST}"
        yield Problem(where, ProblemType.TOO_MANY, words)
    for glob in task.area[:MAX_LIST]:
        parts = glob.split("/")
        is_inside = not glob.startswith("/") and ".." not in parts
        if not glob.strip() or len(glob) > MAX_LABEL or not glob.isprintable() or not is_inside:
            words = (
                f"area {glob[:MAX_LABEL]!r}: give a glob relative to the repository, like 'src/**'"
            )
            yield Problem(where, ProblemType.BAD_VALUE, words)


def _ports(where: str, ports: tuple[Port, ...]) -> Iterable[Problem]:
    ids = [port.id for port in ports]
    if len(ids) > MAX_PORTS:
        words = f"{len(ids)} ports, at most {MAX_PORTS} for a task"
        yield Problem(where, ProblemType.TOO_MANY, words)
    for name in sorted(name for name, count in Counter(ids).items() if count > 1):
        words = f"{name[:MAX_LABEL]!r} is declared more than once"
        yield Problem(where, ProblemType.DUPLICATE_PORT, words)
    for name in ids:
        if not is_name(name):
            words = f"{name[:MAX_LABEL]!r}: lowercase letters, digits and dashes, at most 63"
            yield Problem(where, ProblemType.BAD_PORT_ID, words)


def _terminals(where: str, labels: tuple[str, ...]) -> Iterable[Problem]:
    if len(labels) > MAX_RUNNING:
        words = f"{len(labels)} terminals, at most {MAX_RUNNING} for a task"
        yield Problem(where, ProblemType.TOO_MANY, words)
    for label in labels[:MAX_LIST]:
        if not label.strip() or len(label) > MAX_TERMINAL_LABEL or not label.isprintable():
            words = f"terminal {label[:MAX_LABEL]!r}: give a label like 'dev server'"
            yield Problem(where, ProblemType.BAD_VALUE, words)


def _step(where: str, step: VerificationStep, ports: set[str]) -> Iterable[Problem]:
    wanted = SUBJECT.get(step.type)
    if step.type is StepType.PORT_REQUESTED:
        words = (
            f"{step.type} is done for every declared port; known are: {', '.join(PROPOSED_STEPS)}"
        )
        yield Problem(where, ProblemType.UNKNOWN_STEP_TYPE, words)
    elif wanted and not (getattr(step, wanted) or "").strip():
        yield Problem(where, ProblemType.MISSING_FIELD, f"a {step.type} step needs {wanted!r}")
    is_review = step.type is StepType.REVIEW_AGENT
    for name in ("agent", "model"):
        value = getattr(step, name)
        if value and not is_review:
            words = f"a {step.type} step takes no {name}: only review_agent has one"
            yield Problem(where, ProblemType.CONFLICT, words)
        elif value is not None and is_review and not 0 < len(value.strip()) <= MAX_LABEL:
            yield Problem(where, ProblemType.BAD_VALUE, f"{name}: give its name, or leave it out")
    others = [name for name in _SUBJECTS if name != wanted and getattr(step, name) is not None]
    if wanted and others:
        words = f"a {step.type} step takes {wanted!r} alone, without {', '.join(others)}"
        yield Problem(where, ProblemType.CONFLICT, words)
    if len(step.subject) > MAX_COMMAND:
        words = f"{len(step.subject)} characters, at most {MAX_COMMAND}: put a script into the task"
        yield Problem(where, ProblemType.TOO_LONG, words)
    for kind, words in picture_faults(
        step.keep, leaves_files=step.leaves_files, has_page=not step.picture or step.has_page
    ):
        yield Problem(where, ProblemType(kind), words)
    unknown = [port for port in port_references(step.subject) if port not in ports]
    for reference in (*unknown, *doubtful_references(step.subject)):
        words = f"{reference[:MAX_LABEL]!r}: declare it in the task's ports, write ${{ports.ID}}"
        yield Problem(where, ProblemType.UNKNOWN_PORT, words)
