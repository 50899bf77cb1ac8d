"""How the page of a report is drawn: periods, scales, bars."""

import re
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.reports.html.charts import Column, bar, columns, in_order
from api.reports.html.page import page_of
from api.reports.html.periods import periods
from domain.reading.report.highlights import key_numbers
from domain.reading.report.report import Day, Report
from tests.domain.report_lab import NOW, T0, reported, started, updated

DAY = date(2026, 3, 5)


def of_days(days, since=None):
    told = tuple(Day(day=DAY - timedelta(days=n), tasks={"completed": 1}) for n in reversed(days))
    return Report(until=NOW, since=since, days=told)


@pytest.mark.parametrize(
    ("days", "kind", "count"), [([0], "day", 1), ([0, 61], "day", 62), ([0, 62], "week", 10)]
)
def test_a_long_time_is_drawn_in_longer_periods_with_those_in_which_nothing_ended(
    days, kind, count
):
    found, shown = periods(of_days(days))
    assert (found, len(shown)) == (kind, count)
    assert sum(period.ended.total() for period in shown) == len(days)


@given(days=st.sets(st.integers(0, 5000), min_size=1, max_size=30))
def test_no_end_is_lost_between_periods_and_there_are_never_too_many(days):
    _, shown = periods(of_days(sorted(days)))
    assert sum(period.ended.total() for period in shown) == len(days)
    assert len(shown) <= 170
    assert len({period.label for period in shown}) == len(shown)


def test_a_chart_begins_where_the_report_does():
    _, shown = periods(of_days([0], since=T0))
    assert [period.label for period in shown] == [f"{n} Mar 2026" for n in (2, 3, 4, 5)]


def test_a_chart_of_a_report_since_long_ago_begins_with_what_there_is():
    _, shown = periods(of_days([0], since=datetime(1, 1, 1, tzinfo=UTC)))
    assert [period.label for period in shown] == ["5 Mar 2026"]


@given(heights=st.lists(st.integers(0, 10**7), min_size=1, max_size=40))
def test_columns_stay_below_the_top_of_their_scale(heights):
    drawn = columns([Column(str(n), {"completed": n}) for n in heights], "x")
    tops = [float(y) for y in re.findall(r'<rect [^>]* y="([-0-9.]+)"', drawn)]
    assert len(tops) == sum(n > 0 for n in heights)
    assert all(8 <= y <= 148 for y in tops)
    ticks = [int(tick) for tick in re.findall(r">(\d+)</text>", drawn)]
    assert max(ticks) >= max(heights)


@given(parts=st.lists(st.integers(0, 10**6), max_size=6))
def test_what_is_there_is_seen_in_a_bar_and_nothing_else_is(parts):
    drawn = bar([("main", part) for part in parts], sum(parts))
    widths = [float(w) for w in re.findall(r'class="main" x="[^"]*" width="([0-9.]+)%"', drawn)]
    assert len(widths) == sum(part > 0 for part in parts)
    assert all(0.8 <= width <= 100 for width in widths)


def test_ends_have_one_order_the_good_ones_first():
    ends = ["failed", "cancelled", "completed", "failed", "somehow"]
    assert in_order(ends) == ["somehow", "completed", "cancelled", "failed"]


def test_key_numbers_are_of_what_there_is():
    assert key_numbers(reported([])) == []
    report = reported([(0, started("a")), (1, updated("a", "running"))])
    assert [(n.what, n.note) for n in key_numbers(report)] == [
        ("Plans completed", "of 0 that ended; now 1 running"),
        ("Tasks completed", "of 0 that ended; now 1 running"),
    ]
    assert "Outcomes and durations" in page_of(report)
