"""The form of every refusal: problem details (RFC 9457) with stable type names."""

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


class Problem(BaseModel):
    """What was wrong; `type` is `treadle:` and a name that never changes."""

    type: str
    title: str
    status: int
    detail: str
    field: str | None = None
    hint: str | None = None


class RefusedError(Exception):
    """A request is refused before it reaches a route."""

    def __init__(self, status: int, name: str, detail: str, hint: str | None = None) -> None:
        super().__init__(detail)
        self.problem = problem(status, name, detail, hint=hint)


def problem(
    status: int, name: str, detail: str, *, field: str | None = None, hint: str | None = None
) -> Problem:
    """Return a problem whose type is `treadle:<name>`."""
    title = name.replace("_", " ").capitalize()
    return Problem(
        type=f"treadle:{name}", title=title, status=status, detail=detail, field=field, hint=hint
    )


def response(found: Problem) -> Response:
    """Return a problem as an answer."""
    body = found.model_dump_json(exclude_none=True)
    return Response(body, found.status, headers=SECURITY_HEADERS, media_type=MEDIA_TYPE)


def echo(text: str) -> str:
    """Return input as it may be shown: escaped, and not more than 80 characters of it."""
    kept = text if len(text) <= ECHO_LENGTH else text[:ECHO_LENGTH] + "…"
    return repr(kept)
