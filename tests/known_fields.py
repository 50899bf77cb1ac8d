"""A guard for tests: a copy of a record changes fields that it has, and no others.

Pydantic's `model_copy` takes any name, so that a misspelt one changes nothing and nobody hears of it.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

_copy = BaseModel.model_copy


def _checked(self: Any, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Any:
    known = type(self).model_fields
    unknown = [name for name in update or () if name not in known]
    assert not unknown, f"{type(self).__name__} has no field {', '.join(unknown)}"
    return _copy(self, update=update, deep=deep)


def guard() -> None:
    """Have every copy of a model in this process checked."""
    BaseModel.model_copy = _checked  # type: ignore[method-assign]
