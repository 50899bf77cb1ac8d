"""What a person says of money: limits, and which agents are on a flat plan."""

from typing import Annotated

from pydantic import Field

from domain.agents.limits.money import TimeZone, Usd
from domain.core.wire import Wire

AgentName = Annotated[str, Field(min_length=1, max_length=63)]


class MonthlyLimits(Wire):
    """What work may cost in a calendar month; None is no limit."""

    project_usd: Usd | None = None
    """What all work on one repository may cost in a calendar month, in US dollars."""
    month_usd: Usd | None = None
    """The same of all repositories together."""


class MoneyOptions(Wire):
    """What work may cost, and how agents are paid; the limits are those of `MonthlyLimits`."""

    month_usd: Usd | None = None
    """US dollars that all work may cost in a calendar month; then the next turn waits and you are asked."""
    project_usd: Usd | None = None
    """The same for all work on one repository."""
    time_zone: TimeZone = "UTC"
    """Time zone of calendar months."""
    turn_usd: Usd = 0.25
    """What a turn reserves when there are no similar turns to go by."""
    subscriptions: Annotated[tuple[AgentName, ...], Field(max_length=50)] = ()
    """Agents on a flat plan: their turns are shown as included, and do not count towards limits."""
