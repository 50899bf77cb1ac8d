"""What JSON and TOML files of a repository say, as far as they can be read: what is no table is an empty one."""

import json
import re
import tomllib
from typing import Any, cast

_COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)
_LAST_COMMA = re.compile(r'("(?:\\.|[^"\\])*")|,(?=\s*[}\]])')


def json_with_comments(text: str) -> dict[str, Any]:
    """Return the object of a file as editors take it: with comments, and commas after the last part."""
    plain = _LAST_COMMA.sub(r"\1", _COMMENT.sub(r"\1", text))
    try:
        return mapping(json.loads(plain))
    except (ValueError, RecursionError):
        return {}


def toml_table(text: str) -> dict[str, Any]:
    """Return what a TOML file says."""
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError):
        return {}


def mapping(value: object) -> dict[str, Any]:
    """Return an object as it is, anything else as an empty one."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}
