"""What is asked at a limit, and how it was answered."""

from datetime import datetime
from enum import StrEnum

from domain.agents.limits.money import LimitScope, SpentLimit
from domain.core.amounts import dollars
from domain.core.approvals import content_hash
from domain.core.ids import RequestId
from domain.core.text import counted
from domain.core.wire import Wire


class LimitContent(Wire):
    """What a decision at a limit binds to."""

    scope: LimitScope
    limit: int
    spent: int


class LimitRequest(Wire):
    """A limit is reached, and a person says how it goes on; amounts are as they were when it was asked.

    One of a calendar month lapses with that.
    """

    request_id: RequestId
    scope: LimitScope
    limit: int
    spent: int
    unknown: int = 0
    lapses_at: datetime | None = None

    @property
    def content_hash(self) -> str:
        """The hash of what is shown."""
        return content_hash(LimitContent(scope=self.scope, limit=self.limit, spent=self.spent))

    @property
    def words(self) -> str:
        """What happened, in a sentence."""
        least = f", plus {counted(self.unknown, 'turn')} of unknown cost" if self.unknown else ""
        spent = f"{dollars(self.spent)} of {dollars(self.limit)}{least}"
        return f"Spending limit reached for {self.scope.words}: {spent}"


class LimitChoice(StrEnum):
    """The two answers."""

    RAISE = "raise"
    STOP = "stop"


class LimitOutcome(Wire):
    """How a request was answered; `limit` is the new one where it was raised."""

    request_id: RequestId
    choice: LimitChoice
    content_hash: str
    limit: int = 0
    by: str = ""

    @property
    def spoken(self) -> str:
        """The answer, as people read it."""
        if self.choice is LimitChoice.RAISE:
            return f"raised to {dollars(self.limit)}"
        return "waiting turns stopped"


def request_of(reached: SpentLimit, number: int, month_ends: datetime | None) -> LimitRequest:
    """Return what is asked at a limit; the number tells one time from another."""
    return LimitRequest(
        request_id=RequestId(f"money/{number}"),
        scope=reached.scope,
        limit=reached.limit,
        spent=reached.spent,
        unknown=reached.unknown,
        lapses_at=month_ends if reached.scope.is_monthly else None,
    )
