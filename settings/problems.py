"""What is wrong with a setting, in a line that names it as it was written."""

from collections.abc import Sequence
from pathlib import Path

from pydantic_core import ErrorDetails

_SHAPES = {
    "host": "write it as addresses have it, like `git.example.org`, without `https://`",
    "listen": "write an address and a port, like `127.0.0.1:8430`",
    "name": "write it in small letters, digits and hyphens",
}
"""What to write instead of a text of another shape."""


def problem_of(file: Path, problem: ErrorDetails) -> str:
    """Return what to tell of a setting; what may hold a secret is not shown."""
    place, given = problem["loc"], problem["input"]
    said = problem["msg"].removeprefix("Value error, ")
    if problem["type"] == "extra_forbidden":
        return f"{file}: there is no setting {_path(place)!r}; see docs/reference/settings.md"
    name, last = _name(place), str(place[-1]) if place else ""
    if problem["type"] == "tuple_type" and isinstance(given, dict):
        return f"{name}: there may be several: write [[{_path(place)}]] in {file}"
    if problem["type"] == "string_pattern_mismatch" and last.endswith("_env"):
        return f"{name}: write the name of a variable, never the secret itself"
    if problem["type"] == "address" or isinstance(given, dict | list | tuple):
        return f"{name}: {said}"
    if problem["type"] == "string_pattern_mismatch":
        said = _SHAPES.get(last, said)
    return f"{name}: {said} (it is {given!r})"


def _name(place: Sequence[int | str]) -> str:
    """Return what a setting is called: its variable, or its path in one of several tables."""
    if any(isinstance(part, int) for part in place):
        return _path(place)
    return f"TREADLE_{'_'.join(map(str, place))}".upper()


def _path(place: Sequence[int | str]) -> str:
    """Return where a setting is in config.toml, like `forges[0].host`; the first table is 0."""
    words = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in place)
    return "".join(words).removeprefix(".")
