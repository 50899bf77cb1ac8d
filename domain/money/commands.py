"""What people say of limits, and what the ledger tells of them."""

from datetime import datetime

from pydantic import Field

from domain.agents.billing import MonthlyLimits
from domain.agents.limits.money import SpentLimit, Usd
from domain.core.command import MAX_NAME, Coded
from domain.core.ids import RequestId
from domain.core.wire import Wire


class AtLimit(Coded):
    """Base of the answers at a limit; `content_hash` is that of what was shown."""

    request_id: RequestId = Field(max_length=MAX_NAME)
    content_hash: str = Field(max_length=MAX_NAME)

    @property
    def request(self) -> str:
        """The request's id."""
        return self.request_id

    @property
    def content(self) -> str:
        """The hash of what was shown."""
        return self.content_hash


class RaiseLimit(AtLimit):
    """Raise a limit that is reached: what waits goes on by itself. Its code binds the amount."""

    door = "raise_limit"

    usd: Usd

    @property
    def content(self) -> str:
        """The hash of what was shown, and the new limit."""
        return f"{self.content_hash} {self.usd:.6f}"


class StopAtLimit(AtLimit):
    """Leave a limit as it is, and stop the turns that wait for it; a message begins them again."""

    door = "stop_at_limit"


class SetMonthlyLimits(Coded):
    """Say what work may cost in a month, over the settings; None goes back to those."""

    door = "set_monthly_limits"

    limits: MonthlyLimits | None = None

    @property
    def content(self) -> str:
        """The limits."""
        return self.limits.model_dump_json() if self.limits else ""


class NoteLimits(Wire):
    """Limits are near, or reached by a turn that now waits; told by the ledger in the signal `note_limits`.

    `idle` are questions for whose answer no turn waits any more: they were stopped, or their threads are over.
    """

    near: tuple[SpentLimit, ...] = ()
    reached: tuple[SpentLimit, ...] = ()
    idle: tuple[RequestId, ...] = ()
    month_ends: datetime | None = None


class EndMonth(Wire):
    """A calendar month is over."""


class NoteApplied(Wire):
    """What a person said is in the ledger, and what waited was told."""

    number: int
