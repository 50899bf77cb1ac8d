"""Spending limits: whether a turn may start, beside others that run, and what is told of limits."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from domain.agents.billing import MoneyOptions
from domain.agents.limits.money import (
    Account,
    Limited,
    LimitScope,
    Usd,
    admit,
    lowest,
    month_of,
    next_month,
)

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
MONTH = LimitScope(kind=Limited.MONTH, name="2026-11")
COST = st.integers(min_value=0, max_value=100)


def account(**of: int) -> Account:
    return Account(MONTH, **{"limit": 100, **of})


def is_admitted(*accounts: Account, expected: int = 10) -> bool:
    return admit(accounts, expected, NOW, "UTC").is_admitted


def test_a_turn_without_limits_starts() -> None:
    assert is_admitted()


def test_a_turn_starts_where_all_limits_have_room() -> None:
    assert is_admitted(account(settled=50), account(settled=90))
    assert not is_admitted(account(settled=50), account(settled=100))


def test_what_others_reserve_is_not_given_twice() -> None:
    assert not is_admitted(account(settled=50, reserved=45, running=1))
    assert is_admitted(account(settled=50, reserved=40, running=1))


def test_the_rest_of_a_limit_is_used_by_one_turn_alone() -> None:
    assert is_admitted(account(settled=95))
    assert not is_admitted(account(settled=95, reserved=1, running=1))


def test_a_reached_limit_is_asked_about_and_a_crowded_one_is_not() -> None:
    reached = admit([account(settled=100)], 1, NOW, "UTC")
    crowded = admit([account(settled=50, reserved=50, running=2)], 1, NOW, "UTC")
    assert [each.scope for each in reached.reached] == [MONTH]
    assert "for all work in 2026-11" in reached.reason
    assert crowded.reached == ()
    assert "2 running turns may use what is left" in crowded.reason


def test_readers_of_a_thread_are_not_told_what_all_work_costs() -> None:
    """What a turn waits for is in its thread; what the month has cost is for who reads all projects."""
    of_all = account(settled=150_000_000, limit=100_000_000)
    of_thread = of_all._replace(scope=LimitScope(kind=Limited.THREAD, name="thread-a"))
    crowded = account(settled=50_000_000, limit=100_000_000, reserved=50_000_000, running=1)

    reason = admit([of_thread, of_all], 1, NOW, "UTC").reason
    assert reason == "$150.00 of $100.00 for thread-a; the limit for all work in 2026-11"
    assert "$" not in admit([crowded], 10**9, NOW, "UTC").reason


def test_a_turn_that_waits_for_a_month_tries_again_when_that_begins() -> None:
    late = datetime(2026, 11, 30, 20, tzinfo=UTC)
    waits = admit([account(settled=100)], 1, late, "Europe/Zurich")
    assert waits.until == waits.month_ends == datetime(2026, 11, 30, 23, tzinfo=UTC)


@given(st.lists(st.tuples(COST, COST, st.integers(0, 5)), max_size=40), st.integers(1, 200))
def test_no_turn_starts_beyond_a_limit_by_more_than_its_own_reservation(
    turns: list[tuple[int, int, int]], limit: int
) -> None:
    """Each turn is expected to cost one thing, costs another, and ends after so many others began."""
    settled, running = 0, list[list[int]]()
    for expected, cost, lasts in turns:
        for each in running:
            each[2] -= 1
        settled += sum(each[1] for each in running if each[2] < 0)
        running = [each for each in running if each[2] >= 0]
        reserved = sum(each[0] for each in running)
        state = Account(MONTH, limit, settled, reserved, len(running))
        if is_admitted(state, expected=expected):
            assert settled < limit
            assert settled + reserved + expected <= limit or not running
            running.append([expected, cost, lasts])
        assert (
            settled + sum(each[0] for each in running)
            < limit + max((t[0] for t in turns), default=0)
            or settled >= limit
        )


@given(
    st.datetimes(min_value=datetime(2020, 1, 1), max_value=datetime(2035, 1, 1)),  # noqa: DTZ001
    st.sampled_from(["UTC", "Europe/Zurich", "Pacific/Kiritimati", "America/St_Johns"]),
)
def test_the_next_month_begins_where_this_one_ends(at: datetime, zone: str) -> None:
    at = at.replace(tzinfo=UTC)
    begins = next_month(at, zone)
    assert begins > at
    assert month_of(begins, zone) != month_of(at, zone)
    just_before = datetime.fromtimestamp(begins.timestamp() - 1, UTC)
    assert month_of(just_before, zone) == month_of(at, zone)


@pytest.mark.parametrize("usd", [0, 1e-9, -1, float("nan"), float("inf"), 10**7, "10 €", "ten"])
def test_what_is_no_limit_is_refused(usd: object) -> None:
    with pytest.raises(ValidationError):
        TypeAdapter(Usd).validate_python(usd)


def test_an_unknown_time_zone_is_refused() -> None:
    with pytest.raises(ValidationError, match="time zone like"):
        MoneyOptions(time_zone="Mars/Olympus")


def test_the_lowest_limit_counts() -> None:
    assert [lowest(None, 3, 2), lowest(None, None), lowest()] == [2, None, None]
