"""Texts of spending limits."""

from domain.agents.limits.money import SpentLimit
from domain.core.amounts import dollars
from domain.core.event_text import success, warning
from domain.money import events as money_events
from domain.money.requests import LimitChoice
from domain.reading.event_text.phrases import after, by
from domain.reading.event_text.registry import describe, silence


def _near(near: SpentLimit) -> str:
    spent, limit = dollars(near.spent), dollars(near.limit)
    return f"{spent} of {limit} spent for {near.scope.words}"


silence(money_events.MoneyOpened, money_events.LimitApplied)
describe(money_events.LimitNear, lambda event: warning(_near(event.near)))
describe(money_events.LimitReached, lambda event: warning(event.request.words))
describe(
    money_events.LimitDecided,
    lambda event: (
        success(f"Limit {event.outcome.spoken}{by(event.outcome.by)}")
        if event.outcome.choice is LimitChoice.RAISE
        else warning(f"Limit kept{by(event.outcome.by)}: {event.outcome.spoken}")
    ),
)
describe(
    money_events.LimitLapsed,
    lambda event: f"Question {event.request_id} closed{after(event.reason)}",
)
describe(
    money_events.MonthlyLimitsSet,
    lambda event: (
        f"Monthly limits {'set' if event.limits else 'reset to the settings'}{by(event.by)}"
    ),
)
