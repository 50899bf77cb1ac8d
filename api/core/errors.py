"""Errors as problem details: the API's edge of the error tree (domain/core/errors.py)."""

import logging
import uuid
from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from http import HTTPStatus
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException

from adapters.disk_room import describe_error, is_full
from api.core import problems
from api.core.incoming import BODY
from api.core.page import Page
from api.core.pending import CommandPendingError, answer_pending
from api.core.problems import ECHO_LENGTH, Problem, RefusedError, problem
from domain.core.errors import TreadleError

HINTS = {
    "unavailable": "start the engine with `treadle up`, or run `treadle doctor`",
    "not_confirmed": "send it again with the same command_id; it is carried out only once",
    "journal_unavailable": "run `treadle doctor`",
    "not_what_was_shown": "review it again and decide on its current state",
}
HTTP_NAMES = {404: "not_found", 405: "method_not_allowed"}
NAMED_ERRORS = 5
"""How many wrong fields a response lists."""

_NAMES = {
    "extra_forbidden": "unknown_field",
    "missing": "missing_field",
    "string_too_long": "too_long",
    "too_long": "too_long",
    "string_too_short": "empty",
    "too_short": "empty",
    "literal_error": "bad_value",
    "enum": "bad_value",
    "empty": "empty",
    "control_character": "control_character",
    "greater_than": "out_of_range",
    "greater_than_equal": "out_of_range",
    "less_than": "out_of_range",
    "less_than_equal": "out_of_range",
}
"""Our names for pydantic's errors; those that end in `_type` or `_parsing` are `wrong_type`."""

_LOG = logging.getLogger("treadle.api")


def install(app: FastAPI) -> None:
    """Answer every error of an app with a problem."""
    app.add_exception_handler(TreadleError, _domain_error)
    app.add_exception_handler(RefusedError, _refused)
    app.add_exception_handler(CommandPendingError, answer_pending)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http_error)
    app.add_exception_handler(OSError, _machine_error)
    app.add_exception_handler(Exception, _unexpected)


def problem_of(error: TreadleError) -> Problem:
    """Return an error of the domain as a problem."""
    hint = HINTS.get(error.type)
    return problem(error.status, error.type, error.message, field=error.field, hint=hint)


async def _domain_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, TreadleError)  # noqa: S101 (Starlette's handlers are not generic)
    found = problem_of(error)
    found.detail = _discreet(found.detail, request)
    return problems.response(found)


def _discreet(detail: str, request: Request) -> str:
    """Return a message without long parts of the input and without the data folder's path."""
    for text in _texts([request.scope.get(BODY), request.path_params]):
        if len(text) > ECHO_LENGTH:
            detail = detail.replace(text, text[:ECHO_LENGTH] + "…")
    return detail.replace(str(request.app.state.settings.data_dir), "(data folder)")


def _texts(value: Any) -> Iterator[str]:
    match value:
        case str():
            yield value
        case dict():
            for inner in value.values():  # pyright: ignore[reportUnknownVariableType] (any JSON)
                yield from _texts(inner)
        case list():
            for inner in value:  # pyright: ignore[reportUnknownVariableType]
                yield from _texts(inner)
        case _:
            pass


async def _refused(_request: Request, error: Exception) -> Response:
    assert isinstance(error, RefusedError)  # noqa: S101
    return problems.response(error.problem, error.headers)


async def _invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101
    found: Sequence[dict[str, Any]] = error.errors()
    detail = "; ".join(f"{_field(e)}: {e['msg']}" for e in found[:NAMED_ERRORS])
    if len(found) > NAMED_ERRORS:
        detail += f"; {len(found) - NAMED_ERRORS} more"
    first = found[0]
    name, hint = _name(first["type"]), None
    if name == "unknown_field":
        hint = _meant(str(first["loc"][-1]), request)
    return problems.response(problem(422, name, detail, field=_field(first), hint=hint))


def _name(kind: str) -> str:
    if kind.endswith(("_type", "_parsing")):
        return "wrong_type"
    return _NAMES.get(kind, "invalid")


def _meant(given: str, request: Request) -> str | None:
    """Suggest a field for a misspelled one: `is_planned` for `isPlaned`."""
    body = request.scope["route"].dependant.body_params
    known = {
        name.replace("_", ""): name for b in body for name in b.field_info.annotation.model_fields
    }
    close = get_close_matches(given.replace("_", "").lower()[:ECHO_LENGTH], known, 1)
    return f"did you mean {known[close[0]]}?" if close else None


def _field(error: dict[str, Any]) -> str:
    place, *path = error["loc"]
    name = ".".join(repr(str(part)[:ECHO_LENGTH])[1:-1] for part in path)
    return name[:ECHO_LENGTH] or str(place)


async def _http_error(request: Request, error: Exception) -> Response:
    """Answer an unknown address; a browser gets the page, which says that nothing is there."""
    assert isinstance(error, HTTPException)  # noqa: S101
    if error.status_code == HTTPStatus.NOT_FOUND and _is_for_people(request):
        page: Page = request.app.state.page
        return page.nothing()
    name = HTTP_NAMES.get(error.status_code, "refused")
    answer = problem(error.status_code, name, str(error.detail))
    return problems.response(answer, error.headers)


def _is_for_people(request: Request) -> bool:
    is_api = request.url.path.split("/")[1] == "v1"
    return not is_api and "text/html" in request.headers.get("accept", "")


async def _machine_error(request: Request, error: Exception) -> Response:
    """Answer a full disk with a message: it is not a bug, and is over once there is space."""
    assert isinstance(error, OSError)  # noqa: S101
    if not is_full(error):
        raise error
    words = describe_error(error, request.app.state.settings.data_dir)
    return problems.response(problem(503, "no_room", _discreet(words, request)))


async def _unexpected(request: Request, error: Exception) -> Response:
    """Answer a bug of Treadle: the log has its traceback under the id in the response."""
    incident = uuid.uuid4().hex[:8]
    _LOG.error(
        "request failed", exc_info=error, extra={"incident": incident, "path": request.url.path}
    )
    detail = f"internal error {incident}; the traceback is in the log of the API"
    return problems.response(problem(500, "internal", detail))
