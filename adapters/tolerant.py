"""Reads JSON and YAML that others wrote: what has another shape than expected counts as empty."""

from typing import Any, cast


def as_dict(value: Any) -> dict[str, Any]:
    """Return a mapping as it is, anything else as an empty one."""
    return cast(dict[str, Any], value) if isinstance(value, dict) else {}


def as_list(value: Any) -> list[Any]:
    """Return a list as it is, anything else as an empty one."""
    return cast(list[Any], value) if isinstance(value, list) else []


def at(value: Any, path: str) -> Any:
    """Return what lies at a dotted path of nested mappings, None where there is nothing."""
    for name in path.split("."):
        value = as_dict(value).get(name)
    return value


def as_text(value: Any) -> str:
    """Return a text as it is, anything else as an empty one."""
    return value if isinstance(value, str) else ""
