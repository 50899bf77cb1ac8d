"""The report's sums of money are the ledger's: what is settled of each part of a turn is told by its event."""

from datetime import UTC, datetime, timedelta
from functools import reduce

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.agents.agents import TurnResult, Usage
from domain.agents.pricing import ListPrice, turn_money
from domain.agents.profiles import Billing
from domain.agents.spending import held
from domain.conversations.events import TurnDelayed, TurnEnded, TurnSlept
from domain.core.event import EventBody
from domain.core.money import Money
from domain.reading.report.making import Scope, report_of
from domain.reading.report.projection import StreamFold
from tests.domain.report_lab import NOW, conversation, opened, reported

AMOUNTS = st.integers(0, 10**9)
USAGES = st.one_of(
    st.none(),
    st.builds(Usage, input_tokens=st.integers(0, 10**6), output_tokens=st.integers(0, 10**6)),
    st.builds(Usage, cost=st.floats(0, 1000), currency=st.sampled_from(["USD", "EUR"])),
)
PRICES = st.one_of(st.none(), st.builds(ListPrice, millionths=AMOUNTS, prices=st.just("list 1")))


@st.composite
def parts(draw: st.DrawFn) -> tuple[EventBody, Money]:
    """Return what the journal tells of a part of a turn, and what the ledger settles of it."""
    usage = draw(USAGES)
    is_asked = draw(st.booleans()) or usage is not None
    money = turn_money(usage, draw(PRICES), draw(st.sampled_from(Billing))) if is_asked else Money()
    calls = draw(st.integers(0, 3)) if is_asked else 0
    result = TurnResult(turn_id="turn", usage=usage, tool_calls=calls, money=money)
    whose = {"session_id": "s1", "turn_id": "turn", "refusals": 1, "taken": held(result)}
    event = draw(
        st.sampled_from(
            [
                TurnEnded(session_id="s1", result=result),
                TurnDelayed(provider="p", reason="r", until=NOW, **whose),
                TurnSlept(**whose),
            ]
        )
    )
    return event, money


@given(st.lists(parts(), max_size=12), st.booleans())
def test_the_report_adds_up_to_what_the_ledger_settled(
    turns: list[tuple[EventBody, Money]], of_task: bool
) -> None:
    first = opened() if of_task else conversation("planner", "claude")
    report = reported([(0, first), *((n + 1, body) for n, (body, _) in enumerate(turns))])

    ledger = reduce(Money.plus, (money for _, money in turns), Money()).model_dump()
    of_months = reduce(Money.plus, (line.money for line in report.by_month), Money()).model_dump()
    assert of_months | {"prices": ""} == ledger | {"prices": ""}


@pytest.mark.parametrize(
    ("zone", "ended", "took", "month"),
    [
        ("UTC", datetime(2026, 3, 1, 0, 30, tzinfo=UTC), timedelta(0), "2026-03"),
        ("UTC", datetime(2026, 3, 1, 0, 30, tzinfo=UTC), timedelta(hours=1), "2026-02"),
        ("America/New_York", datetime(2026, 3, 1, 4, tzinfo=UTC), timedelta(0), "2026-02"),
        ("Asia/Tokyo", datetime(2026, 2, 28, 20, tzinfo=UTC), timedelta(hours=1), "2026-03"),
    ],
)
def test_a_turn_is_of_the_month_in_which_it_began_as_limits_count_it(
    zone: str, ended: datetime, took: timedelta, month: str
) -> None:
    fold, ms = StreamFold(zone=zone), round(took.total_seconds() * 1000)
    fold.add(conversation("planner", "claude"), ended - took)
    result = TurnResult(turn_id="turn", money=Money(told=5), duration_ms=ms)
    fold.add(TurnEnded(session_id="s", result=result), ended)

    report = report_of(fold.end(), Scope(until=NOW, zone=zone))

    assert [(line.name, line.money.told) for line in report.by_month] == [(month, 5)]
    assert report.time_zone == zone
