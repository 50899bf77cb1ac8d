"""One agent's file: a profile, or what is wrong with it and where."""

import hashlib
import re
from collections.abc import Iterator
from difflib import get_close_matches

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from adapters.files.frontmatter import Frontmatter, UnsafeYamlError, placed_yaml
from domain.agents.profiles import AgentProfile, Scope

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,62}", re.ASCII)
MAX_PROBLEMS = 10
_READERS_OWN = ("scope",)


class BadProfileError(Exception):
    """A file holds no profile; the message names each field that is wrong, with its line."""


def read_profile(raw: bytes, name: str, scope: Scope) -> AgentProfile:
    """Return the profile that a file holds.

    Raises:
        BadProfileError: It holds none.
    """
    if not NAME.fullmatch(name):
        raise BadProfileError(
            "its name must be letters, digits, dots, dashes and underscores, at most 63"
        )
    try:
        text = placed_yaml(raw)
    except UnsafeYamlError as error:
        raise BadProfileError(str(error)) from error
    for key in _READERS_OWN:
        if key in text.values:
            raise BadProfileError(f"{_line(text, key)}unknown key {key!r}: the folder decides it")
    if text.values.get("name", name) != name:
        raise BadProfileError(
            f"{_line(text, 'name')}name: it must be {name!r}, as the file is called, or be left out"
        )
    try:
        return AgentProfile.model_validate({**text.values, "name": name, "scope": scope})
    except ValidationError as error:
        problems = [_describe(text, problem) for problem in error.errors()]
        more = [f"and {len(problems) - MAX_PROBLEMS} more"] if len(problems) > MAX_PROBLEMS else []
        raise BadProfileError("; ".join([*problems[:MAX_PROBLEMS], *more])) from error


def hash_of(raw: bytes) -> str:
    """Return the content hash of a file."""
    return hashlib.sha256(raw).hexdigest()


def _describe(text: Frontmatter, problem: ErrorDetails) -> str:
    path = tuple(part for part in problem["loc"] if part != "[key]")
    place = text.place_of(path)
    field = ".".join(str(part) for part in path)
    match problem["type"]:
        case "extra_forbidden":
            description = f"unknown key {field!r}{_meant(path)}"
        case "missing":
            return f"{field}: it must be given"
        case _:
            description = f"{field}: {problem['msg'].removeprefix('Value error, ')}"
    return f"line {place.line}: {description}"


def _line(text: Frontmatter, key: str) -> str:
    return f"line {text.place_of((key,)).line}: "


def _meant(path: tuple[str | int, ...]) -> str:
    """Return the key that a misspelled one may be."""
    keys = list(_keys(AgentProfile, path[:-1]))
    close = get_close_matches(str(path[-1]), keys, 1)
    return f" (did you mean {close[0]!r}?)" if close else ""


def _keys(model: type[BaseModel], path: tuple[str | int, ...]) -> Iterator[str]:
    """Yield the keys of the part of a profile that a path leads to."""
    if not path:
        yield from (key for key in model.model_fields if key not in _READERS_OWN)
        return
    field = model.model_fields.get(str(path[0]))
    kinds = getattr(field.annotation, "__args__", (field.annotation,)) if field else ()
    for kind in kinds:
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from _keys(kind, path[1:])
