"""How turns and processes of agents end, in Treadle's words."""

import re
import signal
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from adapters.acp.limits import NOTE_BYTES, clipped
from adapters.acp.usage import usage_of
from adapters.tolerant import as_text
from domain.agents.agents import StopReason, Usage
from domain.agents.limits.rate_limits import read_message, read_refusal
from domain.agents.limits.troubles import Trouble, trouble_of
from domain.agents.profiles import AgentProfile
from domain.core.errors import (
    AgentDiedError,
    AgentError,
    ContextFullError,
    LoginNeededError,
    RefusedByProviderError,
)

SIGNAL_BASE = 128

_FAILURES: dict[Trouble, type[AgentError]] = {
    Trouble.CONTEXT: ContextFullError,
    Trouble.ENDED: AgentDiedError,
    Trouble.LOGIN: LoginNeededError,
}


class PromptResult(NamedTuple):
    """How a prompt was answered."""

    stop_reason: StopReason
    usage: Usage | None = None


def read_answer(answer: dict[str, Any]) -> PromptResult:
    """Read the answer to a prompt.

    Raises:
        AgentError: It gives no stop reason that the protocol knows.
    """
    raw = answer.get("stopReason")
    reason = as_text(raw)
    if reason not in set(StopReason):
        message = "without a stop reason" if raw is None else f"with the stop reason {raw!r}"
        raise AgentError(f"it broke the protocol: it ended the turn {clipped(message, 100)}")
    return PromptResult(StopReason(reason), usage_of(answer))


def refusal_in(message: str, signs: Sequence[str]) -> RefusedByProviderError | None:
    """Return the provider's refusal that the last message of a turn is, by the signs of its agent."""
    refusal = read_message(message, signs, _now())
    return RefusedByProviderError(refusal.reason, refusal.retry_at) if refusal else None


def begins_like(message: str, signs: Sequence[str]) -> bool:
    """Tell whether a message begins as one of the patterns says."""
    return any(re.match(sign, message.strip(), re.IGNORECASE) for sign in signs)


def not_started(profile: AgentProfile, error: OSError) -> AgentError:
    """Return the error of a program that can't be started, with how it is installed."""
    hint = f". {profile.install_hint}" if profile.install_hint else ""
    return AgentError(f"agent {profile.name!r} does not start: {error}{hint}")


def failure_of(details: str, message: str, code: int | None = None) -> AgentError:
    """Return the error that a turn ends with after an agent's error, of the kind that asks for the same.

    `details` is all of the agent's error, `message` what a person is shown of it.
    """
    trouble = trouble_of(details, code)
    if trouble is Trouble.LIMIT and (refusal := read_refusal(details, _now())) is not None:
        return RefusedByProviderError(refusal.reason, refusal.retry_at)
    return _FAILURES.get(trouble, AgentError)(message)


def last_words(errors: str) -> str:
    """Return what a person is told of a process's standard error, an empty text for nothing."""
    tail = errors.encode(errors="replace")[-NOTE_BYTES:].decode(errors="ignore").strip()
    return f"its standard error ends with:\n{tail}" if tail else ""


def describe_failure(
    error: AgentError, profile: AgentProfile, dropped: str, errors: str, *, is_opened: bool
) -> AgentError:
    """Return the error that a person sees: the reason, what was dropped, and the agent's last words.

    Of the same kind; below 6 KiB, as it goes into histories.
    """
    hints = [] if is_opened else [profile.install_hint]
    if isinstance(error, LoginNeededError):
        hints = [profile.login.hint]  # it starts: so it is installed
    details = f"agent {profile.name!r} failed: {clipped(error.message)}"
    dropped = dropped and f"dropped of what it said: {dropped}"
    return type(error)("\n".join(filter(None, (details, *hints, dropped, last_words(errors)))))


def describe_exit(code: int, *, is_mid_message: bool) -> str:
    """Say how a process ended that owed an answer; bubblewrap tells a signal as 128 + n."""
    number = -code if code < 0 else code - SIGNAL_BASE
    if number in set(signal.valid_signals()):
        details = f"it was killed by {signal.Signals(number).name}"
        if number == signal.SIGKILL:
            details += " (by the kernel if memory ran out, or by a user)"
    elif code == 0:
        details = "it left with exit code 0 and without an answer"
    else:
        details = f"it exited with code {code}"
    return f"{details}, in the middle of a message" if is_mid_message else details


def _now() -> datetime:
    return datetime.now(UTC).astimezone()  # agents tell times of the day in the host's zone
