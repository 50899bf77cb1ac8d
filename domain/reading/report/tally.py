"""What a report counts, in a form that adds up exactly: whole numbers and lists of times."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field, fields
from datetime import date, datetime
from typing import NamedTuple, cast

from domain.core.money import Money
from domain.reading.report.causes import Failed, Unit, WaitCause

MILLIONTHS = 1_000_000
"""Costs are counted in millionths of their currency, so that their sum does not depend on the order."""

MONEY = tuple(name for name in Money.model_fields if name != "prices")
"""The measures of usage that are of money."""

COST = "cost "
"""In front of the currency, in a measure of usage."""

Usage = tuple[str, str, str]
"""Whose turns: agent, model, and the kind of work."""


class Who(NamedTuple):
    """Who did a task, and what kind of work it was: its owner, else its mode; empty is all kinds."""

    agent: str
    model: str
    kind: str


class Trial(NamedTuple):
    """A task that an agent did: whether it passed first, what it took, what it cost in millionths if that is known."""

    has_passed: bool
    took_ms: int
    currency: str
    cost: int | None


@dataclass
class Tally:
    """Counts, and times in milliseconds. `unfinished` is what has not ended, `open_waits` who waits now.

    `contests` are trials of the same task by several agents at once, by a name that only that task has.
    Turns and their money are counted by the `months` in which they began and, once it is said whose they are, by `projects`.
    """

    events: int = 0
    ends: Counter[tuple[Unit, str]] = field(default_factory=Counter[tuple[Unit, str]])
    unfinished: Counter[tuple[Unit, str]] = field(default_factory=Counter[tuple[Unit, str]])
    took: defaultdict[Unit, list[int]] = field(default_factory=lambda: defaultdict(list))
    waits: defaultdict[WaitCause, list[int]] = field(default_factory=lambda: defaultdict(list))
    open_waits: Counter[WaitCause] = field(default_factory=Counter[WaitCause])
    repeats: Counter[str] = field(default_factory=Counter[str])
    steps: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    steps_took: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    usage: Counter[tuple[Usage, str]] = field(default_factory=Counter[tuple[Usage, str]])
    failures: Counter[tuple[Failed, str]] = field(default_factory=Counter[tuple[Failed, str]])
    trials: defaultdict[Who, list[Trial]] = field(default_factory=lambda: defaultdict(list))
    contests: defaultdict[str, list[tuple[Who, bool]]] = field(
        default_factory=lambda: defaultdict(list)
    )
    days: Counter[tuple[date, str]] = field(default_factory=Counter[tuple[date, str]])
    months: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])
    projects: Counter[tuple[str, str]] = field(default_factory=Counter[tuple[str, str]])

    def assign(self, project: str) -> None:
        """Say of which repository all is that was counted of turns."""
        for (_, measure), number in self.usage.items():
            if measure in {"turns", *MONEY}:
                self.projects[project, measure] += number

    def include(self, other: "Tally") -> None:
        """Add what another one counted."""
        self.events += other.events
        for each in fields(self):
            mine: object = getattr(self, each.name)
            if isinstance(mine, Counter):
                cast("Counter[object]", mine).update(getattr(other, each.name))
            elif isinstance(mine, defaultdict):
                for key, times in getattr(other, each.name).items():
                    cast("defaultdict[object, list[object]]", mine)[key].extend(times)

    def end(self, unit: Unit, end: str, began: datetime | None, at: datetime) -> None:
        """Count how something ended, when, and how long it took where its beginning is known."""
        self.ends[unit, end] += 1
        self.days[at.date(), f"{unit} {end}"] += 1
        if began is not None:
            self.took[unit].append(milliseconds(began, at))


class Book:
    """Tells by the time of an event whether it counts; all that happened before is only followed."""

    def __init__(self, since: datetime | None) -> None:
        self._since = since
        self.kept = Tally()
        self._passed_over = Tally()

    def at(self, time: datetime) -> Tally:
        """Return what an event of that time is counted in."""
        return self.kept if self._since is None or time >= self._since else self._passed_over


def milliseconds(begin: datetime, end: datetime) -> int:
    """Return how long something took; never less than nothing, whatever clocks say."""
    return max(0, round((end - begin).total_seconds() * 1000))
