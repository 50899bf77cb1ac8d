"""How turns and processes of agents end, in Treadle's words."""

import signal
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from adapters.acp.limits import clipped
from adapters.tolerant import as_dict, as_text
from domain.agents import StopReason, Usage
from domain.errors import AgentError, RefusedByProviderError
from domain.limits.rate_limits import Refusal, read_message, read_refusal

SIGNAL_BASE = 128
MAX_COUNT = 2**53
"""What JSON readers agree on as a whole number."""


class Said(NamedTuple):
    """How a prompt was answered."""

    stop_reason: StopReason
    usage: Usage | None


def read_answer(answer: dict[str, Any]) -> Said:
    """Read the answer to a prompt.

    Raises:
        AgentError: It gives no stop reason that the protocol knows.
    """
    raw = answer.get("stopReason")
    reason = as_text(raw)
    if reason not in set(StopReason):
        told = clipped(repr(raw), 80)
        raise AgentError(f"it broke the protocol: it ended the turn with the stop reason {told}")
    return Said(StopReason(reason), _usage(answer.get("usage")))


def refuse_limited(error: str = "", message: str = "", signs: Sequence[str] = ()) -> None:
    """Tell a provider's refusal from other ends of a turn, by an error or by the last message.

    Raises:
        RefusedByProviderError: It is one.
    """
    now = datetime.now(UTC).astimezone()  # agents tell times of the day in the host's zone
    refusal: Refusal | None = read_refusal(error, now) if error else None
    refusal = refusal or read_message(message, signs, now)
    if refusal is not None:
        raise RefusedByProviderError(refusal.reason, refusal.retry_at)


def describe_exit(code: int, *, is_mid_message: bool) -> str:
    """Say how a process ended that owed an answer; bubblewrap tells a signal as 128 + n."""
    number = -code if code < 0 else code - SIGNAL_BASE
    if number in set(signal.valid_signals()):
        said = f"it was killed by {signal.Signals(number).name}"
        if number == signal.SIGKILL:
            said += " (by the kernel where memory ran out, else by somebody)"
    elif code == 0:
        said = "it left with exit code 0 and without an answer"
    else:
        said = f"it exited with code {code}"
    return f"{said}, in the middle of a message" if is_mid_message else said


def _usage(raw: Any) -> Usage | None:
    counts = {
        name: count
        for name, count in as_dict(raw).items()
        if type(count) is int and 0 <= count <= MAX_COUNT
    }
    if not counts:
        return None
    return Usage(
        input_tokens=counts.get("inputTokens", 0),
        output_tokens=counts.get("outputTokens", 0),
        cached_tokens=counts.get("cachedReadTokens", 0),
    )
