"""The stable types of problems as classes of errors."""

from typing import Any

_HEAD = '''"""A class for each stable type of problem. Generated from Treadle's OpenAPI document: do not edit."""

from collections.abc import Mapping

from treadle_client import errors
'''
_BASES = {
    400: "InvalidError",
    401: "UnauthorizedError",
    403: "ForbiddenError",
    404: "NotFoundError",
    409: "ConflictError",
    410: "GoneError",
    422: "InvalidError",
    429: "TooManyError",
    503: "UnavailableError",
}
_CLASS = '''

class {name}(errors.{base}):
    """{meaning}"""
'''


def problems_module(types: dict[str, Any]) -> str:
    """Return the text of the module; `types` are the statuses and meanings by name."""
    text = [_HEAD]
    for name, described in types.items():
        base = _BASES.get(described["status"], "ApiError")
        text.append(_CLASS.format(name=_class_of(name), base=base, meaning=described["meaning"]))
    rows = "".join(f'    "{name}": {_class_of(name)},\n' for name in types)
    text.append(f"\n\nPROBLEMS: Mapping[str, type[errors.ApiError]] = {{\n{rows}}}\n")
    return "".join(text)


def _class_of(name: str) -> str:
    return "".join(part.capitalize() for part in name.split("_"))
