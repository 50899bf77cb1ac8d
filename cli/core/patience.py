"""When a request is sent again: while the API starts anew, or where it says when to try again.

Nothing is done twice by that, as commands have ids.
"""

from collections.abc import Iterator
from http import HTTPStatus

import httpx

from address import EngineFiles
from cli.core.transport import ForeignPortError, is_engine_alive

RESTART_SECONDS = 60
"""How long a request waits for the API: longer than an upgrade of one takes on a busy machine."""

RETRY_SECONDS = 0.2

_OF_A_PROXY = frozenset(
    {HTTPStatus.BAD_GATEWAY, HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.GATEWAY_TIMEOUT}
)
_PROBLEM = "application/problem+json"


def is_worth_waiting(
    error: httpx.TransportError, settings: EngineFiles, *, elsewhere: bool
) -> bool:
    """Tell whether an API that gave no answer is likely to be back soon.

    A connection that broke was taken by somebody. A refused one is worth waiting for if the engine is
    alive, or if the API is a server, whose administrator starts it again; a wrong name or a certificate
    that is not trusted stays so.
    """
    if isinstance(error, ForeignPortError):
        return False
    if not isinstance(error, httpx.ConnectError):
        return isinstance(error, httpx.NetworkError | httpx.RemoteProtocolError)
    return _is_refused(error) if elsewhere else is_engine_alive(settings)


def seconds_to_wait(answer: httpx.Response) -> float | None:
    """Return after how long to send again what got this answer; None if it is the answer."""
    if answer.status_code in _OF_A_PROXY:
        is_own = answer.headers.get("Content-Type", "").startswith(_PROBLEM)
        return None if is_own else RETRY_SECONDS
    after = answer.headers.get("Retry-After", "")
    is_limit = answer.status_code == HTTPStatus.TOO_MANY_REQUESTS and after.isdecimal()
    return max(float(after), RETRY_SECONDS) if is_limit else None


def _is_refused(error: BaseException) -> bool:
    return any(isinstance(cause, ConnectionRefusedError) for cause in _causes(error))


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
