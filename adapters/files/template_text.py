"""A TEMPLATE.md as a plan template, or everything that is wrong with it, each with its place."""

import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, NamedTuple

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from adapters.files.frontmatter import Frontmatter, KeyPath, Place, UnsafeYamlError, split
from adapters.files.known_keys import unknown_keys
from domain.plans.templates.rules import Fault, cautions, faults
from domain.plans.templates.template import PlanTemplate, step_name
from domain.plans.templates.views import TemplateProblem

MAX_NAME = 80
_NAMED = 5
_MOST = 100
"""Of this many wrong or unknown things no more are looked for."""

_SET_BY_US = ("id", "source", "path", "content_hash", "warnings", "guidance")
_TYPES = {
    "enum": "bad_value",
    "greater_than_equal": "out_of_range",
    "less_than_equal": "out_of_range",
    "missing": "missing_field",
}
"""Our names for pydantic's; what ends in `_type` is `wrong_type`."""

_TYPES_BY_KEY = {"timeout": "bad_timeout"}


class BadTemplateError(ValueError):
    """A text is no template; `problem` says what, and where the first of it stands."""

    def __init__(self, problem: TemplateProblem) -> None:
        super().__init__(problem.message)
        self.problem = problem


class _Found(NamedTuple):
    place: Place
    type: str
    words: str

    def __str__(self) -> str:
        line, column = self.place
        return f"line {line}, column {column}: {self.words} ({self.type})"


def read_template(raw: bytes, folder: str) -> PlanTemplate:
    """Return what a TEMPLATE.md says; `folder` is the name of its folder.

    Raises:
        BadTemplateError: With the first problems, in the order of the file.
    """
    try:
        front = split(raw)
    except UnsafeYamlError as error:
        problem = TemplateProblem(
            type=error.type, message=str(error), line=error.line, column=error.column
        )
        raise BadTemplateError(problem) from error
    warnings: list[_Found] = []
    wrong: list[_Found] = []
    for key in islice(unknown_keys(PlanTemplate, front.values), _MOST):
        found = _Found(front.place_of(key.path), "unknown_key", key.words)
        (wrong if key.is_guarding else warnings).append(found)
    if len(warnings) + len(wrong) == _MOST:
        wrong.append(_Found(Place(1, 1), "too_many", f"{_MOST} keys or more are not known"))
    warnings += [
        _Found(front.place_of((key,)), "set_by_treadle", f"{key!r} is Treadle's to say")
        for key in _SET_BY_US
        if key in front.values
    ]
    template, invalid = _validated(front, folder)
    wrong += invalid
    if template is None or wrong:
        raise BadTemplateError(_problem(wrong))
    warnings += _found(front, cautions(template))
    texts = tuple(str(warning) for warning in sorted(warnings))
    return template.model_copy(update={"warnings": texts})


def _validated(front: Frontmatter, folder: str) -> tuple[PlanTemplate | None, list[_Found]]:
    """Return the template, unless a value has the wrong type, and all that is wrong with it."""
    own = {key: value for key, value in front.values.items() if key not in _SET_BY_US}
    own = {"name": folder, **own, "id": folder, "guidance": front.prose.strip()}
    for key in ("planApproval", "plan_approval"):
        if own.get(key) == "none":
            own[key] = None
    try:
        # as JSON a strict reader takes lists and names of choices, and a text for no number
        template = PlanTemplate.model_validate_json(json.dumps(own), strict=True)
    except ValidationError as error:
        invalid = error.errors(include_input=False)[:_MOST]
        return None, [_invalid(front, each) for each in invalid]
    verification = template.verification.model_copy(
        update={"kept": _required_steps(front, template)}
    )
    template = template.model_copy(update={"verification": verification})
    return template, _found(front, (*_faults_of_name(template.name), *faults(template)))


def _required_steps(front: Frontmatter, template: PlanTemplate) -> tuple[str, ...]:
    """Return the names of the steps that say `required: true` themselves."""
    verification: Any = front.values.get("verification") or {}
    raw: list[Mapping[str, object]] = verification.get("steps") or []
    steps = zip(raw, template.verification.steps, strict=True)
    return tuple(step_name(step) for options, step in steps if options.get("required") is True)


def _faults_of_name(name: str) -> Iterator[Fault]:
    """Refuse a name unfit for a page and a terminal: long, of many lines, or turning text around."""
    is_plain = all(unicodedata.category(letter)[0] != "C" for letter in name)
    if not name.strip() or len(name) > MAX_NAME or not is_plain or "/" in name:
        words = f"a name has 1 to {MAX_NAME} characters, no '/' and no control characters"
        yield Fault(("name",), "bad_name", words)


def _invalid(front: Frontmatter, error: ErrorDetails) -> _Found:
    path = _as_written(front, error["loc"])
    key, kind = str(path[-1]) if path else "", error["type"]
    known = "wrong_type" if kind.endswith("_type") else _TYPES.get(kind, "bad_value")
    if path[:2] == ("verification", "steps") and key == "type" and known != "missing_field":
        known = "unknown_step_type"
    shown = ".".join(map(str, path))[:MAX_NAME]
    words = f"{shown}: {error['msg'].removeprefix('Value error, ')}"
    return _Found(front.place_of(path), _TYPES_BY_KEY.get(key, known), words)


def _found(front: Frontmatter, all_faults: Iterable[Fault]) -> list[_Found]:
    found: list[_Found] = []
    for fault in islice(all_faults, _MOST):
        path = _as_written(front, fault.place)
        words = f"{'.'.join(map(str, path))}: {fault.words}"
        found.append(_Found(front.place_of(path), fault.type, words))
    return found


def _as_written(front: Frontmatter, path: KeyPath) -> KeyPath:
    """Return a path by the names that the file has: `branch_prefix` may be `branchPrefix` there."""
    written: KeyPath = ()
    for part in path:
        there = (
            key[-1]
            for key in front.places
            if len(key) == len(written) + 1 and key[:-1] == written and _is_same(key[-1], part)
        )
        written = (*written, next(there, part))
    return written


def _is_same(one: str | int, other: str | int) -> bool:
    return str(one).replace("_", "").lower() == str(other).replace("_", "").lower()


def _problem(wrong: list[_Found]) -> TemplateProblem:
    first, *_ = wrong = sorted(set(wrong))
    more = f"; and {len(wrong) - _NAMED} more" if len(wrong) > _NAMED else ""
    return TemplateProblem(
        type=first.type,
        message="; ".join(map(str, wrong[:_NAMED])) + more,
        line=first.place.line,
        column=first.place.column,
    )
