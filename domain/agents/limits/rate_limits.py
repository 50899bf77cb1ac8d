"""Refusals of a model's provider: what is one, how long to wait, and who may try next.

A rate limit, an exhausted quota, an overloaded or unreachable provider: the turn waits and goes on.
What a person must fix (a login, a prompt that is too long) is none of these.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from domain.agents.limits.reset_times import reset_time
from domain.core.wire import Wire

BASE = timedelta(seconds=10)
CAP = timedelta(minutes=15)
SHORTEST = timedelta(seconds=1)
PROBE = timedelta(seconds=20)
"""How long the others wait for a turn that tries whether the provider is back."""

HOLD = timedelta(minutes=1)
"""As long at most a time that nobody told holds the others: the fault may be one turn's own."""

MAX_REFUSALS = 20
"""In a row for one turn, without a time told; then a person is asked (about four hours)."""

MAX_REASON = 500

_TOO_LONG = re.compile(
    r"context.?(?:length|window|limit|size|exhausted)|(?:prompt|input) is too long"
    r"|maximum (?:context|number of tokens)|request_too_large|request too large|max_new_tokens"
    r"|model token limit|token count of \d{1,12} exceeds|too many tokens: |prompt exceeds max length"
    r"|range of input length",
    re.IGNORECASE,
)
_REFUSED = re.compile(
    r"""too\smany\srequests | rate.?limit | usage.?limit | insufficient.?quota | billing.?error
    | (?:session|daily|weekly|monthly|hourly|hour|day|week|month|request|token)\slimit\s(?:reached|exceeded|hit)
    | (?:hit|reached|exceeded|over)\s(?:\w{1,12}\s){0,4}?(?:limit|quota)
    | quota\s(?:\w{1,12}\s){0,2}?(?:exceeded|exhausted|reached) | resource.{1,10}?exhausted
    | exhausted\syour | out\sof\s(?:extra\s)?(?:usage|credits) | credit\sbalance\sis\stoo\slow
    | overloaded | server.?error | service.{0,3}unavailable | bad\sgateway | gateway\stimeout
    | \b(?:status|code|error|http)\W{0,8}(?:code\W{0,4})?(?:429|5\d\d)\b | \b429\b
    | fetch\sfailed | ECONN(?:REFUSED|RESET) | ENOTFOUND | ETIMEDOUT | EAI_AGAIN
    | network\serror | connection\s(?:refused|reset|error|timed) | stream\sdisconnected | socket\shang\sup""",
    re.IGNORECASE | re.VERBOSE,
)


class Refusal(Wire):
    """A provider refused a turn; `retry_at` is what it told, None where it told nothing."""

    reason: str
    retry_at: datetime | None = None


def is_too_long(message: str) -> bool:
    """Tell whether an error says that the model was told more than it can take."""
    return _TOO_LONG.search(message) is not None


def is_refusal(message: str) -> bool:
    """Tell whether an error says that the provider refuses for now, or does not answer."""
    return not is_too_long(message) and _REFUSED.search(message) is not None


def read_refusal(message: str, now: datetime) -> Refusal | None:
    """Read an agent's error as a refusal of its provider; None for all other errors.

    `now` carries the host's zone (see `reset_time`).
    """
    if not is_refusal(message):
        return None
    return Refusal(reason=_shortened(message), retry_at=reset_time(message, now))


def read_message(message: str, signs: Sequence[str], now: datetime) -> Refusal | None:
    """Read the last message of a turn that ended well as a refusal, by the signs of its agent.

    The signs are patterns of how such a message begins; a talk about rate limits begins otherwise.
    """
    if not any(re.match(sign, message.strip(), re.IGNORECASE) for sign in signs):
        return None
    return Refusal(reason=_shortened(message), retry_at=reset_time(message, now))


def backoff(refusals: int, roll: float) -> timedelta:
    """Return how long to wait after so many refusals in a row: full jitter under a doubling cap.

    `roll` is random in [0, 1), so that many turns do not come back at the same moment.
    """
    ceiling = min(CAP, BASE * 2 ** min(max(refusals, 1) - 1, 16))
    return max(SHORTEST, ceiling * roll)


class Breaker(Wire):
    """What a host knows of one provider.

    Closed, every turn may pass. Open until a time, none may. After that one turn at a time tries, a
    further one every 20 seconds, until one has come to its end.
    """

    refusals: int = 0
    open_until: datetime | None = None
    trying: str = ""
    tried_at: datetime | None = None

    def blocked_until(self, turn_id: str, now: datetime) -> datetime | None:
        """Return when a turn should ask again; None where it may pass now."""
        if self.open_until is None:
            return None
        if now < self.open_until:
            return self.open_until
        if self.trying in {"", turn_id} or self.tried_at is None or now > self.tried_at + PROBE:
            return None
        return self.tried_at + PROBE + SHORTEST

    def entered(self, turn_id: str, now: datetime) -> "Breaker":
        """Return the breaker after a turn passed."""
        if self.open_until is None:
            return self
        return self.model_copy(update={"trying": turn_id, "tried_at": now})

    def refused(self, retry_at: datetime) -> "Breaker":
        """Return the breaker after the provider refused a turn."""
        later = max(retry_at, self.open_until or retry_at)
        return Breaker(refusals=self.refusals + 1, open_until=later)

    def worked(self) -> "Breaker":
        """Return the breaker after a turn came to its end."""
        del self
        return Breaker()

    def left(self, turn_id: str) -> "Breaker":
        """Return the breaker after a turn ended that told nothing of the provider."""
        is_trying = self.trying == turn_id
        return self.model_copy(update={"trying": "", "tried_at": None}) if is_trying else self


def _shortened(message: str) -> str:
    text = " ".join(message.split())
    return text if len(text) <= MAX_REASON else f"{text[: MAX_REASON - 4]} ..."
