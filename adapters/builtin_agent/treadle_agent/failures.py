"""What a provider's errors mean: try again soon, or tell the client, in its words and with its times."""

import json
import re
from typing import Any

from pydantic_ai.exceptions import (
    AgentRunError,
    ModelAPIError,
    ModelAuthenticationError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelNotFoundError,
    ModelQuotaExceededError,
    ModelRateLimitError,
    ModelServerError,
    ModelUnavailableError,
    UnexpectedModelBehavior,
)

from treadle_agent.rpc import INTERNAL_ERROR, RpcError
from treadle_agent.tolerant import as_dict, as_list

AUTH_REQUIRED = -32000
TOO_LARGE = 413
_MAY_BE_TOO_LARGE = {400, 422, 429}
"""With 429 some count the tokens of one request against a minute's."""

MAX_TRIES = 4
SHORT_WAIT = 15.0
"""Seconds that a turn waits by itself where the provider names a time; longer waits are the client's."""

MAX_WORDS = 4_000
_MISUSED = re.compile(r"Tool (.+?) exceeded max retries count of (\d+)")
_OVERFLOW = re.compile(
    r"context (?:size|length|limit|window)|maximum (?:prompt|model) length|(?:prompt|input) is too long"
    r"|length of the (?:messages|input|prompt)|request too large|max_new_tokens"
    r"|model token limit|token count of \d+ exceeds|too many tokens: |prompt exceeds max length"
    r"|range of input length",
    re.IGNORECASE,
)
"""How servers say that the context is full whose errors the library does not know."""

_NO_ANSWER = "Streamed response ended without content"


class UnreadableError(ModelAPIError):
    """What came from the model's server is no answer, or an empty one."""


_KINDS: tuple[tuple[type[ModelAPIError], str], ...] = (
    (ModelContextWindowExceededError, "context_overflow"),
    (ModelAuthenticationError, "authentication"),
    (ModelNotFoundError, "model_not_found"),
    (ModelQuotaExceededError, "quota_exceeded"),
    (ModelRateLimitError, "rate_limit"),
    (ModelUnavailableError, "unavailable"),
    (ModelServerError, "server_error"),
    (ModelConnectionError, "connection_error"),
    (UnreadableError, "unreadable_answer"),
)
_PASSING = (ModelUnavailableError, ModelServerError, ModelConnectionError, UnreadableError)
_PREFIXES = {
    "context_overflow": "the context length of the model is exceeded",
    "authentication": "the provider refused the key",
    "model_not_found": "the provider does not know the model",
    "quota_exceeded": "quota exceeded at the provider",
    "rate_limit": "rate limit of the provider reached",
    "unavailable": "service unavailable at the provider",
    "server_error": "server error at the provider",
    "connection_error": "connection error on the way to the provider",
    "unreadable_answer": "the model's server gave no answer that can be read (is its address right?)",
}


def api_error(error: AgentRunError) -> ModelAPIError | None:
    """Return what went wrong at the model's server, None where its answer was the fault of the model."""
    if isinstance(error, ModelAPIError):
        is_unknown = type(error) is ModelAPIError  # the library tells so what it can't decode
        return UnreadableError(error.model_name, error.message) if is_unknown else error
    is_empty = isinstance(error, UnexpectedModelBehavior) and str(error).startswith(_NO_ANSWER)
    return UnreadableError("", "it was empty") if is_empty else None


def seconds_to_wait(error: ModelAPIError, tries: int) -> float | None:
    """Return how long to wait before a request is sent again, None where it is not.

    A rate limit is waited for only where its end is named and near: what is longer, the client can
    wait for without a running agent.
    """
    if tries >= MAX_TRIES:
        return None
    if isinstance(error, ModelRateLimitError):
        wait = error.retry_after
        return wait if wait is not None and wait <= SHORT_WAIT else None
    if isinstance(error, _PASSING):
        wait = error.retry_after or float(2**tries) / 2
        return wait if wait <= SHORT_WAIT else None
    return None


def is_overflow(error: ModelAPIError) -> bool:
    """Tell whether a provider says that the model was told more than it can take."""
    if isinstance(error, ModelContextWindowExceededError):
        return True
    if not isinstance(error, ModelHTTPError):
        return False
    if error.status_code in _MAY_BE_TOO_LARGE:
        return _OVERFLOW.search(_error_text(error.body) or error.message) is not None
    return error.status_code == TOO_LARGE


def as_rpc_error(error: AgentRunError) -> RpcError:
    """Return what the client is told of a turn that failed, in words of the provider or of ours."""
    refused = api_error(error)
    if refused is not None:
        return _refusal(refused)
    words = str(error)
    if misused := _MISUSED.match(words):
        tool, times = misused.groups()
        words = f"the model called the tool {tool} wrongly more than {times} times in a row"
    return RpcError(INTERNAL_ERROR, f"the turn failed: {words}"[:MAX_WORDS])


def _refusal(error: ModelAPIError) -> RpcError:
    """Return what the client is told of a refusal: kind, status, seconds to wait, and the provider's own words."""
    kind = next((kind for known, kind in _KINDS if isinstance(error, known)), "request_rejected")
    kind = "context_overflow" if is_overflow(error) else kind
    body = error.body if isinstance(error.body, str) else json.dumps(error.body, default=str)
    words = (_error_text(error.body) or error.message)[:MAX_WORDS]
    data: dict[str, Any] = {"errorKind": kind, "model": error.model_name, "message": words}
    if isinstance(error, ModelHTTPError):
        data["status"] = error.status_code
    if error.provider_error_code:
        data["providerCode"] = error.provider_error_code
    if error.retry_after is not None:
        data["retryAfterSeconds"] = error.retry_after
    if error.body is not None:
        data["body"] = body[:MAX_WORDS]
    code = AUTH_REQUIRED if kind == "authentication" else INTERNAL_ERROR
    prefix = f"{_PREFIXES[kind]}: " if kind in _PREFIXES else "the provider refused the request: "
    return RpcError(code, prefix + words, data)


def _error_text(body: object) -> str:
    """Return the message in a provider's error; each nests it a little differently."""
    for _ in range(3):
        inner = as_dict(next(iter(as_list(body)), body))
        if isinstance(message := inner.get("message"), str):
            return message
        body = inner.get("error") or body
    return body if isinstance(body, str) else ""
