"""Reads what others sent: of the expected type, or empty."""

from typing import Any, cast


def as_dict(value: Any) -> dict[str, Any]:
    """Return an object as it is, an empty one for anything else."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return a list as it is, an empty one for anything else."""
    return cast("list[Any]", value) if isinstance(value, list) else []
