"""One breaker for each credential at a model's provider: turns do not run into a refusal that is known."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import NamedTuple

from domain.agents.agents import TurnInput, TurnResult
from domain.agents.limits.rate_limits import HOLD, Breaker, backoff
from domain.core.errors import RefusedByProviderError


def _now() -> datetime:
    return datetime.now(UTC)


class Provider(NamedTuple):
    """Whose limits a turn falls under: those of its credential where it is known, else of the provider."""

    name: str
    credential: str = ""

    @property
    def key(self) -> str:
        """What turns under the same limits share."""
        return self.credential or self.name


class Breakers:
    """The breakers of this worker; a new one knows nothing, and learns it by the next refusal."""

    def __init__(self, roll: Callable[[], float], now: Callable[[], datetime] = _now) -> None:
        """Make the breakers; `roll` gives random numbers in [0, 1)."""
        self._roll = roll
        self._now = now
        self._breakers: dict[str, Breaker] = {}

    def enter(self, turn: TurnInput, provider: Provider) -> TurnResult | None:
        """Let a turn pass, or return that it goes on later; an urgent one always passes."""
        breaker, now = self._of(provider.key), self._now()
        until = None if turn.is_urgent else breaker.blocked_until(turn.turn_id, now)
        if until is not None:
            reason = f"{provider.name} refused another turn before this one"
            return self._delayed(turn, provider, reason, until)
        self._breakers[provider.key] = breaker.entered(turn.turn_id, now)
        return None

    def refused(
        self, turn: TurnInput, provider: Provider, error: RefusedByProviderError
    ) -> TurnResult:
        """Take note of a refusal; returns when the turn goes on: as told, else after a backoff."""
        breaker, now = self._of(provider.key), self._now()
        count = max(breaker.refusals, turn.refusals - turn.pauses) + 1
        wait = backoff(count, self._roll())
        retry_at = error.retry_at or now + wait
        self._breakers[provider.key] = breaker.refused(error.retry_at or now + min(wait, HOLD))
        return self._delayed(turn, provider, error.message, retry_at)

    def ended(self, turn: TurnInput, provider: Provider, *, is_served: bool) -> None:
        """Take note of a turn's end; one that was served closes the breaker."""
        breaker = self._of(provider.key)
        after = breaker.worked() if is_served else breaker.left(turn.turn_id)
        if after == Breaker():
            self._breakers.pop(provider.key, None)
        else:
            self._breakers[provider.key] = after

    def _of(self, key: str) -> Breaker:
        return self._breakers.get(key, Breaker())

    def _delayed(
        self, turn: TurnInput, provider: Provider, reason: str, retry_at: datetime
    ) -> TurnResult:
        return TurnResult(
            turn_id=turn.turn_id,
            agent_session=turn.agent_session,
            provider=provider.name,
            retry_at=retry_at.astimezone(UTC),
            limit_reason=reason,
        )
