"""When a request is sent again: while the API starts anew, is busy, or has not taken a command yet.

Nothing is done twice by that: only what reads is sent again, and what has an id.
"""

import time
from collections.abc import Iterator
from typing import Any

import httpx

from treadle_client.addresses import Address
from treadle_client.calls import Call
from treadle_client.errors import BY_STATUS, PREFIX, ApiError, NotTakenError, UnreachableError
from treadle_client.problems import PROBLEMS

RETRY_SECONDS = 0.2
MOST_SECONDS = 2.0
"""The longest pause between two tries."""

_BUSY = frozenset({429, 502, 503, 504})
_PENDING = "/v1/commands/"
_ACCEPTED = 202


class Patience:
    """How long one request, or one stream since its last word, is tried again.

    Where nobody has answered this client yet and no engine runs, the first refusal is the last.
    """

    def __init__(self, address: Address, seconds: float, *, was_reached: bool) -> None:
        self._address = address
        self._seconds = seconds
        self._was_reached = was_reached
        self.restart()

    def restart(self) -> None:
        """Begin anew: there was a message."""
        self.extend()
        self._pause = RETRY_SECONDS

    def extend(self) -> None:
        """Count the time from now: a stream was open until now, which may have sent nothing for long."""
        self._ends = time.monotonic() + self._seconds

    @property
    def is_over(self) -> bool:
        """Whether there was enough time."""
        return time.monotonic() > self._ends

    def pause_after(self, error: httpx.TransportError, call: Call) -> float:
        """Return for how long to pause after no answer.

        Raises:
            UnreachableError: It is not to be sent again, or it took too long.
        """
        is_unsent = isinstance(error, httpx.ConnectError)
        is_hopeless = is_unsent and not self._is_worth_waiting(error)
        if is_hopeless or self.is_over or not (is_unsent or call.is_repeatable):
            raise UnreachableError(self._words(error)) from error
        self._pause = min(self._pause * 1.5, MOST_SECONDS)
        return self._pause

    def pause_before_next(self, answer: httpx.Response, call: Call) -> float | None:
        """Return for how long to pause before the request is sent again; None if this is its answer."""
        if answer.status_code not in _BUSY or self.is_over or not call.is_repeatable:
            return None
        after = answer.headers.get("Retry-After", "")
        if after.isdecimal():
            pause = max(float(after), RETRY_SECONDS)
            return pause if time.monotonic() + pause <= self._ends else None
        is_own = answer.headers.get("Content-Type", "").startswith("application/problem+json")
        return RETRY_SECONDS if not is_own or type_of(answer) == "not_confirmed" else None

    def refuse_if_over(self, call: Call) -> None:
        """Fail where a command was accepted, and no worker has taken it in all the time.

        Raises:
            NotTakenError: It is carried out once a worker takes it.
        """
        if self.is_over:
            raise NotTakenError(f"{call.method} {call.url} is accepted, and waits for a worker")

    def _is_worth_waiting(self, error: Exception) -> bool:
        if self._address.data_dir is not None:
            return self._was_reached or self._address.is_engine_alive
        return any(isinstance(each, ConnectionRefusedError) for each in _causes(error))

    def _words(self, error: httpx.TransportError) -> str:
        if self._address.data_dir is None:
            return f"{self._address.url} does not answer: {error or type(error).__name__}"
        return f"no engine answers at {self._address.url}: start one with `treadle up` ({error or type(error).__name__})"


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def place_to_ask(answer: httpx.Response) -> str:
    """Return where a command that was accepted and waits for a worker can be asked for; empty for all others."""
    where = answer.headers.get("Location", "")
    return where if answer.status_code == _ACCEPTED and where.startswith(_PENDING) else ""


def type_of(answer: httpx.Response) -> str:
    """Return the type of a problem."""
    return str(_problem(answer).get("type", "")).removeprefix(PREFIX)


def error_of(answer: httpx.Response) -> ApiError:
    """Return a refusal as the error of its type, or else of its status."""
    found = _problem(answer) or {"detail": answer.text[:200]}
    kind = PROBLEMS.get(str(found.get("type", "")).removeprefix(PREFIX))
    return (kind or BY_STATUS.get(answer.status_code, ApiError))(found, answer.status_code)


def _problem(answer: httpx.Response) -> dict[str, Any]:
    try:
        found = answer.json()
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}  # pyright: ignore[reportUnknownVariableType]  (any JSON)
