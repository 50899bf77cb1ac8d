"""The shape of a plan as an agent or a person sent it: its size, its fields, the prose that is cut."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from typing import Any, cast

from pydantic import AliasChoices, ValidationError
from pydantic_core import ErrorDetails

from domain.core.agent_json import parse_json
from domain.core.json_parts import has_more_parts
from domain.core.wire import Wire, size_bytes
from domain.plans.plan import Decision, Plan, PlannedTask
from domain.plans.proposals.limits import PlanLimits
from domain.plans.proposals.problems import Problem, ProblemType, refusal
from domain.plans.templates.template import GitOverrides
from domain.verification.steps import StepType, VerificationStep

MAX_TEXT_BYTES = 32 << 10
CUT = "\n[... cut by Treadle: too long to be carried along]"
PROSE = frozenset({"description", "summary", "approach", "goal"})
PROPOSED_STEPS = tuple(t for t in StepType if t is not StepType.PORT_REQUESTED)
"""The types of step that a plan may have; declared ports are checked without being asked for."""

_NEAR = 0.8
_MISPLACED = frozenset({"dependencies", "depends_on", "dependsOn"})
_PARTS: Mapping[str, type[Wire]] = {
    "tasks": PlannedTask,
    "steps": PlannedTask,
    "decisions": Decision,
    "verification": VerificationStep,
    "git": GitOverrides,
}


def cut_texts(raw: Any) -> Any:
    """Return a plan whose prose is cut to what can be carried along; nothing else is changed.

    Raises:
        InvalidPlanError: It is nothing that JSON can hold, or nested too deeply to be looked at.
    """
    try:
        size_bytes(raw)
    except ValueError as error:
        words = "too deep, or no valid Unicode"
        raise refusal([Problem("plan", ProblemType.BAD_VALUE, words)]) from error
    return _with_cut_prose(raw)


def _with_cut_prose(raw: Any) -> Any:
    if isinstance(raw, list):
        return [_with_cut_prose(each) for each in cast("list[Any]", raw)]
    if not isinstance(raw, dict):
        return raw
    mapping = cast("dict[str, Any]", raw)
    return {
        key: _cut(value) if key in PROSE and isinstance(value, str) else _with_cut_prose(value)
        for key, value in mapping.items()
    }


def _cut(text: str) -> str:
    encoded = text.encode("utf-8", "surrogatepass")
    if len(encoded) <= MAX_TEXT_BYTES:
        return text
    return encoded[: MAX_TEXT_BYTES - len(CUT)].decode("utf-8", "ignore") + CUT


def shape_plan(raw: Any, limits: PlanLimits) -> Plan:
    """Return the plan that was sent, as it stands, with its prose cut.

    Raises:
        InvalidPlanError: With every problem of its shape at once.
    """
    raw = cut_texts(_parsed(raw))
    if excess := next(_excesses(raw, limits), None):
        raise refusal([excess])
    problems = list(_unknown_fields(Plan, raw, "plan"))
    try:
        plan = Plan.model_validate(raw)
    except ValidationError as error:
        found = (_problem_of(each, raw) for each in error.errors(include_url=False))
        raise refusal([*found, *problems]) from error
    if problems:
        raise refusal(problems)
    return plan


def _parsed(raw: Any) -> Any:
    """Return a plan that came as a text as the value of its JSON."""
    try:
        return parse_json(raw) if isinstance(raw, str) else raw
    except ValueError as error:
        raise refusal([Problem("plan", ProblemType.BAD_JSON, str(error))]) from error


def _excesses(raw: Any, limits: PlanLimits) -> Iterator[Problem]:
    """Yield why the parts of a plan are too many to be looked at."""
    if (count := len(_tasks(raw))) > limits.tasks:
        words = f"{count} tasks, at most {limits.tasks}: join some, or make child threads"
        yield Problem("plan", ProblemType.TOO_MANY_TASKS, words)
    if has_more_parts(raw, limits.values - 1):
        yield Problem("plan", ProblemType.TOO_LARGE, f"at most {limits.values} values in all")
    yield from find_size_problems(raw, limits)


def find_size_problems(plan: Any, limits: PlanLimits) -> Iterator[Problem]:
    """Yield that a plan is too large to be carried along, where it is."""
    if (size := limits.size_of(plan)) > limits.bytes:
        words = f"{size} bytes in all, at most {limits.bytes}: say less, or split the goal"
        yield Problem("plan", ProblemType.TOO_LARGE, words)


def _tasks(raw: Any) -> Sequence[Any]:
    if not isinstance(raw, dict):
        return ()
    mapping = cast("dict[str, Any]", raw)
    tasks = mapping.get("tasks", mapping.get("steps"))
    return cast("list[Any]", tasks) if isinstance(tasks, list) else ()


def _problem_of(error: ErrorDetails, raw: Any) -> Problem:
    """Give pydantic's finding its stable type and words for a planner."""
    location = error["loc"]
    name = str(location[-1]) if location else "plan"
    where = _place(location[:-1], raw)
    if error["type"] == "missing":
        return Problem(where, ProblemType.MISSING_FIELD, f"{name!r} is needed")
    if name == "timeout" and "verification" in location:
        words = "timeout is a whole number of milliseconds, 1 to 86400000"
        return Problem(where, ProblemType.BAD_TIMEOUT, words)
    if error["type"] == "enum":
        if name == "type" and "verification" in location:
            words = f"{error['input']!r}; known are: {', '.join(PROPOSED_STEPS)}"
            return Problem(where, ProblemType.UNKNOWN_STEP_TYPE, words)
        words = f"{name}: {error['input']!r}; allowed: {error.get('ctx', {}).get('expected')}"
        return Problem(where, ProblemType.BAD_VALUE, words)
    return Problem(where, ProblemType.BAD_VALUE, f"{name}: {error['msg']}")


def _place(location: Sequence[int | str], raw: Any) -> str:
    """Name a place as a person would: a task by its id, the rest by its path."""
    head, number, *rest = (*location, "", "")
    if head not in {"tasks", "steps"} or not isinstance(number, int):
        return ".".join(["plan", *map(str, location)])
    inner = ".".join(str(part) for part in rest).rstrip(".")
    task: Any = _tasks(raw)[number]
    named: Any = cast("dict[str, Any]", task).get("id") if isinstance(task, dict) else None
    name = f"task {named!r}" if isinstance(named, str) else f"task number {number + 1}"
    return f"{name}, {inner}" if inner else name


def _unknown_fields(model: type[Wire], raw: Any, where: str) -> Iterator[Problem]:
    """Find fields that are nearly known ones, and dependencies that stand where nothing has any.

    Anything else that is unknown is passed over.
    """
    if not isinstance(raw, dict):
        return
    known = set(_names(model))
    for key, value in cast("dict[str, Any]", raw).items():
        if key in known:
            part = _PARTS.get(key)
            if part is not None and isinstance(value, dict):
                yield from _unknown_fields(part, value, f"{where}, {key}")
            elif part is not None and isinstance(value, list):
                for number, each in enumerate(cast("list[Any]", value)):
                    yield from _unknown_fields(part, each, _part_place(where, key, number, each))
        elif model is Plan and key in _MISPLACED:
            words = f"{key!r} stands at the plan itself: each task names what it depends on"
            yield Problem(where, ProblemType.UNKNOWN_FIELD, words)
        elif near := get_close_matches(key.lower(), known, n=1, cutoff=_NEAR):
            words = f"{key[:80]!r}: did you mean {near[0]!r}?"
            yield Problem(where, ProblemType.UNKNOWN_FIELD, words)


def _part_place(where: str, key: str, number: int, raw: Any) -> str:
    named: Any = cast("dict[str, Any]", raw).get("id") if isinstance(raw, dict) else None
    if key in {"tasks", "steps"} and isinstance(named, str):
        return f"task {named!r}"
    return f"{where}, {key}.{number}"


def _names(model: type[Wire]) -> Iterable[str]:
    """Yield all names that a model is read by."""
    for name, field in model.model_fields.items():
        yield name
        if isinstance(field.validation_alias, AliasChoices):
            yield from map(str, field.validation_alias.choices)
