"""What pydantic finds wrong with a flow file, in our words and with its place."""

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from itertools import islice

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from domain.flows import shapes
from domain.flows.outline import MAX_PROBLEMS, Path, PlacedStep, echo, way
from domain.flows.problems import FlowProblem
from domain.flows.review_shapes import WaveGroup

_WORDS = {
    "missing": "is missing",
    "string_type": "must be a text",
    "list_type": "must be a list",
    "bool_type": "must be true or false",
    "int_type": "must be a whole number",
    "model_type": "must be an object",
    "string_too_short": "must not be empty",
    "string_unicode": "holds half of a surrogate pair, which is no text",
    "string_pattern_mismatch": "is letters, digits, dots, dashes and underscores, at most 63",
}
"""Our words for pydantic's; the others are its own."""

_SHAPES: dict[str, type[BaseModel]] = {
    **shapes.SPELLINGS,
    "@message": shapes.CommandItem,
    "@passed": shapes.Reingest,
}
_TYPES = {"missing": "missing_field", "extra_forbidden": "unknown_field"}
_FOUND_BEFORE = frozenset({"union_tag_invalid", "union_tag_not_found"})
"""Steps of no known type: domain/flows/outline.py tells of them."""


def unsound(
    shape: type[BaseModel], raw: object, steps: Sequence[PlacedStep] = ()
) -> Iterator[FlowProblem]:
    """Yield what keeps a file from having a shape, with the steps that it is in."""
    indexes = {step.path: step for step in steps}
    try:
        shape.model_validate(raw)
    except ValidationError as error:
        found = (e for e in error.errors(include_url=False) if e["type"] not in _FOUND_BEFORE)
        for details in islice(found, MAX_PROBLEMS):
            yield _problem(shape, details, indexes)


def _problem(
    shape: type[BaseModel], details: ErrorDetails, steps: dict[Path, PlacedStep]
) -> FlowProblem:
    path = _path(details["loc"])
    lengths = range(len(path), 0, -1)
    step = next((steps[path[:n]] for n in lengths if path[:n] in steps), None)
    kind = details["type"]
    return FlowProblem(
        type=_TYPES.get(kind, "bad_value"),
        step=step.index if step else None,
        field=way(path),
        message=_unknown(shape, details["loc"])
        if kind == "extra_forbidden"
        else _words(details, path),
    )


def _path(loc: tuple[int | str, ...]) -> Path:
    """Return a place without the tags that tell spellings of a step apart: each follows a number."""
    return tuple(
        part
        for before, part in zip((None, *loc), loc, strict=False)
        if not (isinstance(before, int) and str(part).startswith(shapes.TAG))
    )


def _words(details: ErrorDetails, path: Path) -> str:
    name = f"`{path[-1]}`" if path and isinstance(path[-1], str) else "this"
    kind, given = details["type"], details["input"]
    if kind == "literal_error":
        expected = details.get("ctx", {}).get("expected", "").replace("'", '"')
        return f"{name} must be {expected}, not {_shown(given)}"
    if kind == "too_short":
        least = details.get("ctx", {}).get("min_length", 1)
        return f"{name} must not be empty" if least == 1 else f"{name} needs {least} at least"
    words = _WORDS.get(kind)
    if words is None:
        message = details["msg"].removeprefix("Input should be ").removeprefix("Value error, ")
        return f"{name}: {message[:1].lower()}{message[1:]}"
    return f"{name} {words}, not {_shown(given)}" if kind.endswith("_type") else f"{name} {words}"


def _shown(value: object) -> str:
    """Return a wrong value in JSON's words, cut."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case int() | float():
            return echo(str(value))
        case str():
            return f'"{echo(value)}"'
        case list():
            return "a list"
        case _:
            return "an object"


def _unknown(shape: type[BaseModel], loc: tuple[int | str, ...]) -> str:
    name = str(loc[-1])
    known = [
        field.alias or field_name
        for field_name, field in _owner(shape, loc[:-1]).model_fields.items()
    ]
    lower = {each.lower(): each for each in known}
    near = get_close_matches(name.lower(), lower, n=1)
    hint = f"did you mean `{lower[near[0]]}`?" if near else f"there are {', '.join(known)}"
    return f"there is no `{echo(name)}` here; {hint}"


def _owner(shape: type[BaseModel], loc: tuple[int | str, ...]) -> type[BaseModel]:
    """Return the shape of what stands at a place."""
    if len(loc) > 1 and isinstance(loc[-1], int):
        return WaveGroup if loc[-2] == "groups" else shapes.Message
    return _SHAPES.get(str(loc[-1]), shape) if loc else shape
