"""Events of the stream `money`."""

from typing import Literal

from domain.agents.billing import MonthlyLimits
from domain.agents.limits.money import SpentLimit
from domain.core.event import EventBody
from domain.core.ids import RequestId
from domain.money.requests import LimitOutcome, LimitRequest


class MoneyOpened(EventBody):
    """Limits are watched from now on."""

    kind: Literal["money_opened"] = "money_opened"


class LimitNear(EventBody):
    """80 % of a limit is spent; reported once for each limit."""

    kind: Literal["limit_near"] = "limit_near"
    near: SpentLimit


class LimitReached(EventBody):
    """A limit was reached: turns wait, and a person is asked."""

    kind: Literal["limit_reached"] = "limit_reached"
    request: LimitRequest


class LimitDecided(EventBody):
    """A person raised a limit, or stopped the turns that wait for it."""

    kind: Literal["limit_decided"] = "limit_decided"
    outcome: LimitOutcome


class LimitLapsed(EventBody):
    """A question about a limit was closed: its month is over, nothing waits, or new limits were set."""

    kind: Literal["limit_lapsed"] = "limit_lapsed"
    request_id: RequestId
    reason: str = ""


class MonthlyLimitsSet(EventBody):
    """A person set the monthly limits; with None the settings apply."""

    kind: Literal["monthly_limits_set"] = "monthly_limits_set"
    limits: MonthlyLimits | None = None
    by: str = ""


class LimitApplied(EventBody):
    """A person's answer is in effect, and waiting turns were notified."""

    kind: Literal["limit_applied"] = "limit_applied"
    number: int
