"""Tokens and cost of a turn, as agents tell them."""

from typing import Any

from adapters.acp.limits import clipped
from adapters.tolerant import as_dict, as_text, at
from domain.agents.agents import Usage, UsageSource

MAX_COUNT = 10**9
"""More tokens than any turn takes: an agent that tells more counts wrongly, and is not believed."""

MAX_COST = 1e9
MAX_CURRENCY_BYTES = 10


class Meter:
    """What one session has cost; an agent tells the sum of the session, a turn has its share."""

    def __init__(self) -> None:
        self._reported: float | None = None
        self._before: float | None = None
        self._currency = ""
        self._is_told = False

    def begin(self, *, is_fresh: bool) -> None:
        """Begin a turn; a fresh session has cost nothing so far."""
        self._before = 0.0 if is_fresh else self._reported
        self._is_told = False

    def know(self, update: dict[str, Any]) -> None:
        """Learn from a `usage_update`; most tell no cost."""
        cost = as_dict(update.get("cost"))
        amount = cost.get("amount")
        if (
            isinstance(amount, int | float)
            and not isinstance(amount, bool)
            and 0 <= amount <= MAX_COST
        ):
            if self._before is None:
                self._before = amount  # of a reopened session: what came before is not this turn's
            self._reported, self._is_told = amount, True
            self._currency = clipped(as_text(cost.get("currency")), MAX_CURRENCY_BYTES)

    def metered(self, usage: Usage | None) -> Usage | None:
        """Return the usage of the turn with its cost; an agent that begins to count anew is believed."""
        if self._reported is None or not self._is_told:
            return usage  # of this turn nothing is told, and not that it cost nothing
        before = (
            self._before if self._before is not None and self._before <= self._reported else 0.0
        )
        known = usage or Usage(source=UsageSource.UNTOLD)
        cost = round(self._reported - before, 6)
        return known.model_copy(update={"cost": cost, "currency": self._currency})


def usage_of(answer: dict[str, Any]) -> Usage | None:
    """Return the tokens that the answer to a prompt tells, None where it tells none."""
    counts = _counts(answer.get("usage"))
    if counts:
        return Usage(
            input_tokens=_not_cached(counts),
            output_tokens=counts.get("outputTokens", 0),
            cached_tokens=counts.get("cachedReadTokens", 0),
            cache_write_tokens=counts.get("cachedWriteTokens", 0),
            thought_tokens=counts.get("thoughtTokens", 0),
        )
    counts = _counts(at(answer, "_meta.quota.token_count"))
    if counts:
        return Usage(
            input_tokens=counts.get("input_tokens", 0),
            output_tokens=counts.get("output_tokens", 0),
            source=UsageSource.QUOTA,
        )
    return None


def _not_cached(counts: dict[str, int]) -> int:
    """Return the tokens that were sent and not read from the provider's cache.

    By the protocol cached ones are told apart, and so are those that were just written to the cache. Some
    agents count both among the input, too: then the total is the sum without them.
    """
    sent, output = counts.get("inputTokens", 0), counts.get("outputTokens", 0)
    read, written = counts.get("cachedReadTokens", 0), counts.get("cachedWriteTokens", 0)
    beyond = counts.get("totalTokens", 0) - sent - output
    thoughts = counts.get("thoughtTokens", 0)
    is_apart = beyond in {read + written, read + written + thoughts}
    is_among = not is_apart and beyond in {0, thoughts} and sent >= read + written
    return sent - read if is_among else sent + written


def _counts(raw: Any) -> dict[str, int]:
    return {
        name: count
        for name, count in as_dict(raw).items()
        if type(count) is int and 0 <= count <= MAX_COUNT
    }
