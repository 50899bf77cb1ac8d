"""What a forge's refusal means, and what to do about it."""

import time
from datetime import timedelta

import httpx
from pydantic import BaseModel, ValidationError

from domain.forges.errors import (
    ForgeAccessError,
    ForgeBusyError,
    ForgeConflictError,
    ForgeError,
    ForgeGoneError,
)

_WORDS = 500
_LONGEST_WAIT = timedelta(hours=1)
_SHORTEST_WAIT = timedelta(seconds=1)
_DAY = 86_400
_RATE_LIMITED = 429
_LATER = frozenset({408, 425, _RATE_LIMITED})
_TOO_MANY = frozenset({403, _RATE_LIMITED})
_MOVED = frozenset({301, 302, 307, 308})
_ARCHIVED = 423
_CONFLICTS = frozenset({405, 406, 409, 422})
_GONE = frozenset({404, 410, _ARCHIVED})
_SERVER_ERRORS = 500


class _Problem(BaseModel):
    message: str = ""


class _Trouble(BaseModel):
    message: str | list[str] | dict[str, list[str]] = ""
    error: str = ""
    errors: list[_Problem | str] = []


def refusal(response: httpx.Response, raw: bytes, about: str, token_name: str) -> ForgeError:
    """Return what an answer that refuses means, about the project or pull request of this name."""
    status, words = response.status_code, error_text(raw)
    wait = wait_of(response)
    if status in _TOO_MANY and wait is not None:
        seconds = int(wait.total_seconds())
        return ForgeBusyError(f"the forge's rate limit is used up for {seconds} s: {words}", wait)
    if status >= _SERVER_ERRORS or status in _LATER:
        return ForgeBusyError(f"the forge fails with {status}: {words}", wait)
    if status in _MOVED or (status in _CONFLICTS and "moved project" in words):
        return ForgeGoneError(f"{about} has moved: give the remote its new address, then publish")
    if status == _ARCHIVED or "archived" in words.lower():
        return ForgeGoneError(f"{about} is archived: make it writable again ({words})")
    return _final(status, words, about, token_name)


def _final(status: int, words: str, about: str, token_name: str) -> ForgeError:
    meant = {
        401: f"the token in {token_name} is wrong or has expired",
        403: f"the token in {token_name} must be allowed to write pull requests of {about}",
        404: f"{about} is not there, or the token in {token_name} must not see it",
        410: f"{about} takes no pull requests",
        422: f"what was asked of {about} is refused",
    }
    message = f"{meant.get(status, f'the forge answered {status}')}: {words}"
    if status in {401, 403}:
        return ForgeAccessError(message)
    if status in _GONE:
        return ForgeGoneError(message)
    return ForgeConflictError(message) if status in _CONFLICTS else ForgeError(message)


def error_text(raw: bytes) -> str:
    """Return the words of an error's body, of its single problems too: bounded, on one line."""
    try:
        trouble = _Trouble.model_validate_json(raw)
    except ValidationError:
        return "it says no more"
    said = trouble.message
    if isinstance(said, dict):
        said = [f"{name} {each}" for name, every in said.items() for each in every]
    problems = [p if isinstance(p, str) else p.message for p in trouble.errors]
    main = said if isinstance(said, list) else [said]
    words = "; ".join(part for part in (*main, trouble.error, *problems) if part)
    return "".join(c if c.isprintable() else " " for c in words[:_WORDS]) or "it says no more"


def wait_of(response: httpx.Response, low: int = 0) -> timedelta | None:
    """Return how long the forge wants to be left alone, at most an hour; None where it says nothing.

    It does where no more than `low` requests are left until the reset.
    """
    headers = response.headers
    after = headers.get("retry-after", "")
    reset = headers.get("x-ratelimit-reset", headers.get("ratelimit-reset", ""))
    left = headers.get("x-ratelimit-remaining", headers.get("ratelimit-remaining", ""))
    if after.isdecimal():
        wait = timedelta(seconds=min(int(after), _DAY))
    elif left.isdecimal() and int(left) <= low and reset.isdecimal():
        wait = timedelta(seconds=min(max(int(reset) - time.time(), 0), _DAY))
    elif response.status_code == _RATE_LIMITED:
        wait = timedelta(minutes=1)
    else:
        return None
    return min(max(wait, _SHORTEST_WAIT), _LONGEST_WAIT)
