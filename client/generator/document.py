"""The OpenAPI document as a client needs it: what the server decides and what every answer may be is left out."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, cast

Json = dict[str, Any]

_LIMITS = frozenset(
    {
        "maxLength",
        "minLength",
        "pattern",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
    }
) | {"maxItems", "minItems", "title"}
"""Limits are the server's to decide, who says what is wrong: the client of an older version must not refuse more."""

_VALUES = frozenset({"default", "enum", "const", "examples"})
PENDING = {"$ref": "#/components/schemas/PendingCommand"}
STREAM = "text/event-stream"


class Parameter(NamedTuple):
    """A parameter of a path or a query."""

    name: str
    schema: Json
    is_in_path: bool
    is_required: bool


class Operation(NamedTuple):
    """A method of the client."""

    tag: str
    name: str
    method: str
    path: str
    summary: str
    parameters: tuple[Parameter, ...]
    body: Json | None
    answer: Json | None
    """The schema of what it answers; None for nothing."""
    media_type: str
    """JSON, a text, bytes or a stream."""
    is_repeatable: bool
    """Whether it is carried out once under one id, however often it is sent."""


def schemas_of(document: Json) -> dict[str, Json]:
    """Return the schemas, without the limits of values and with a name for each enum."""
    found = {name: _slim(schema) for name, schema in document["components"]["schemas"].items()}
    for name, schema in list(found.items()):
        for field, described in schema.get("properties", {}).items():
            for place in (described, described.get("items", {}), *described.get("anyOf", ())):
                if len(place.get("enum", ())) > 1:
                    own = name + "".join(part.capitalize() for part in field.split("_"))
                    found[own] = {"type": "string", "enum": place.pop("enum")}
                    place["$ref"] = f"#/components/schemas/{own}"
                    place.pop("type", None)
    return found


def _slim(node: Any) -> Any:
    if isinstance(node, list):
        return [_slim(each) for each in cast("list[Any]", node)]
    if not isinstance(node, dict):
        return node
    found: Json = {}
    for key, value in cast("Json", node).items():
        if key == "properties":
            found[key] = {name: _slim(each) for name, each in value.items()}
        elif key in _VALUES:
            found[key] = {} if isinstance(value, dict) else value
        elif key not in _LIMITS:
            found[key] = _slim(value)
    return found


def operations_of(document: Json) -> Iterator[Operation]:
    """Yield the operations, in the order of the document."""
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            tag = operation["tags"][0].replace(" ", "_").replace("-", "_")
            media_type, answer = _answer_of(operation["responses"])
            yield Operation(
                tag=tag,
                name=operation["operationId"].removeprefix(f"{tag}_"),
                method=method.upper(),
                path=path,
                summary=_words_of(operation),
                parameters=tuple(_parameters_of(path, operation.get("parameters", ()))),
                body=_body_of(operation),
                answer=answer,
                media_type=media_type,
                is_repeatable=operation.get("x-repeatable", True),
            )


def _words_of(operation: Json) -> str:
    return f"{operation['summary']}.\n\n{operation.get('description', '')}".strip()


def _body_of(operation: Json) -> Json | None:
    return (
        operation.get("requestBody", {})
        .get("content", {})
        .get("application/json", {})
        .get("schema")
    )


def _parameters_of(path: str, found: Iterable[Json]) -> Iterator[Parameter]:
    """Yield those of the path in its order, then the others, except headers: the client sends its own."""
    for each in sorted(found, key=lambda each: path.find(f"{{{each['name']}}}") % len(path)):
        if each["in"] != "header":
            is_in_path = each["in"] == "path"
            schema = _slim(each["schema"])
            yield Parameter(each["name"], schema, is_in_path, each["required"])


def _answer_of(responses: Json) -> tuple[str, Json | None]:
    """Return the type and schema of what is answered in the end: a command that waits is asked for until then."""
    for status in ("200", "201", "202", "204"):
        content: Json = responses.get(status, {}).get("content", {})
        for media_type, described in content.items():
            schema = described.get("x-event-data", described.get("schema", {}))
            others = [each for each in schema.get("anyOf", [schema]) if each != PENDING]
            if others:
                return media_type, others[0]
        if status in responses and status != "202":
            return "", None
    return "", None
