"""Problem details (RFC 9457) with stable type names: the form of all errors."""

from collections.abc import Mapping
from http import HTTPStatus

from fastapi import Response
from pydantic import BaseModel

MEDIA_TYPE = "application/problem+json"
ECHO_LENGTH = 80

SECURITY_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class FieldProblem(BaseModel):
    """What is wrong with one field of a body."""

    field: str
    detail: str


class Problem(BaseModel):
    """An error; `type` is `treadle:` and a name that never changes.

    Where several fields are wrong, `detail` says all of it, and `errors` has each by its field.
    """

    type: str
    title: str
    status: int
    detail: str
    field: str | None = None
    hint: str | None = None
    errors: list[FieldProblem] | None = None


class RefusedError(Exception):
    """The API refuses a request itself, before it asks a workflow."""

    def __init__(
        self,
        status: int,
        name: str,
        detail: str,
        hint: str | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.problem = problem(status, name, detail, hint=hint)
        self.headers = dict(headers or {})


def problem(
    status: int, name: str, detail: str, *, field: str | None = None, hint: str | None = None
) -> Problem:
    """Return a problem whose type is `treadle:<name>`."""
    title = name.replace("_", " ").capitalize()
    return Problem(
        type=f"treadle:{name}", title=title, status=status, detail=detail, field=field, hint=hint
    )


def response(found: Problem, headers: Mapping[str, str] | None = None) -> Response:
    """Return a problem as a response."""
    body = found.model_dump_json(exclude_none=True)
    every = {**SECURITY_HEADERS, **(headers or {})}
    return Response(body, found.status, headers=every, media_type=MEDIA_TYPE)


def wire(found: Problem, headers: Mapping[str, str] | None = None) -> bytes:
    """Return a problem as the bytes of a last response, before a connection is closed."""
    answer = response(found, {"Connection": "close", **(headers or {})})
    lines = [f"HTTP/1.1 {found.status} {HTTPStatus(found.status).phrase}".encode()]
    lines += [name + b": " + value for name, value in answer.raw_headers]
    return b"\r\n".join(lines) + b"\r\n\r\n" + bytes(answer.body)


def echo(text: str) -> str:
    """Return input quoted, escaped and cut to 80 characters."""
    escaped = repr(text[: ECHO_LENGTH + 1])
    return escaped if len(escaped) <= ECHO_LENGTH else escaped[: ECHO_LENGTH - 2] + "…" + escaped[0]
