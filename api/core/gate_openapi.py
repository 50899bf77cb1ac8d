"""The requirements and refusals of the gate, added to the API's description.

FastAPI describes what routes take and return. A route's summary is the first line of its docstring.
"""

from typing import Any

from fastapi import FastAPI

from api.core.gate import PUBLIC
from api.core.idempotency import UNREPEATABLE
from api.core.incoming import SAFE
from api.core.pending import ACCEPTED
from api.core.problem_types import problem_types
from api.core.problems import MEDIA_TYPE, Problem
from api.core.sse import EventStream

_X_TREADLE = {
    "name": "X-Treadle",
    "in": "header",
    "required": True,
    "description": "A header that forms and other web pages cannot send",
    "schema": {"type": "string", "enum": ["1"]},
}
_BY_ALL = {
    400: "Invalid JSON or HTTP",
    401: "The token is missing or wrong",
    403: "From another web page, without `X-Treadle: 1`, or the code of a decision is wrong",
    404: "Not found",
    408: "The request was too slow",
    421: "The Host header is wrong",
    422: "A field or parameter is invalid; `field` names it",
    429: "Too many requests; `Retry-After` says when to try again",
    431: "The headers are too large",
    503: "Temporal, a worker or the journal does not answer; retry with the same `command_id`",
}
TOPICS = "/v1/stream"
DATA = "x-event-data"
"""What OpenAPI 3.1 cannot say: the schema of each message's data in a stream of server-sent events."""

PENDING = "Accepted and saved, but not taken by a worker yet; `Location` says where to ask"
_BY_WRITES = {
    409: "Not possible in this state, decided differently, or `command_id` was used before",
    413: "The body is too large",
    415: "The body is not declared as `application/json`",
}


def install(app: FastAPI) -> None:
    """Add the gate and the summaries to an app's description."""
    describe = app.openapi

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _with_gate(describe())
        return app.openapi_schema

    app.openapi = described


def _with_gate(found: dict[str, Any]) -> dict[str, Any]:
    components = found["components"]
    components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    schema = Problem.model_json_schema(ref_template="#/components/schemas/{model}")
    components["schemas"] |= {**schema.pop("$defs"), "Problem": schema}
    schema["x-types"] = {
        name: {"status": status, "meaning": meaning} for name, status, meaning in problem_types()
    }
    found["security"] = [{"token": []}]
    for path, operations in found["paths"].items():
        for method, operation in operations.items():
            _summarise(operation)
            _describe_stream(operation["responses"], path)
            refusals = dict(_BY_ALL)
            if method.upper() not in SAFE:
                refusals |= _BY_WRITES
                operation.setdefault("parameters", []).append(_X_TREADLE)
                _add_pending(operation["responses"])
                if path in UNREPEATABLE and method == "post":
                    operation["x-repeatable"] = False
            if PUBLIC.fullmatch(path):
                operation["security"] = []
            operation["responses"] |= {str(code): _refusal(refusals[code]) for code in refusals}
    for unused in ("HTTPValidationError", "ValidationError"):
        components["schemas"].pop(unused, None)
    return found


def _add_pending(responses: dict[str, Any]) -> None:
    """Add that a command may be accepted, and answered later."""
    pending = {"$ref": "#/components/schemas/PendingCommand"}
    known = responses.setdefault(str(ACCEPTED), {"description": PENDING, "content": {}})
    content = known["content"].setdefault("application/json", {})
    own = content.get("schema")
    content["schema"] = {"anyOf": [own, pending]} if own else pending


def _describe_stream(responses: dict[str, Any], path: str) -> None:
    """Add what the data of a stream's messages is; those of topics differ by their names."""
    stream = responses.get("200", {}).get("content", {}).get(EventStream.media_type)
    if stream is not None and path != TOPICS:
        stream[DATA] = {"$ref": "#/components/schemas/JournaledEvent"}


def _summarise(operation: dict[str, Any]) -> None:
    """Move the first line of a description to the summary."""
    first, _, rest = operation.pop("description").partition("\n")
    operation["summary"] = first.removesuffix(".")
    if rest.strip():
        operation["description"] = rest.strip()


def _refusal(description: str) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    return {"description": description, "content": {MEDIA_TYPE: {"schema": schema}}}
