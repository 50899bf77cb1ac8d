"""What the gate before every route asks and refuses, in the API's description.

FastAPI describes what routes take and return; the rest is added here.
"""

from typing import Any

from fastapi import FastAPI

from api.core.gate import PUBLIC, SAFE
from api.core.problems import MEDIA_TYPE, Problem

_X_TREADLE = {
    "name": "X-Treadle",
    "in": "header",
    "required": True,
    "description": "What no form and no foreign page can send",
    "schema": {"type": "string", "enum": ["1"]},
}
_BY_ALL = {
    400: "Not plain JSON, or no proper request",
    401: "No token, or a wrong one",
    403: "From another page, or without `X-Treadle: 1`, or a decision's code is wrong",
    404: "There is no such thing",
    408: "The request came too slowly",
    421: "Asked for another host",
    422: "A field or parameter is wrong; `field` names it",
    429: "Too much at once; `Retry-After` says when to come again",
    431: "The header is too large",
    503: "Temporal, a worker or the journal does not answer; again with the same `command_id` is safe",
}
_BY_WRITES = {
    409: "Not in this state, decided otherwise, or a command id used for something else",
    413: "The body is too large",
    415: "Not said to be `application/json`",
}


def install(app: FastAPI) -> None:
    """Have an app describe itself with its gate."""
    describe = app.openapi

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _with_gate(describe())
        return app.openapi_schema

    app.openapi = described


def _with_gate(found: dict[str, Any]) -> dict[str, Any]:
    components = found["components"]
    components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
    components["schemas"]["Problem"] = Problem.model_json_schema()
    found["security"] = [{"token": []}]
    for path, operations in found["paths"].items():
        for method, operation in operations.items():
            refusals = dict(_BY_ALL)
            if method.upper() not in SAFE:
                refusals |= _BY_WRITES
                operation.setdefault("parameters", []).append(_X_TREADLE)
            if PUBLIC.fullmatch(path):
                operation["security"] = []
            operation["responses"] |= {str(code): _refusal(refusals[code]) for code in refusals}
    for unused in ("HTTPValidationError", "ValidationError"):
        components["schemas"].pop(unused, None)
    return found


def _refusal(description: str) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    return {"description": description, "content": {MEDIA_TYPE: {"schema": schema}}}
