"""When one call is so like another that an agent may be going round in circles: pure."""

import re
from dataclasses import dataclass
from typing import Any, cast

MAX_TEXT = 4_000
MAX_TEXTS = 64
MAX_DEPTH = 4
_DIGITS = re.compile(r"\d+")


@dataclass(frozen=True)
class Shape:
    """What a call is, and the texts that it was given, by their places, numbers left out."""

    name: str = ""
    texts: tuple[tuple[str, str], ...] = ()

    def is_like(self, other: "Shape") -> bool:
        """Tell whether both do the same with inputs that differ in numbers, or in how far they go."""
        if self.name != other.name or not self.texts or len(self.texts) != len(other.texts):
            return False
        pairs = zip(self.texts, other.texts, strict=True)
        return all(a == b and _goes_on(one, two) for (a, one), (b, two) in pairs)


def shape_of(call: dict[str, Any]) -> Shape:
    """Return the shape of a call; one without an input is like no other."""
    found: list[tuple[str, str]] = []
    _gather("", call.get("rawInput") or call.get("locations"), found, MAX_DEPTH)
    return Shape(str(call.get("kind")), tuple(found))


def without_numbers(text: str) -> str:
    """Return the head of a text without its numbers."""
    return _DIGITS.sub("#", text[:MAX_TEXT])


def _goes_on(one: str, two: str) -> bool:
    shorter, longer = sorted((one, two), key=len)
    return longer.startswith(shorter) and bool(shorter or not longer)


def _gather(place: str, value: Any, found: list[tuple[str, str]], depth: int) -> None:
    if len(found) >= MAX_TEXTS:
        return
    if isinstance(value, dict) and depth:
        for key, part in cast(dict[str, Any], value).items():
            _gather(f"{place}/{key}", part, found, depth - 1)
    elif isinstance(value, list) and depth:
        for part in cast(list[Any], value):
            _gather(f"{place}/", part, found, depth - 1)
    elif value is not None:
        found.append((place, without_numbers(str(cast(Any, value)))))
