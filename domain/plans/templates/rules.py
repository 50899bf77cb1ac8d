"""What a plan template must not say; checked when its file is read, never on what was kept."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from domain.core.hosts import PATTERN_WORDS, is_pattern
from domain.core.ids import is_name
from domain.forges.policy import Response
from domain.plans.best_of import find_faults as find_best_of_faults
from domain.plans.templates.template import GitConventions, PlanTemplate, Port, step_name
from domain.recipes.faults import find_recipe_faults
from domain.verification.checkouts import Recipe
from domain.verification.pictures import picture_faults
from domain.verification.side_by_side import group_faults
from domain.verification.steps import SUBJECT, StepType, VerificationStep, port_references

MAX_STEPS = 50
MAX_PORTS = 10
MAX_HOSTS = 50
MAX_PREPARED = 20
MAX_WORDS = 16_384
MAX_SUBJECT_BYTES = 8_192
MAX_BRANCH = 60
_BRANCH = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*(/[A-Za-z0-9][A-Za-z0-9._-]*)*", re.ASCII)


class Fault(NamedTuple):
    """One thing that is wrong: where, by the stable name of its kind, and in words."""

    place: tuple[str | int, ...]
    type: str
    words: str


def faults(template: PlanTemplate) -> Iterator[Fault]:
    """Yield everything that a template's file must not say."""
    for name in ("description", "planning_hints", "agent_instructions", "guidance"):
        if len(getattr(template, name)) > MAX_WORDS:
            yield Fault((name,), "too_long", f"at most {MAX_WORDS} characters")
    yield from find_git_faults(template.git)
    yield from _faults_of_ports(template.resources.default_ports)
    yield from _faults_of_hosts(template.resources.hosts)
    yield from _faults_of_recipe(template.verification.recipe)
    for found in find_recipe_faults(template.workspace):
        yield Fault(("workspace", *found.place), found.type, found.words)
    for words in find_best_of_faults(template.best_of) if template.best_of else ():
        yield Fault(("bestOf",), "bad_value", words)
    steps = template.verification.steps
    if len(steps) > MAX_STEPS:
        yield Fault(("verification", "steps"), "too_many", f"at most {MAX_STEPS} steps")
    for number, step in enumerate(steps):
        for type_name, words in step_faults(step):
            yield Fault(("verification", "steps", number), type_name, words)
    for number, type_name, words in group_faults(steps):
        yield Fault(("verification", "steps", number), type_name, words)


def cautions(template: PlanTemplate) -> Iterator[Fault]:
    """Yield what a template may say and people should know."""
    declared = {port.id for port in template.resources.default_ports}
    for number, step in enumerate(template.verification.steps):
        place = ("verification", "steps", number)
        for port in port_references(step.subject):
            if port not in declared:
                words = (
                    f"{step_name(step)[:80]!r} needs port {port[:80]!r}: each task must declare it"
                )
                yield Fault(place, "undeclared_port", words)
    if template.git.on_review_comment is Response.REWORK and not template.git.authors:
        words = "no comment causes a rework: name in authors whose may"
        yield Fault(("git", "onReviewComment"), "no_authors", words)


def step_faults(step: VerificationStep) -> Iterator[tuple[str, str]]:
    """Yield what is wrong with a step: nothing to do, two things to do, or what can never be done."""
    subjects = {field for field in SUBJECT.values() if (getattr(step, field) or "").strip()}
    wanted = SUBJECT.get(step.type)
    if wanted is None:
        yield "unknown_step_type", f"{step.type} steps are made by Treadle itself"
    elif wanted not in subjects:
        yield "missing_field", f"a {step.type} step needs {wanted!r}"
    elif others := sorted(subjects - {wanted}):
        yield "conflict", f"it has {wanted!r} and {others[0]!r}: give one of them"
    if len(step.subject.encode()) > MAX_SUBJECT_BYTES:
        yield "too_long", f"at most {MAX_SUBJECT_BYTES} bytes in {wanted!r}"
    if _is_outside(step):
        yield "bad_path", "the path leads out of the repository: give one inside it, without '..'"
    yield from picture_faults(
        step.keep, leaves_files=step.leaves_files, has_page=not step.picture or step.has_page
    )
    for port in port_references(step.subject):
        if not is_name(port):
            yield "unknown_port", f"there can be no port {port[:80]!r}"


def is_branch(name: str) -> bool:
    """Tell whether a text can name a branch; git itself takes more, `$(id)` and `;id` too."""
    is_plain = bool(_BRANCH.fullmatch(name)) and len(name) <= MAX_BRANCH and ".." not in name
    parts = name.split("/")
    return (
        is_plain
        and parts[0] not in {"refs", "HEAD"}
        and not any(part.endswith((".", ".lock")) for part in parts)
    )


def find_git_faults(git: GitConventions) -> Iterator[Fault]:
    """Yield what is wrong with a prefix or a target: they must name branches."""
    prefix = git.branch_prefix
    if not is_branch(f"{prefix}x") or not is_branch(prefix.removesuffix("/")):
        words = f"use letters, digits, '.', '_', '-', '/', at most {MAX_BRANCH}, like 'feature/'"
        yield Fault(("git", "branchPrefix"), "bad_branch_prefix", words)
    if git.pr_target is not None and not is_branch(git.pr_target):
        yield Fault(("git", "prTarget"), "bad_branch", "give the name of a branch, like 'main'")


def _faults_of_recipe(recipe: Recipe) -> Iterator[Fault]:
    for name, words in (("prepare", recipe.prepare), ("carry", recipe.carried)):
        place = ("verification", name)
        if len(words) > MAX_PREPARED:
            yield Fault(place, "too_many", f"at most {MAX_PREPARED}")
        for number, text in enumerate(words):
            if not text.strip() or "\0" in text or len(text.encode()) > MAX_SUBJECT_BYTES:
                reason = f"give 1 to {MAX_SUBJECT_BYTES} bytes without a NUL character"
                yield Fault((*place, number), "bad_value", reason)
            elif name == "carry" and (text.startswith("/") or ".." in text.split("/")):
                reason = "the path leads out of the repository: give one inside it, without '..'"
                yield Fault((*place, number), "bad_path", reason)


def _faults_of_ports(ports: tuple[Port, ...]) -> Iterator[Fault]:
    place = ("resources", "defaultPorts")
    if len(ports) > MAX_PORTS:
        yield Fault(place, "too_many", f"at most {MAX_PORTS} ports a task")
    seen: set[str] = set()
    for number, port in enumerate(ports):
        if not is_name(port.id):
            words = f"{port.id[:80]!r}: use lowercase letters, digits and dashes, at most 63"
            yield Fault((*place, number), "bad_port_id", words)
        if port.id in seen:
            yield Fault((*place, number), "duplicate_port", f"{port.id!r} is there twice")
        seen.add(port.id)


def _faults_of_hosts(hosts: tuple[str, ...]) -> Iterator[Fault]:
    place = ("resources", "hosts")
    if len(hosts) > MAX_HOSTS:
        yield Fault(place, "too_many", f"at most {MAX_HOSTS} hosts")
    for number, host in enumerate(hosts):
        if not is_pattern(host):
            yield Fault((*place, number), "bad_host", f"{host[:80]!r}: {PATTERN_WORDS}")


def _is_outside(step: VerificationStep) -> bool:
    path = step.path if step.type is StepType.FILE_EXISTS else None
    if step.type is StepType.SCRIPT:
        path = (step.command or "").strip().partition(" ")[0]
    return bool(path) and (path.startswith("/") or ".." in path.split("/"))
