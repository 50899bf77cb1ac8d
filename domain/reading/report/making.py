"""A report made of what was counted."""

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from statistics import median
from typing import Any, NamedTuple

from domain.core.money import Money
from domain.reading.report.causes import Unit, WaitCause
from domain.reading.report.records import records_of, versus_of
from domain.reading.report.report import (
    AgentTotals,
    Day,
    Ends,
    FailureLine,
    ModeTotals,
    MoneyTotals,
    Repeats,
    Report,
    StepLine,
    Times,
    Waits,
)
from domain.reading.report.tally import COST, MILLIONTHS, MONEY, Tally

MAX_FAILURES = 20
MAX_STEPS = 50
MAX_MONTHS = 24
MAX_PROJECTS = 50


class Scope(NamedTuple):
    """What a report is of: from `since` (all that is known where it is None) until now."""

    until: datetime
    since: datetime | None = None
    project: str = ""
    zone: str = "UTC"


def report_of(tally: Tally, scope: Scope) -> Report:
    """Return the report of what was counted; what is most comes first everywhere."""
    most = tally.failures.most_common()
    most.sort(key=lambda each: (-each[1], each[0]))
    failures = [FailureLine(what=w, cause=cause, count=n) for (w, cause), n in most]
    return Report(
        since=scope.since,
        time_zone=scope.zone,
        until=scope.until,
        project=scope.project,
        events=tally.events,
        plans=_ends(tally, Unit.PLAN),
        tasks=_ends(tally, Unit.TASK),
        flow_runs=_ends(tally, Unit.FLOW),
        waits=_waits(tally),
        repeats=Repeats.model_validate(tally.repeats),
        steps=_steps(tally),
        by_agent=_by_agent(tally),
        by_mode=_by_mode(tally),
        records=records_of(tally),
        versus=versus_of(tally),
        by_month=_by_month(tally),
        by_project=_by_project(tally),
        failures=tuple(failures[:MAX_FAILURES]),
        other_failures=sum(line.count for line in failures[MAX_FAILURES:]),
        days=_days(tally),
    )


def times_of(took: Sequence[int]) -> Times:
    """Return how long some things took."""
    if not took:
        return Times()
    ordered = sorted(took)
    return Times(
        count=len(ordered),
        total_ms=sum(ordered),
        median_ms=round(median(ordered)),
        p90_ms=ordered[math.ceil(0.9 * len(ordered)) - 1],
        longest_ms=ordered[-1],
    )


def _ends(tally: Tally, unit: Unit) -> Ends:
    return Ends(
        ended=_of_unit(tally.ends, unit),
        unfinished=_of_unit(tally.unfinished, unit),
        took=times_of(tally.took[unit]),
    )


def _of_unit(counted: Counter[tuple[Unit, str]], unit: Unit) -> dict[str, int]:
    mine = {name: number for (of, name), number in counted.items() if of is unit and number}
    return dict(sorted(mine.items(), key=lambda each: (-each[1], each[0])))


def _waits(tally: Tally) -> tuple[Waits, ...]:
    causes = (c for c in WaitCause if tally.waits.get(c) or tally.open_waits[c])
    lines = (
        Waits(
            cause=cause,
            phrase=cause.phrase,
            took=times_of(tally.waits.get(cause, ())),
            waiting_now=tally.open_waits[cause],
        )
        for cause in causes
    )
    return tuple(sorted(lines, key=lambda line: -line.took.total_ms))


def _steps(tally: Tally) -> tuple[StepLine, ...]:
    lines = [
        StepLine(
            label=label,
            ran=tally.steps[label, "ran"],
            failed=tally.steps[label, "failed"],
            not_made=tally.steps[label, "not_made"],
            took=times_of(took),
        )
        for label, took in tally.steps_took.items()
    ]
    lines.sort(key=lambda line: (-line.failed, -line.not_made, -line.ran, line.label))
    return tuple(lines[:MAX_STEPS])


def _by_agent(tally: Tally) -> tuple[AgentTotals, ...]:
    found: defaultdict[tuple[str, str], Counter[str]] = defaultdict(Counter[str])
    for ((agent, model, _), measure), number in tally.usage.items():
        found[agent, model][measure] += number
    lines = (
        AgentTotals.model_validate({"agent": agent, "model": model, **_measures(spent)})
        for (agent, model), spent in found.items()
    )
    return tuple(sorted(lines, key=lambda line: (-line.turns, line.agent, line.model)))


def _by_mode(tally: Tally) -> tuple[ModeTotals, ...]:
    found: defaultdict[str, Counter[str]] = defaultdict(Counter[str])
    agents: defaultdict[str, set[str]] = defaultdict(set[str])
    for ((agent, _, mode), measure), number in tally.usage.items():
        found[mode][measure] += number
        agents[mode].add(agent)
    lines = (
        ModeTotals.model_validate(
            {"mode": mode, "agents": tuple(sorted(agents[mode])), **_measures(spent)}
        )
        for mode, spent in found.items()
    )
    return tuple(sorted(lines, key=lambda line: (-line.turns, line.mode)))


def _measures(spent: Mapping[str, int]) -> dict[str, Any]:
    costs = {
        name.removeprefix(COST): number / MILLIONTHS
        for name, number in sorted(spent.items())
        if name.startswith(COST)
    }
    return {**spent, "costs": costs, "money": _money(spent)}


def _money(spent: Mapping[str, int]) -> Money:
    return Money.model_validate({name: spent.get(name, 0) for name in MONEY})


def _totals(counted: Counter[tuple[str, str]]) -> list[MoneyTotals]:
    found: defaultdict[str, Counter[str]] = defaultdict(Counter[str])
    for (name, measure), number in counted.items():
        found[name][measure] += number
    return [
        MoneyTotals(name=n, turns=spent["turns"], money=_money(spent)) for n, spent in found.items()
    ]


def _by_month(tally: Tally) -> tuple[MoneyTotals, ...]:
    newest_first = sorted(_totals(tally.months), key=lambda line: line.name, reverse=True)
    return tuple(newest_first[:MAX_MONTHS])


def _by_project(tally: Tally) -> tuple[MoneyTotals, ...]:
    lines = [line for line in _totals(tally.projects) if line.name and line.turns]
    lines.sort(key=lambda line: (-line.money.spent, -line.turns, line.name))
    return tuple(lines[:MAX_PROJECTS])


def _days(tally: Tally) -> tuple[Day, ...]:
    found: defaultdict[date, dict[str, Any]] = defaultdict(dict[str, Any])
    names = {Unit.PLAN: "plans", Unit.TASK: "tasks", Unit.FLOW: "flow_runs"}
    for (day, what), number in sorted(tally.days.items()):
        unit, _, end = what.partition(" ")
        if end:
            found[day].setdefault(names[Unit(unit)], {})[end] = number
        else:
            found[day][what] = number
    return tuple(Day(day=day, **counted) for day, counted in found.items())
