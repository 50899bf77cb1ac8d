"""Reads what others sent: of the expected type, or empty; and texts that any encoding can write."""

from typing import Any, cast


def as_dict(value: Any) -> dict[str, Any]:
    """Return an object as it is, an empty one for anything else."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return a list as it is, an empty one for anything else."""
    return cast("list[Any]", value) if isinstance(value, list) else []


def whole(value: Any) -> Any:
    """Return a text, or all texts in a value, with halves of characters joined, and replaced if alone."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {whole(name): whole(one) for name, one in as_dict(value).items()}
    if isinstance(value, list):
        return [whole(one) for one in as_list(value)]
    return value
