"""What goes wrong: the API refuses (a problem document), nothing answers, or an answer cannot be read.

`problems` has a class for each stable type of problem; those here are their bases, by status.
"""

from collections.abc import Mapping
from typing import Any

PREFIX = "treadle:"


class TreadleError(Exception):
    """The base of all errors of this client."""


class AddressError(TreadleError):
    """There is no address to talk to, or none to send a token to; nothing was sent."""


class UnreachableError(TreadleError):
    """Nothing answers, or not in time."""


class NotTakenError(TreadleError):
    """A command was accepted and saved, but no worker has taken it in time; it will be carried out once."""


class UnreadableAnswerError(TreadleError):
    """An answer is not as this version of the client knows it: install the one of your engine's version."""


class WaitTimeoutError(TreadleError, TimeoutError):
    """What was waited for has not happened in time; it may still."""


class ApiError(TreadleError):
    """The API refused a request; `type` is a stable name like `not_what_was_shown`."""

    def __init__(self, problem: Mapping[str, Any], status: int) -> None:
        detail = str(problem.get("detail") or problem.get("title") or f"status {status}")
        hint = problem.get("hint")
        super().__init__(f"{detail} ({hint})" if hint else detail)
        self.problem = dict(problem)
        """The whole problem document (RFC 9457)."""
        self.status = status
        self.type = str(problem.get("type", "")).removeprefix(PREFIX)
        self.detail = detail
        self.hint = str(hint) if hint else None
        self.field = str(problem["field"]) if problem.get("field") else None
        """The field of the request that is wrong."""


class InvalidError(ApiError):
    """A field or parameter is wrong (400, 422)."""


class UnauthorizedError(ApiError):
    """The token is missing, wrong or has expired (401)."""


class ForbiddenError(ApiError):
    """The role of the token's person is not enough, or a code is wrong (403)."""


class NotFoundError(ApiError):
    """There is none (404)."""


class ConflictError(ApiError):
    """Valid, but not possible in this state (409)."""


class GoneError(ApiError):
    """There is none any more (410)."""


class TooManyError(ApiError):
    """Too many requests, for longer than the client waits (429)."""


class UnavailableError(ApiError):
    """Temporal, a worker or the journal does not answer (503)."""


BY_STATUS: Mapping[int, type[ApiError]] = {
    400: InvalidError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    410: GoneError,
    422: InvalidError,
    429: TooManyError,
    503: UnavailableError,
}
