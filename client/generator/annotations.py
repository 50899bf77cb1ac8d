"""Schemas as annotations of Python."""

from typing import Any

_TYPES = {"integer": "int", "number": "float", "boolean": "bool", "string": "str", "null": "None"}


def annotation_of(schema: dict[str, Any]) -> str:
    """Return the annotation of a parameter or an answer; models are those of the module `models`."""
    if "$ref" in schema:
        return f"models.{schema['$ref'].rpartition('/')[2]}"
    if "enum" in schema:
        return f"Literal[{', '.join(map(repr, schema['enum']))}]"
    if "anyOf" in schema:
        return " | ".join(dict.fromkeys(annotation_of(each) for each in schema["anyOf"]))
    if schema.get("type") == "array":
        return f"builtins.list[{annotation_of(schema['items'])}]"
    if schema.get("type") == "string" and schema.get("format") == "date-time":
        return "datetime"
    if schema.get("type") in _TYPES:
        return _TYPES[schema["type"]]
    return "dict[str, Any]"
