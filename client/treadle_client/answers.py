"""What both ways of sending share: the address, how long they try, and how an answer is read."""

from functools import cache
from typing import Any, TypeVar

import httpx
from pydantic import TypeAdapter, ValidationError

from treadle_client.addresses import Address
from treadle_client.calls import Call
from treadle_client.errors import UnreachableError, UnreadableAnswerError
from treadle_client.patience import Patience, error_of

A = TypeVar("A")


class Sending:
    """Where requests go, and what is known of it."""

    def __init__(self, address: Address, patience: float) -> None:
        self._address = address
        self._seconds = patience
        self._was_reached = False

    def patience(self) -> Patience:
        """Return how long one request is tried."""
        return Patience(self._address, self._seconds, was_reached=self._was_reached)

    def headers(self) -> dict[str, str]:
        """Return what a request brings: the token of now."""
        token = self._address.current_token()
        return {"Authorization": f"Bearer {token}"} if token else {}

    def pause(self, answer: httpx.Response, call: Call, patience: Patience) -> float | None:
        """Return the pause before a request is sent again; None if it is answered.

        Raises:
            UnreachableError: The address is that of something else.
        """
        self._was_reached = True
        if answer.is_redirect:
            where = answer.headers.get("Location", "another page")[:200]
            raise UnreachableError(f"{self._address.url} leads to {where}: is it a Treadle server?")
        return patience.pause_before_next(answer, call)


def checked(answer: httpx.Response) -> httpx.Response:
    """Return an answer that is none of an error.

    Raises:
        ApiError: The request was refused; the class says why.
    """
    if answer.is_error:
        raise error_of(answer)
    return answer


def read(kind: type[A], answer: httpx.Response) -> A:
    """Return an answer as what it is.

    Raises:
        UnreadableAnswerError: It is not what this version of the client knows.
    """
    try:
        return _adapter(kind).validate_json(answer.content)
    except ValidationError as error:
        raise UnreadableAnswerError(
            f"{answer.request.method} {answer.request.url.path}: {error}"
        ) from error


@cache
def _adapter(kind: type[A]) -> TypeAdapter[A]:
    return TypeAdapter[Any](kind)
