"""JSON as editors take it: with comments, and with commas after the last part."""

import json
import re
from typing import Any, cast

_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_LAST_COMMA = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])')


def json_with_comments(text: str) -> dict[str, Any]:
    """Read an object; anything else is empty."""
    plain = _LAST_COMMA.sub(r"\1", _COMMENT.sub(r"\1", text))
    try:
        return mapping(json.loads(plain))
    except (ValueError, RecursionError):
        return {}


def mapping(value: object) -> dict[str, Any]:
    """Return an object as it is, anything else as an empty one."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
