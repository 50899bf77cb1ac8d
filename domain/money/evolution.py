"""How events change what is known of limits; an event is a fact, so nothing raises."""

from collections.abc import Iterable

from domain.core.ids import RequestId
from domain.money.events import (
    LimitApplied,
    LimitDecided,
    LimitLapsed,
    LimitNear,
    LimitReached,
    MoneyOpened,
    MonthlyLimitsSet,
)
from domain.money.registry import MONEY_RULES
from domain.money.requests import LimitChoice
from domain.money.state import LimitChange, MoneyState

KEPT = 100
"""How many warnings and answers are remembered."""


@MONEY_RULES.evolves
def apply_opened(event: MoneyOpened) -> MoneyState:
    del event
    return MoneyState()


@MONEY_RULES.evolves
def apply_near(event: LimitNear, state: MoneyState) -> MoneyState:
    key = event.near.scope.key
    others = [(name, near) for name, near in state.near.items() if name != key]
    near = dict([*others, (key, event.near)][-KEPT:])
    return state.model_copy(update={"near": near})


@MONEY_RULES.evolves
def apply_reached(event: LimitReached, state: MoneyState) -> MoneyState:
    asked = {**state.asked, event.request.scope.key: event.request}
    return state.model_copy(update={"asked": asked, "numbers": state.numbers + 1})


@MONEY_RULES.evolves
def apply_decided(event: LimitDecided, state: MoneyState) -> MoneyState:
    outcome = event.outcome
    request = state.request(outcome.request_id)
    if request is None:
        return state
    change = LimitChange(
        number=state.numbers + 1,
        scope=request.scope,
        limit=outcome.limit,
        is_stopped=outcome.choice is LimitChoice.STOP,
        by=outcome.by,
    )
    outcomes = [*state.outcomes.items(), (outcome.request_id, outcome)]
    near = {name: near for name, near in state.near.items() if name != request.scope.key}
    return _changed(_without(state, [outcome.request_id]), change).model_copy(
        update={"outcomes": dict(outcomes[-KEPT:]), "near": near}
    )


@MONEY_RULES.evolves
def apply_lapsed(event: LimitLapsed, state: MoneyState) -> MoneyState:
    return _without(state, [event.request_id])


@MONEY_RULES.evolves
def apply_monthly_set(event: MonthlyLimitsSet, state: MoneyState) -> MoneyState:
    change = LimitChange(number=state.numbers + 1, monthly=event.limits, by=event.by)
    near = {name: near for name, near in state.near.items() if not near.scope.is_monthly}
    return _changed(state, change).model_copy(update={"monthly": event.limits, "near": near})


@MONEY_RULES.evolves
def apply_applied(event: LimitApplied, state: MoneyState) -> MoneyState:
    left = tuple(change for change in state.changes if change.number != event.number)
    return state.model_copy(update={"changes": left})


def _changed(state: MoneyState, change: LimitChange) -> MoneyState:
    return state.model_copy(update={"changes": (*state.changes, change), "numbers": change.number})


def _without(state: MoneyState, requests: Iterable[RequestId]) -> MoneyState:
    gone = set(requests)
    asked = {name: r for name, r in state.asked.items() if r.request_id not in gone}
    return state.model_copy(update={"asked": asked})
