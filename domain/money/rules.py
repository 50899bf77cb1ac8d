"""The rules of limits: what the ledger tells, what people answer, and what must be under way."""

from collections.abc import Iterator
from datetime import datetime

from domain.agents.limits.money import SpentLimit
from domain.core.amounts import dollars
from domain.core.command import Answer
from domain.core.decisions import Decided
from domain.core.errors import (
    AlreadyDecidedError,
    InvalidError,
    NotFoundError,
    NotShownError,
)
from domain.core.event import EventBody
from domain.core.money import millionths
from domain.money import evolution
from domain.money.commands import (
    AtLimit,
    EndMonth,
    NoteApplied,
    NoteLimits,
    RaiseLimit,
    SetMonthlyLimits,
    StopAtLimit,
)
from domain.money.effects import ApplyChange, AwaitMonth, MoneyEffect
from domain.money.events import (
    LimitApplied,
    LimitDecided,
    LimitLapsed,
    LimitNear,
    LimitReached,
    MonthlyLimitsSet,
)
from domain.money.registry import MONEY_RULES
from domain.money.requests import LimitChoice, LimitOutcome, LimitRequest, request_of
from domain.money.state import LimitChange, MoneyState

MAX_ASKED = 500
"""Open requests; what is reached beyond them is asked once others are answered."""

RULES = (evolution,)
"""The others that register rules."""

decide = MONEY_RULES.decide
evolve = MONEY_RULES.evolve
fold = MONEY_RULES.fold
effects = MONEY_RULES.effects


@MONEY_RULES.requires
def apply_and_await(state: MoneyState) -> Iterator[MoneyEffect]:
    if state.changes:
        yield ApplyChange(change=state.changes[0])  # one after the other: a later one counts
    ends = [r.lapses_at for r in state.asked.values() if r.lapses_at is not None]
    if ends:
        yield AwaitMonth(until=min(ends))


@MONEY_RULES.handles
def note_limits(command: NoteLimits, state: MoneyState) -> Decided:
    events: list[EventBody] = [
        LimitLapsed(request_id=name, reason="nothing waits for it any more")
        for name in dict.fromkeys(command.idle)
        if state.request(name) is not None
    ]
    state = MONEY_RULES.fold(state, events)
    asked = {each.scope.key for each in command.reached} | state.asked.keys()
    for near in command.near:
        known = state.near.get(near.scope.key)
        is_new = known is None or known.limit != near.limit
        if is_new and near.scope.key not in asked and _raised(near, state) is None:
            events.append(LimitNear(near=near))
    for reached in command.reached:
        known = state.asked.get(reached.scope.key) or _raised(reached, state)
        if known is None and len(state.asked) < MAX_ASKED:
            number = MONEY_RULES.fold(state, events).numbers + 1
            request = request_of(reached, number, command.month_ends)
            events.append(LimitReached(request=request))
    return Decided(tuple(events))


def _raised(reached: SpentLimit, state: MoneyState) -> LimitChange | None:
    """Return the raise of a limit that the ledger does not know yet: what waits for it is told soon."""
    of_it = (each for each in state.changes if each.scope == reached.scope)
    return next((each for each in of_it if each.limit > reached.limit), None)


@MONEY_RULES.handles
def raise_limit(command: RaiseLimit, state: MoneyState) -> Decided:
    limit = millionths(command.usd)
    outcome = _outcome(command, state, LimitChoice.RAISE, limit)
    request = state.request(command.request_id)
    if request is not None and limit <= max(request.limit, request.spent):
        least = dollars(max(request.limit, request.spent))
        raise InvalidError(f"{dollars(limit)} is not more than {least}: give a higher limit")
    return _decided(state, outcome)


@MONEY_RULES.handles
def stop_at_limit(command: StopAtLimit, state: MoneyState) -> Decided:
    return _decided(state, _outcome(command, state, LimitChoice.STOP))


def _outcome(
    command: AtLimit, state: MoneyState, choice: LimitChoice, limit: int = 0
) -> LimitOutcome:
    """Return how an open request is answered, or was before in the same words.

    Raises:
        NotFoundError: No such request is open.
        AlreadyDecidedError: It was answered otherwise.
        NotShownError: The answer names other content than was shown.
    """
    outcome = LimitOutcome(
        request_id=command.request_id,
        choice=choice,
        content_hash=command.content_hash,
        limit=limit,
        by=command.by,
    )
    earlier = state.outcomes.get(command.request_id)
    if earlier is not None:
        if earlier.model_copy(update={"by": command.by}) == outcome:
            return earlier
        raise AlreadyDecidedError(
            f"request {command.request_id!r} was already decided: {earlier.spoken} by {earlier.by!r}"
        )
    request = state.request(command.request_id)
    if request is None:
        raise NotFoundError(f"no limit is waiting for an answer to {command.request_id!r}")
    _check_shown(command, request)
    return outcome


def _check_shown(command: AtLimit, request: LimitRequest) -> None:
    if command.content_hash != request.content_hash:
        raise NotShownError(
            f"request {request.request_id!r} is about content {request.content_hash[:12]}, the "
            f"decision names {command.content_hash[:12]}: look at it again and decide then"
        )


def _decided(state: MoneyState, outcome: LimitOutcome) -> Decided:
    answer = Answer(message=f"{outcome.request_id}: {outcome.spoken} by {outcome.by}")
    is_known = outcome.request_id in state.outcomes
    return Decided(() if is_known else (LimitDecided(outcome=outcome),), answer)


@MONEY_RULES.handles
def set_monthly_limits(command: SetMonthlyLimits, state: MoneyState) -> Decided:
    monthly = (request for request in state.asked.values() if request.scope.is_monthly)
    lapsed = [
        LimitLapsed(request_id=r.request_id, reason="monthly limits were set") for r in monthly
    ]
    changed = MonthlyLimitsSet(limits=command.limits, by=command.by)
    how = "set" if command.limits else "reset to the settings"
    return Decided((*lapsed, changed), Answer(message=f"monthly limits {how}"))


@MONEY_RULES.handles
def end_month(command: EndMonth, state: MoneyState, now: datetime) -> Decided:
    del command
    over = (r for r in state.asked.values() if r.lapses_at is not None and r.lapses_at <= now)
    return Decided(
        tuple(LimitLapsed(request_id=r.request_id, reason="the month is over") for r in over)
    )


@MONEY_RULES.handles
def note_applied(command: NoteApplied, state: MoneyState) -> Decided:
    is_open = any(change.number == command.number for change in state.changes)
    return Decided((LimitApplied(number=command.number),) if is_open else ())
