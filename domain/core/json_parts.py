"""How much is in a JSON value."""

from collections.abc import Iterable
from typing import Any, cast


def has_more_parts(value: Any, limit: int) -> bool:
    """Tell whether a JSON value holds more than `limit` values, nested ones included.

    Looks at no more of them than it has to.
    """
    waiting, seen = [value], 0
    while waiting:
        for part in _parts(waiting.pop()):
            seen += 1
            if seen > limit:
                return True
            waiting.append(part)
    return False


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, dict):
        return cast("dict[str, Any]", value).values()
    return cast("Iterable[Any]", value) if isinstance(value, list | tuple) else ()
