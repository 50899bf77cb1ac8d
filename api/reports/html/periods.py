"""Days of a report put together to as many periods as a chart can show."""

from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta
from typing import NamedTuple

from domain.reading.report.report import Report

MAX_DAYS = 62
MAX_WEEKS = 62


class Period(NamedTuple):
    """A day, a week (by its Monday) or a month: how many tasks and flow runs ended in it, and how."""

    label: str
    ended: Counter[str]


def periods(report: Report) -> tuple[str, list[Period]]:
    """Return what a period is (`day`, `week`, `month`), and all of them, also those without anything."""
    if not report.days:
        return "day", []
    first = report.days[0].day
    if report.since and first - report.since.date() < timedelta(days=MAX_DAYS):
        first = min(first, report.since.date())  # not much else would be drawn of a far beginning
    last = max(report.days[-1].day, report.until.date())
    kind = _kind((last - first).days + 1)
    found = {label: Counter[str]() for label in _labels(kind, first, last)}
    for day in report.days:
        found[_label(kind, day.day)].update(Counter(day.tasks) + Counter(day.flow_runs))
    return kind, [Period(label, ended) for label, ended in found.items()]


def _kind(days: int) -> str:
    if days <= MAX_DAYS:
        return "day"
    return "week" if days <= 7 * MAX_WEEKS else "month"


def _labels(kind: str, first: date, last: date) -> Iterator[str]:
    day = first
    while day <= last:
        yield _label(kind, day)
        day += timedelta(days=1)


def _label(kind: str, day: date) -> str:
    if kind == "month":
        return f"{day:%b %Y}"
    if kind == "week":
        day -= timedelta(days=day.weekday())
    return f"{day.day} {day:%b %Y}"
