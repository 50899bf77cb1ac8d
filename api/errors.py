"""Errors to problem details: the API's edge of the error tree (domain/errors.py)."""

import logging
import uuid
from collections.abc import Sequence
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from api import problems
from api.problems import MEDIA_TYPE, Problem, problem
from domain.errors import TreadleError

HINTS = {
    "unavailable": "start Treadle with `treadle up`; `treadle doctor` says what is missing",
    "journal_unavailable": "`treadle doctor` says what is missing",
    "not_what_was_shown": "read the request again and decide on what it shows now",
}
HTTP_NAMES = {404: "not_found", 405: "method_not_allowed"}
DOCUMENTED: dict[int | str, dict[str, Any]] = {
    "default": {
        "model": Problem,
        "description": "Refused; `type` says why",
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }
}
_LOG = logging.getLogger("treadle.api")


def install(app: FastAPI) -> None:
    """Have every error of an app answered as a problem."""
    app.add_exception_handler(TreadleError, _domain_error)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(Exception, _unexpected)


async def _domain_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, TreadleError)  # noqa: S101 (Starlette's handlers are not generic)
    hint = HINTS.get(error.type)
    return problems.response(problem(error.status, error.type, error.message, hint=hint))


async def _invalid(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101
    found: Sequence[dict[str, Any]] = error.errors()
    detail = "; ".join(f"{_field(e)}: {e['msg']}" for e in found)
    return problems.response(problem(422, _name(found[0]), detail, field=_field(found[0])))


def _name(error: dict[str, Any]) -> str:
    known = {"extra_forbidden": "unknown_field", "missing": "missing_field"}
    return known.get(error["type"], "invalid")


def _field(error: dict[str, Any]) -> str:
    place, *path = error["loc"]
    name = ".".join(str(part)[: problems.ECHO_LENGTH] for part in path)
    return name or str(place)


async def _http_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101
    name = HTTP_NAMES.get(error.status_code, "refused")
    answer = problems.response(problem(error.status_code, name, str(error.detail)))
    answer.headers.update(error.headers or {})
    return answer


async def _unexpected(request: Request, error: Exception) -> Response:
    """Answer a defect of ours: the log has the trace under the id that the answer names."""
    incident = uuid.uuid4().hex[:8]
    _LOG.error(
        "request failed", exc_info=error, extra={"incident": incident, "path": request.url.path}
    )
    return problems.response(problem(500, "internal", f"this is a defect of Treadle: {incident}"))
