"""JSON with one form only: sorted names, no blanks, whole numbers, UTF-8 (as RFC 8785 for such values)."""

import json
from typing import Any


def canonical(value: Any) -> bytes:
    """Return the one form of a JSON value.

    Raises:
        ValueError: It has a number that is not whole, or text that is not Unicode.
    """
    _refuse_fractions(value)
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def _refuse_fractions(value: Any) -> None:
    rest: list[Any] = [value]
    while rest:
        item: Any = rest.pop()
        if isinstance(item, float):
            raise ValueError("a number that is not whole has no one form")  # noqa: TRY004  (the value)
        rest += item.values() if isinstance(item, dict) else item if isinstance(item, list) else ()
